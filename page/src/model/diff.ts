// The difference of two texts by lines, with the words that changed inside a pair of lines. A difference that would
// take too long is given as all lines removed, then all added: true, if not minimal.
import { diffArrays, diffWordsWithSpace } from 'diff';
import { visible } from './signs.ts';

export interface DiffPart { text: string; changed: boolean }
// `isNote`: not of the text, but about it.
export interface DiffLine { sign: ' ' | '+' | '-'; before?: number; after?: number; parts: DiffPart[]; isNote?: boolean }

const kMostEdits = 4000;
const kLongLine = 1000;

const linesOf = (text: string): string[] => {
  if (text === '') return [];
  const lines = visible(text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};
const whole = (text: string): DiffPart[] => [{ text, changed: false }];

function words(removed: string, added: string): { removed: DiffPart[]; added: DiffPart[] } {
  if (removed.length > kLongLine || added.length > kLongLine) return { removed: whole(removed), added: whole(added) };
  const changes = diffWordsWithSpace(removed, added);
  const same = changes.filter((change) => !change.added && !change.removed).reduce((sum, change) => sum + change.value.length, 0);
  // Two lines with little in common are two lines, not one that changed.
  if (same * 2 < Math.min(removed.length, added.length)) return { removed: whole(removed), added: whole(added) };
  const side = (without: 'added' | 'removed') => changes.filter((change) => !change[without])
    .map((change) => ({ text: change.value, changed: Boolean(change.added || change.removed) }));
  return { removed: side('added'), added: side('removed') };
}

// Marks the words that changed where lines were removed and others stand in their place: first with first, and so on.
export function markChangedWords(lines: readonly DiffLine[]): DiffLine[] {
  const marked = [...lines];
  const textOf = (line: DiffLine) => line.parts.map((part) => part.text).join('');
  for (let at = 0; at < marked.length;) {
    const removed = at;
    while (at < marked.length && marked[at]!.sign === '-') at++;
    const added = at;
    while (at < marked.length && marked[at]!.sign === '+') at++;
    if (at === removed) { at++; continue; }
    for (let pair = 0; pair < Math.min(added - removed, at - added); pair++) {
      const before = marked[removed + pair]!;
      const after = marked[added + pair]!;
      const made = words(textOf(before), textOf(after));
      marked[removed + pair] = { ...before, parts: made.removed };
      marked[added + pair] = { ...after, parts: made.added };
    }
  }
  return marked;
}

export function diffLines(before: string, after: string): DiffLine[] {
  const old = linesOf(before);
  const now = linesOf(after);
  const changes = diffArrays(old, now, { maxEditLength: kMostEdits, timeout: 400 }) ?? [
    { value: old, removed: true, added: false, count: old.length }, { value: now, added: true, removed: false, count: now.length }];
  const lines: DiffLine[] = [];
  let oldAt = 1;
  let nowAt = 1;
  for (const change of changes) {
    for (const text of change.value) {
      if (change.removed) lines.push({ sign: '-', before: oldAt++, parts: whole(text) });
      else if (change.added) lines.push({ sign: '+', after: nowAt++, parts: whole(text) });
      else lines.push({ sign: ' ', before: oldAt++, after: nowAt++, parts: whole(text) });
    }
  }
  return markChangedWords(lines);
}

// Lines that did not change and are more than `around` away from a change, folded into their number.
export function foldLines(lines: DiffLine[], around = 3): (DiffLine | { folded: number })[] {
  const near = lines.map(() => false);
  lines.forEach((line, at) => {
    if (line.sign === ' ') return;
    for (let i = Math.max(0, at - around); i <= Math.min(lines.length - 1, at + around); i++) near[i] = true;
  });
  const out: (DiffLine | { folded: number })[] = [];
  lines.forEach((line, at) => {
    const last = out.at(-1);
    if (near[at]) out.push(line);
    else if (last && 'folded' in last) last.folded++;
    else out.push({ folded: 1 });
  });
  return out;
}
