// Whether one of two thoughts rests on the other, and through which thoughts.
import { useState } from 'preact/hooks';
import { ask } from '../data/server.ts';
import { useAnswer } from '../data/use_answer.ts';
import { count, digits, plural } from '../model/format.ts';
import { Problem, Waiting } from '../parts/states.tsx';
import { ThoughtLine } from './trace.tsx';

// What people paste: a CID, some of its digits, or a link to it.
export function nameIn(text: string): string {
  return /(?:cid:blake3:|\/t\/)?([0-9a-f]{8,64})\b/.exec(text.trim())?.[1] ?? text.trim();
}

function Answer({ cid, other }: { cid: string; other: string }) {
  const { data, error } = useAnswer(`path ${cid} ${other}`, (signal) => ask('/api/path', { from: cid, to: other }, signal));
  if (error) return <Problem message={error.message} />;
  if (!data) return <Waiting what="a path" />;
  if (!data.path.length) {
    return <p role="status">{data.truncated ? `No path among the nearest ${count(data.searched)} thoughts. There may be a longer one.` : 'Neither rests on the other.'}</p>;
  }
  const steps = plural(data.path.length - 1, 'step');
  return (
    <>
      <p role="status">{data.path.length === 1 ? 'They are the same thought.' : data.rests === 'from' ? `This rests on it, through ${steps}:` : `It rests on this, through ${steps}:`}</p>
      <ol class="trace-outline">{data.path.map((thought) => <li key={thought.cid}>{thought.reached_by && thought.reached_by !== 'because' && <span class="badge">{thought.reached_by}</span>}<ThoughtLine thought={thought} /></li>)}</ol>
    </>
  );
}

export function PathForm({ cid }: { cid: string }) {
  const [typed, setTyped] = useState('');
  const [other, setOther] = useState<string | undefined>(undefined);
  const look = () => { if (typed.trim()) setOther(nameIn(typed)); };
  return (
    <section class="path-form">
      <h3>Is there a path to another thought?</h3>
      <div class="path-field">
        <label class="field"><span class="hidden">the other thought</span>
          <input type="text" placeholder="its CID, or a link to it" value={typed} spellcheck={false} autocomplete="off" onInput={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => { if (event.key === 'Enter') look(); }} /></label>
        <button type="button" class="chip" onClick={look}>look</button>
      </div>
      {other !== undefined && <Answer key={other} cid={digits(cid)} other={other} />}
    </section>
  );
}
