// One thought: what it says, who made it and when, what it is joined to, where it stands, and whether it holds.
import { useState } from 'preact/hooks';
import { ask } from '../data/server.ts';
import { say } from '../data/state.ts';
import type { Connection, Thought } from '../data/types.ts';
import { useAnswer } from '../data/use_answer.ts';
import { digits, fullTime, kindName, kindOf, shortCid } from '../model/format.ts';
import { oneLine, visible } from '../model/signs.ts';
import { thinkingOf, kStateWords } from '../model/thinking.ts';
import { Code, Folded, Output } from '../parts/code.tsx';
import { Icon } from '../parts/icon.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { Masked, isHere } from '../parts/masked.tsx';
import { Problem, Waiting } from '../parts/states.tsx';
import { CheckView } from './check.tsx';
import { TraceView, type Direction } from './trace.tsx';

export function CidLink({ cid }: { cid: string }) {
  return <a class="cid" href={`/t/${digits(cid)}`} title={cid}>{shortCid(cid)}</a>;
}

function Said({ thought }: { thought: Thought }) {
  const kind = kindOf(thought.type);
  const { content } = thought;
  if (kind.includes('thinking') && kind !== 'thinking_summary') {
    const value = thinkingOf(kind, content);
    return <>{value.state !== 'open' && <p class="state">{kStateWords[value.state].why}</p>}{value.text && <Markdown text={value.text} />}</>;
  }
  if (kind === 'tool_result' && typeof content.result_text === 'string') {
    const text = content.result_text;
    return <Folded text={text} whole={text.length} more={() => {}} render={(shown) => <Output text={shown} isError={content.is_error === true} />} />;
  }
  if (typeof content.text === 'string') {
    const text = content.text;
    return <Folded text={text} whole={text.length} more={() => {}} isOpen={text.length < 6000} render={(shown) => (kind === 'response' || kind === 'summary' ? <Markdown text={shown} /> : <div class="plain">{visible(shown)}</div>)} />;
  }
  const text = JSON.stringify(content, null, 2);
  return <Folded text={text} whole={text.length} more={() => {}} render={(shown) => <Code text={shown} language="json" />} />;
}

function Places({ cid }: { cid: string }) {
  const { data } = useAnswer(cid, (signal) => ask('/api/thoughts/{cid}/places', { cid }, signal));
  if (!data?.places.length) return null;
  return (
    <section>
      <h3>{data.places.length === 1 ? 'Stands in' : `Stands in ${data.places.length} conversations`}</h3>
      <ul class="places">
        {data.places.map((row) => (
          <li key={row.cid}><a href={`/c/${digits(row.cid)}${row.ordinal !== null ? `?at=${row.ordinal}` : row.ordinal_in_all !== undefined ? `?all=true&at=${row.ordinal_in_all}` : ''}`}>{oneLine(row.title ?? 'Untitled', 120)}</a>{row.project && <span class="quiet"> {oneLine(row.project, 40)}</span>}</li>
        ))}
      </ul>
    </section>
  );
}

function Edges({ cid, connections }: { cid: string; connections: Connection[] }) {
  if (connections.length === 0) return <p class="quiet">No connections.</p>;
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="connections">
      <table class="plain-table">
        <thead><tr><th>Relation</th><th>Direction</th><th>Thought</th><th>Label</th></tr></thead>
        <tbody>
          {connections.slice(0, 200).map((edge) => (
            <tr key={edge.cid}><td>{oneLine(edge.relation, 40)}</td><td>{edge.from === cid ? 'to' : 'from'}</td><td><CidLink cid={edge.from === cid ? edge.to : edge.from} /></td><td>{edge.label ? oneLine(edge.label, 80) : ''}</td></tr>
          ))}
        </tbody>
      </table>
      {connections.length > 200 && <p class="quiet">and {connections.length - 200} more</p>}
    </div>
  );
}

// What is signed has no masks: where it has secrets, it is shown when asked for.
function Stored({ cid }: { cid: string }) {
  const [isAsked, setAsked] = useState(false);
  const { data: shown } = useAnswer(`thought ${cid}`, (signal) => ask('/api/thoughts/{cid}', { cid }, signal));
  const isClear = shown !== undefined && (!shown.masked || isAsked);
  const { data, error } = useAnswer(isClear ? `stored ${cid}` : undefined, (signal) => ask('/api/thoughts/{cid}', { cid, sealed: true }, signal));
  if (shown?.masked && !isAsked) return <><p class="quiet">What is stored and signed has no masks.</p><Masked secrets={shown.masked} isShown={false} toggle={() => setAsked(true)} /></>;
  if (error) return <Problem message={error.message} />;
  if (!data) return <Waiting what="the stored form" />;
  const text = JSON.stringify(data, null, 2);
  return <Folded text={text} whole={text.length} more={() => {}} isOpen={text.length < 20_000} render={(shown) => <Code text={shown} language="json" />} />;
}

