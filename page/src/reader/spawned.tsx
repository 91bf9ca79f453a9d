// The conversation that a call started: a subagent, by the edge from this very call. It can be read here, beside, or alone.
import { useState } from 'preact/hooks';
import { ask } from '../data/server.ts';
import type { Conversation } from '../data/types.ts';
import { useAnswer } from '../data/use_answer.ts';
import { digits, plural } from '../model/format.ts';
import { oneLine } from '../model/signs.ts';
import { Icon } from '../parts/icon.tsx';
import { InnerReader } from './beside.tsx';
import type { ReaderState } from './state.ts';

async function childrenOf(cid: string, signal: AbortSignal): Promise<Conversation[]> {
  const { connections } = await ask('/api/thoughts/{cid}/connections', { cid, relation: 'spawns' }, signal);
  const spawned = connections.filter((edge) => edge.from === cid);
  return Promise.all(spawned.map((edge) => ask('/api/conversations/{conversation}', { conversation: edge.to }, signal)));
}

function Child({ state, row }: { state: ReaderState; row: Conversation }) {
  const [isHere, setHere] = useState(false);
  const isBeside = state.beside.value === row.cid;
  return (
    <li>
      <a href={`/c/${digits(row.cid)}`}><Icon name="agent" /> {oneLine(row.title ?? 'subagent', 120)}</a>
      <span class="quiet"> {plural(row.turn_count, 'turn')}, {plural(row.thought_count, 'thought')}</span>
      <button type="button" class="more" aria-expanded={isHere} onClick={() => setHere(!isHere)}>{isHere ? 'close' : 'read here'}</button>
      {!state.prefix && <button type="button" class="more" aria-pressed={isBeside} onClick={() => { state.beside.value = isBeside ? undefined : row.cid; }}>{isBeside ? 'close the pane' : 'read beside'}</button>}
      {isHere && <div class="inner-reader"><InnerReader conversation={row.cid} prefix={`${state.prefix}in-${digits(row.cid).slice(0, 8)}-`} /></div>}
    </li>
  );
}

export function Spawned({ state, cid }: { state: ReaderState; cid: string }) {
  const { data } = useAnswer(cid, (signal) => childrenOf(cid, signal));
  if (!data?.length) return null;
  return <ul class="spawned">{data.map((row) => <Child key={row.cid} state={state} row={row} />)}</ul>;
}
