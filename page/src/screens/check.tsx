// The badge: a thought checked in this browser, and the steps of it. It is not the server's word: the server only
// hands out the stored bytes.
import { askText } from '../data/server.ts';
import type { Connections } from '../data/types.ts';
import { useAnswer } from '../data/use_answer.ts';
import { digits, plural } from '../model/format.ts';
import { Icon } from '../parts/icon.tsx';
import type { Report } from '../check/steps.ts';

async function check(cid: string, connections: Connections | undefined, signal: AbortSignal): Promise<Report> {
  const { checkThought } = await import('../check/steps.ts');
  const place = connections?.connections.find((edge) => edge.relation === 'contains' && edge.to === cid);
  return checkThought(cid, place?.cid, (name) => askText(`/thoughts/${digits(name)}`, { sealed: true }, signal));
}

export function CheckView({ cid, connections }: { cid: string; connections: Connections | undefined }) {
  const { data, error } = useAnswer(connections ? cid : undefined, (signal) => check(cid, connections, signal));
  if (error) return <p class="check"><span class="badge bad"><Icon name="alert" /> not checked</span> {error.message}</p>;
  if (!data) return <p class="check"><span class="badge">checking…</span></p>;
  const isGood = data.verdict === 'consistent';
  const failed = data.steps.filter((step) => !step.holds).length;
  return (
    <details class="check" open={!isGood}>
      <summary>
        <span class={isGood ? 'badge good' : 'badge bad'}><Icon name={isGood ? 'check' : 'alert'} /> {data.verdict}</span>
        <span class="quiet">{isGood ? `checked in this browser, ${plural(data.steps.length, 'step')}` : `${plural(failed, 'step')} of ${data.steps.length} failed: this thought, or what signs it, was changed`}</span>
      </summary>
      <ol class="steps">
        {data.steps.map((step, at) => (
          <li key={at} class={step.holds ? 'holds' : 'fails'}><Icon name={step.holds ? 'check' : 'cross'} label={step.holds ? 'holds' : 'fails'} /> <b>{step.name}</b> {step.detail}</li>
        ))}
      </ol>
      <p class="quiet">“Consistent” means: hashes and signatures hold among themselves. Whose key it is, and whether newer commits were cut off, only <code>weft verify</code> with your keyring can say.</p>
    </details>
  );
}
