// The differences that the server made of files, as lines to draw. A hunk has line numbers if the whole file is known.
import type { Changes } from '../data/types.ts';
import type { DiffLine } from './diff.ts';
import { visible } from './signs.ts';

export type ChangedFile = Changes['files'][number];
export type Hunk = ChangedFile['hunks'][number];

const kNoNewline = '\\';  // follows a line with which the file ends

export function hunkLines(hunk: Hunk): DiffLine[] {
  let before = hunk.before_first ?? NaN;
  let after = hunk.after_first ?? NaN;
  const isCrLf = hunk.lines.every((line) => line.endsWith('\r') || line === kNoNewline);  // of such a file no line shows it
  const numbered = (value: number) => (Number.isNaN(value) ? undefined : value);
  return hunk.lines.map((line): DiffLine => {
    if (line === kNoNewline) return { sign: ' ', isNote: true, parts: [{ text: 'no newline at the end of the file', changed: false }] };
    const sign = line[0] === '+' || line[0] === '-' ? line[0] : ' ';
    const parts = [{ text: visible(isCrLf ? line.slice(1, -1) : line.slice(1)), changed: false }];
    if (sign === '-') return { sign, before: numbered(before++), parts };
    if (sign === '+') return { sign, after: numbered(after++), parts };
    return { sign, before: numbered(before++), after: numbered(after++), parts };
  });
}

// The first lines of all hunks, `most` together: the rest is shown on demand.
export function firstLines(hunks: readonly DiffLine[][], most: number): DiffLine[][] {
  const shown: DiffLine[][] = [];
  let left = most;
  for (const lines of hunks) {
    if (left <= 0) break;
    shown.push(lines.length > left ? lines.slice(0, left) : lines);
    left -= lines.length;
  }
  return shown;
}

// A path in two parts, the folder and the name: people look for the name.
export function pathParts(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf('/', path.length - 2);
  return { folder: path.slice(0, slash + 1), name: path.slice(slash + 1) };
}
