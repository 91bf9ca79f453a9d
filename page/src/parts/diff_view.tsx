// A difference: removed and added lines with their numbers, the words that changed inside them, and the rest folded.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { difference, markedHunks } from '../data/work.ts';
import { foldLines, type DiffLine } from '../model/diff.ts';
import { count, plural } from '../model/format.ts';
import { firstLines, hunkLines, type Hunk } from '../model/hunks.ts';
import { visible } from '../model/signs.ts';

const kNames = { '+': 'added', '-': 'removed', ' ': 'same' } as const;

function Line({ line }: { line: DiffLine }) {
  if (line.isNote) return <tr class="diff-note"><td colSpan={4}>{line.parts[0]?.text}</td></tr>;
  return (
    <tr class={`diff-${kNames[line.sign]}`}>
      <td class="number">{line.before ?? ''}</td>
      <td class="number">{line.after ?? ''}</td>
      <td class="sign">{line.sign === ' ' ? '' : <span><span aria-hidden="true">{line.sign === '-' ? '−' : '+'}</span><span class="hidden">{kNames[line.sign]}: </span></span>}</td>
      <td class="diff-text">{line.parts.map((part, at) => (part.changed ? <b key={at}>{part.text}</b> : part.text))}</td>
    </tr>
  );
}

export function DiffTable({ lines, label }: { lines: DiffLine[]; label: string }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : foldLines(lines);
  return (
    <div class="diff" tabIndex={0} role="region" aria-label={label}>
      <table>
        <tbody>
          {shown.map((line, at) => ('folded' in line
            ? <tr key={at} class="diff-fold"><td colSpan={4}><button type="button" class="more" onClick={() => setWhole(true)}>{plural(line.folded, 'line')} that did not change</button></td></tr>
            : <Line key={at} line={line} />))}
        </tbody>
      </table>
    </div>
  );
}

export function DiffView({ before, after, label }: { before: string; after: string; label: string }) {
  const [made, setMade] = useState<DiffLine[] | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    void difference(before, after).then((lines) => { if (isCurrent) setMade(lines); });
    return () => { isCurrent = false; };
  }, [before, after]);
  if (made) return <DiffTable lines={made} label={label} />;
  return <pre class="code"><code>{visible(after)}</code></pre>;
}

// A patch as agents write it, or a unified diff: its own lines already say what was added and removed.
export function PatchView({ patch, label }: { patch: string; label: string }) {
  const lines = visible(patch).split('\n').map((text): DiffLine => {
    const sign = text.startsWith('+') && !text.startsWith('+++') ? '+' : text.startsWith('-') && !text.startsWith('---') ? '-' : ' ';
    return { sign, parts: [{ text: sign === ' ' ? text : text.slice(1), changed: false }] };
  });
  return (
    <div class="diff patch" tabIndex={0} role="region" aria-label={label}>
      <table><tbody>{lines.map((line, at) => <Line key={at} line={line} />)}</tbody></table>
    </div>
  );
}

const kFirstLines = 300;
const kMostMarked = 4000;  // lines in which words are looked for

// Hunks that the server made. Those of a file that is known in part have no line numbers.
export function HunksView({ hunks, label }: { hunks: readonly Hunk[]; label: string }) {
  const [isWhole, setWhole] = useState(false);
  const plain = useMemo(() => hunks.map(hunkLines), [hunks]);
  const [marked, setMarked] = useState<{ of: DiffLine[][]; lines: DiffLine[][] | undefined } | undefined>(undefined);
  const total = plain.reduce((sum, lines) => sum + lines.length, 0);
  useEffect(() => {
    let isCurrent = true;
    if (total <= kMostMarked) void markedHunks(plain).then((lines) => { if (isCurrent) setMarked({ of: plain, lines }); });
    return () => { isCurrent = false; };
  }, [plain]);
  const all = (marked?.of === plain ? marked.lines : undefined) ?? plain;
  const shown = isWhole ? all : firstLines(all, kFirstLines);
  const hasNumbers = hunks.some((hunk) => hunk.before_first !== null);
  return (
    <div class={hasNumbers ? 'diff' : 'diff patch'} tabIndex={0} role="region" aria-label={label}>
      <table>
        {shown.map((lines, at) => (
          <tbody key={at}>
            {at > 0 && <tr class="diff-gap" aria-hidden="true"><td colSpan={4}>⋯</td></tr>}
            {lines.map((line, number) => <Line key={number} line={line} />)}
          </tbody>
        ))}
      </table>
      {!isWhole && total > kFirstLines && <button type="button" class="more diff-rest" onClick={() => setWhole(true)}>show all {count(total)} lines</button>}
    </div>
  );
}
