// The conversation that a call started: a subagent, by the edge from this very call. It can be read here, beside, or alone.
import { useState } from 'preact/hooks';
import type { Spawned as Row } from '../data/source.ts';
import { useAnswer } from '../data/use_answer.ts';
import { digits, plural } from '../model/format.ts';
import { oneLine } from '../model/signs.ts';
import { Icon } from '../parts/icon.tsx';
import { InnerReader } from './beside.tsx';
import type { ReaderState } from './state.ts';

function Child({ state, row }: { state: ReaderState; row: Row }) {
  const [isHere, setHere] = useState(false);
  const isBeside = state.beside.value === row.cid;
  const name = <><Icon name="agent" /> {oneLine(row.title ?? 'subagent', 120)}</>;
  if (!state.source.inner(row.cid)) return <li>{name} <span class="quiet">left out of this file: {row.cid}</span></li>;
  return (
    <li>
      {state.source.isServer ? <a href={`/c/${digits(row.cid)}`}>{name}</a> : name}
      <span class="quiet"> {plural(row.turn_count ?? 0, 'turn')}, {plural(row.thought_count ?? 0, 'thought')}</span>
      <button type="button" class="more" aria-expanded={isHere} onClick={() => setHere(!isHere)}>{isHere ? 'close' : 'read here'}</button>
      {!state.prefix && <button type="button" class="more" aria-pressed={isBeside} onClick={() => { state.beside.value = isBeside ? undefined : row.cid; }}>{isBeside ? 'close the pane' : 'read beside'}</button>}
      {isHere && <div class="inner-reader"><InnerReader state={state} conversation={row.cid} prefix={`${state.prefix}in-${digits(row.cid).slice(0, 8)}-`} /></div>}
    </li>
  );
}

export function Spawned({ state, cid }: { state: ReaderState; cid: string }) {
  const { data } = useAnswer(cid, (signal) => state.source.spawned(cid, signal));
  if (!data?.length) return null;
  return <ul class="spawned">{data.map((row) => <Child key={row.cid} state={state} row={row} />)}</ul>;
}