export function ThoughtFacts({ cid }: { cid: string }) {
  const { data: thought, error, again } = useAnswer(`thought ${cid}`, (signal) => ask('/api/thoughts/{cid}', { cid }, signal));
  const [isShown, setShown] = useState(false);
  const { data: revealed } = useAnswer(isShown && isHere ? `revealed ${cid}` : undefined, (signal) => ask('/api/thoughts/{cid}', { cid, reveal: true }, signal));
  const { data: connections } = useAnswer(`edges ${cid}`, (signal) => ask('/api/thoughts/{cid}/connections', { cid }, signal));
  const { data: creator } = useAnswer(thought && `creator ${thought.created_by}`, (signal) => ask('/api/thoughts/{cid}', { cid: thought!.created_by }, signal));
  if (error) return <Problem message={error.message} again={again} />;
  if (!thought) return <Waiting what="the thought" />;
  const copy = () => { void navigator.clipboard.writeText(thought.cid).then(() => say('copied the CID'), () => say('the browser did not let the page copy')); };
  return (
    <div class="thought">
      <CheckView cid={thought.cid} connections={connections} isMasked={Boolean(thought.masked)} />
      <dl class="identity">
        <dt>Kind</dt><dd>{kindName(kindOf(thought.type))} <span class="quiet">{oneLine(thought.type, 60)}</span></dd>
        <dt>Made by</dt><dd>{creator && typeof creator.content.name === 'string' ? oneLine(creator.content.name, 80) : ''} <CidLink cid={thought.created_by} />{creator?.content.provenance === 'claimed' && <span class="quiet"> claimed: signed in its name by the owner</span>}</dd>
        <dt>Made at</dt><dd>{fullTime(thought.created_at)}</dd>
        <dt>CID</dt><dd><code class="whole-cid">{thought.cid}</code> <button type="button" class="tool-button" title="copy the CID" onClick={copy}><Icon name="copy" label="copy the CID" /></button></dd>
        {thought.because.length > 0 && <><dt>Because of</dt><dd>{thought.because.slice(0, 20).map((reference, at) => <span key={at}><CidLink cid={reference.thought_cid} /> </span>)}{thought.because.length > 20 && `and ${thought.because.length - 20} more`}</dd></>}
      </dl>
      <Places cid={thought.cid} />
      <section>
        <h3>Content</h3>
        <Masked secrets={thought.masked ?? []} isShown={isShown} toggle={() => setShown(!isShown)} />
        <Said thought={(isShown && revealed) || thought} />
      </section>
      <section><h3>Connections</h3>{connections ? <Edges cid={thought.cid} connections={connections.connections} /> : <Waiting what="connections" />}</section>
    </div>
  );
}

export type ThoughtTab = 'thought' | Direction | 'stored';
export const kTabs: { tab: ThoughtTab; name: string }[] = [
  { tab: 'thought', name: 'Thought' }, { tab: 'why', name: 'Why' }, { tab: 'effects', name: 'What came of it' }, { tab: 'stored', name: 'As stored' },
];

export function ThoughtTabs({ cid, first }: { cid: string; first: ThoughtTab }) {
  const [chosen, setChosen] = useState<{ cid: string; first: ThoughtTab; tab: ThoughtTab }>({ cid, first, tab: first });
  const tab = chosen.cid === cid && chosen.first === first ? chosen.tab : first;
  const choose = (next: ThoughtTab) => setChosen({ cid, first, tab: next });
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const next = kTabs[(kTabs.findIndex((item) => item.tab === tab) + by + kTabs.length) % kTabs.length]!.tab;
    choose(next);
    requestAnimationFrame(() => document.getElementById(`tab-${next}`)?.focus());
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label="views of this thought" onKeyDown={onKey}>
        {kTabs.map((item) => (
          <button key={item.tab} id={`tab-${item.tab}`} type="button" role="tab" aria-selected={tab === item.tab} aria-controls="tab-panel" tabIndex={tab === item.tab ? 0 : -1} onClick={() => choose(item.tab)}>{item.name}</button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'thought' && <ThoughtFacts key={cid} cid={cid} />}
        {(tab === 'why' || tab === 'effects') && <TraceView key={cid + tab} cid={cid} direction={tab} />}
        {tab === 'stored' && <Stored key={cid} cid={cid} />}
      </div>
    </div>
  );
}

export function ThoughtScreen({ cid, tab }: { cid: string; tab: ThoughtTab }) {
  return <main class="screen thought-screen" id="main"><h1>Thought <span class="cid">{digits(cid).slice(0, 12)}</span></h1><ThoughtTabs cid={cid} first={tab} /></main>;
}
