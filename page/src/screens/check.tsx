// The badge: a thought checked in this browser, and the steps of it. It is not the server's word: the server only
// hands out the stored bytes.
import { askText } from '../data/server.ts';
import { hello } from '../data/state.ts';
import type { Connections } from '../data/types.ts';
import { useAnswer } from '../data/use_answer.ts';
import { plural } from '../model/format.ts';
import { Icon } from '../parts/icon.tsx';
import type { Report, Verdict } from '../check/steps.ts';

async function check(cid: string, connections: Connections | undefined, signal: AbortSignal): Promise<Report> {
  const { checkThought } = await import('../check/steps.ts');
  const place = connections?.connections.find((edge) => edge.relation === 'contains' && edge.to === cid);
  return checkThought(cid, place?.cid, (name) => askText('/api/thoughts/{cid}', { cid: name, sealed: true }, signal), hello.peek()?.owner?.pubkey);
}

const kMeaning: Record<Verdict, string> = {
  valid: 'Valid: its hash, its signature and its path to a checkpoint hold, and the checkpoint is signed with the key that this server’s keyring calls the owner’s.',
  consistent: 'Consistent: hashes and signatures hold among themselves. No checkpoint of a known owner covers it: the server has no keyring, or the thought is not committed to yet.',
  foreign: 'Foreign: everything holds, and it is signed by somebody else than the owner of this web.',
  bad: 'Bad: this thought, or something that signs it, is not what was signed.',
};

// `isMasked`: the text on the screen has masks that what was checked has not.
export function CheckView({ cid, connections, isMasked = false }: { cid: string; connections: Connections | undefined; isMasked?: boolean }) {
  const { data, error } = useAnswer(connections ? cid : undefined, (signal) => check(cid, connections, signal));
  if (error) return <p class="check"><span class="badge bad"><Icon name="alert" /> not checked</span> {error.message}</p>;
  if (!data) return <p class="check"><span class="badge">checking…</span></p>;
  const isGood = data.verdict !== 'bad';
  const isSure = data.verdict === 'valid';
  const failed = data.steps.filter((step) => !step.holds).length;
  return (
    <details class="check" open={!isGood}>
      <summary>
        <span class={isSure ? 'badge good' : isGood ? 'badge' : 'badge bad'}><Icon name={isSure ? 'check' : isGood ? 'eye' : 'alert'} /> {data.verdict}</span>
        {isMasked && <span class="badge"><Icon name="closed" /> text masked</span>}
        <span class="quiet">{isGood ? `checked in this browser, ${plural(data.steps.length, 'step')}` : `${plural(failed, 'step')} of ${data.steps.length} failed: this thought, or what signs it, was changed`}</span>
      </summary>
      <ol class="steps">
        {data.steps.map((step, at) => (
          <li key={at} class={step.holds ? 'holds' : 'fails'}><Icon name={step.holds ? 'check' : 'cross'} label={step.holds ? 'holds' : 'fails'} /> <b>{step.name}</b> {step.detail}</li>
        ))}
      </ol>
      {isMasked && <p class="quiet">Secrets in the text are masked on this page. What was checked is the text without masks.</p>}
      <p class="quiet">{kMeaning[data.verdict]}{isGood && <> Whether newer commits were cut off, only <code>weft verify</code> and a head kept elsewhere can say.</>}</p>
    </details>
  );
}
