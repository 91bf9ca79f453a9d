// A difference: removed and added lines with their numbers, the words that changed inside them, and the rest folded.
import { useEffect, useState } from 'preact/hooks';
import { difference } from '../data/work.ts';
import { foldLines, type DiffLine } from '../model/diff.ts';
import { plural } from '../model/format.ts';
import { visible } from '../model/signs.ts';

const kNames = { '+': 'added', '-': 'removed', ' ': 'same' } as const;

function Line({ line }: { line: DiffLine }) {
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
