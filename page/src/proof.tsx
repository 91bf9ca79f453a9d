// proof.html: a proof that checks and shows itself, without a server and without a request. The check is that of
// docs/verify; nothing of the proof is shown before it is made, and nothing but what the file holds.
import { render } from 'preact';
import { verifyShown } from '../../docs/verify/proof.mjs';
import { digits, fullTime, isoTime, kindName, kindOf, plural, shortCid } from './model/format.ts';
import { oneLine, visible } from './model/signs.ts';

type Exact = null | boolean | number | bigint | string | Exact[] | Map<string, Exact>;
interface Thought { cid: string; type: string; kind: string; content: Map<string, Exact>; created_by: string; created_at: bigint; because: Map<string, Exact>[] }
interface Stub { cid: string; created_by: string }
interface Shown { thoughts: Thought[]; stubs: Stub[] }
interface Report {
  ok: boolean; bad: { cid?: string; reason: string }[]; selection?: string; subject?: string;
  owner?: { cid: string; name: string; pubkey: string }; whole?: number; sealed?: number; stubs?: number; edges?: number; checkpoints?: number; proof?: Shown;
}

const kStructure = ['identity', 'schema', 'connection', 'checkpoint', 'conversation', 'turn', 'tombstone'];
const idOf = (cid: string) => `t-${digits(cid)}`;

function plain(value: Exact): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, item]) => [name, plain(item)]));
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'bigint' ? Number(value) : value;
}

// The words of a thought, or all of it as JSON.
function textOf({ content }: Thought): string {
  for (const name of ['text', 'result_text', 'summary', 'reasoning']) {
    const text = content.get(name);
    if (typeof text === 'string') return text;
  }
  const open = new Map([...content].filter(([name]) => name !== '$layers'));
  return open.size === 0 ? '' : JSON.stringify(plain(open), null, 2);
}

function Link({ cid, stubs }: { cid: string; stubs: Set<string> }) {
  return <a href={`#${idOf(cid)}`} title={cid}>{shortCid(cid)}{stubs.has(cid) ? ' (a stub)' : ''}</a>;
}

function Card({ thought, by, isSubject, stubs }: { thought: Thought; by: string; isSubject: boolean; stubs: Set<string> }) {
  const isSealed = thought.content.has('$layers');
  const text = textOf(thought);
  const time = Number(thought.created_at);
  const causes = thought.because.map((ref) => String(ref.get('thought_cid')));
  return (
    <article id={idOf(thought.cid)} class={isSubject ? 'subject' : ''}>
      <h2>{kindName(kindOf(thought.type))} <span class="by">{oneLine(by, 80)}</span> <time dateTime={isoTime(time)}>{fullTime(time)}</time></h2>
      {text && <pre>{visible(text)}</pre>}
      {isSealed && <p class="quiet">Sealed{text ? ' in part' : ''}: it is signed as it stands here, and this file does not open it.</p>}
      <p class="names"><span class="cid">{thought.cid}</span>{causes.length > 0 && <> because of {causes.map((cid, at) => <>{at > 0 && ', '}<Link key={cid} cid={cid} stubs={stubs} /></>)}</>}</p>
    </article>
  );
}

function Stubs({ proof, nameOf }: { proof: Shown; nameOf: (cid: string) => string }) {
  if (proof.stubs.length === 0) return null;
  const edges = proof.thoughts.filter(({ kind, content }) => kind === 'connection' && content.get('relation') === 'causes');
  return (
    <section>
      <h2>Stubs</h2>
      <p class="quiet">Of these the file shows who signed them, and what they led to. A short text can be guessed and confirmed.</p>
      {proof.stubs.map(({ cid, created_by: by }) => {
        const led = edges.filter(({ content }) => content.get('from') === cid).map(({ content }) => String(content.get('to')));
        return <article id={idOf(cid)} class="stub" key={cid}><p><span class="cid">{cid}</span> signed by {oneLine(nameOf(by), 80)}{led.length > 0 && <>, led to {led.map((to, at) => <>{at > 0 && ', '}<a href={`#${idOf(to)}`}>{shortCid(to)}</a></>)}</>}</p></article>;
      })}
    </section>
  );
}

function Page({ report }: { report: Report }) {
  const { ok, bad, owner, proof } = report;
  const names = new Map(proof?.thoughts.filter(({ kind }) => kind === 'identity').map(({ cid, content }) => [cid, String(content.get('name'))]));
  const nameOf = (cid: string) => names.get(cid) ?? 'unknown';
  const shown = (proof?.thoughts ?? []).filter(({ kind }) => !kStructure.includes(kind))
    .sort((a, b) => (a.created_at === b.created_at ? (a.cid === report.subject ? 1 : -1) : a.created_at < b.created_at ? -1 : 1));
  const stubs = new Set(proof?.stubs.map(({ cid }) => cid));
  return (
    <>
      <div class={ok ? 'verdict good' : 'verdict bad'} role="status">
        <h1>{ok ? 'Holds' : 'Does not hold'}</h1>
        {ok && <p>{plural(report.whole!, 'thought')} whole, {report.sealed} sealed, {plural(report.stubs!, 'stub')}; {plural(report.edges!, 'edge')}, {plural(report.checkpoints!, 'checkpoint')}: every hash, signature and path was computed in this browser.</p>}
        {bad.length > 0 && <ul>{bad.slice(0, 50).map(({ cid, reason }, at) => <li key={at}>{cid && <span class="cid">{shortCid(cid)} </span>}{visible(reason)}</li>)}</ul>}
        {ok && owner && <p>Owner <b>{oneLine(owner.name, 80)}</b>, key <span class="cid">{owner.pubkey}</span>. Compare it with a key that you have from them: a key in a file proves nothing by itself.</p>}
        {ok && <p>{report.selection === 'signed' ? 'The selection is signed by the owner.' : 'Unsigned selection: each thought holds, and whoever made this file chose which ones to show.'}</p>}
        <p class="quiet">Not proven: that nothing else was said, that a model said it, or when; that this page was not changed (<code>weft verify</code> of this file says so).</p>
      </div>
      {ok && proof && (
        <main>
          {shown.map((thought) => <Card key={thought.cid} thought={thought} by={nameOf(thought.created_by)} isSubject={thought.cid === report.subject} stubs={stubs} />)}
          <Stubs proof={proof} nameOf={nameOf} />
        </main>
      )}
    </>
  );
}

const envelope = document.getElementById('weft-proof')?.textContent ?? '';
render(<Page report={verifyShown(envelope) as Report} />, document.getElementById('page')!);
