// All sessions, newest first, under the day of their last change. Filters are in the URL, so that a list can be kept as
// a link; going back shows the list as it was.
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { refreshed, useGrown } from '../data/live.ts';
import { ask, AnswerError } from '../data/server.ts';
import { keep, keptBefore, place, setQuery } from '../data/state.ts';
import type { Conversation, Forgotten } from '../data/types.ts';
import { useAnswer } from '../data/use_answer.ts';
import { count, dayName, dayOf, plural } from '../model/format.ts';
import { oneLine } from '../model/signs.ts';
import { Icon } from '../parts/icon.tsx';
import { Nothing, Notes, Problem, Waiting } from '../parts/states.tsx';
import { useListControl, VirtualList } from '../parts/virtual_list.tsx';
import { SessionRow, TombstoneRow } from './session_row.tsx';

const kFilters = ['project', 'format', 'since', 'title'] as const;
const kPage = 100;

interface Listed { rows: Conversation[]; total: number; cursor?: string; notes?: string[] }
type Item = { day: string; key: string } | { session: Conversation; key: string } | { tombstone: Forgotten; key: string };

// Rows under their days. Tombstones stand among the sessions by the time of forgetting, as far as sessions are here.
function itemsOf(rows: readonly Conversation[], tombstones: readonly Forgotten[], isWhole: boolean, now: number): Item[] {
  const oldest = isWhole ? -Infinity : rows.at(-1)?.updated_at ?? Infinity;
  const all = [...rows.map((session) => ({ time: session.updated_at, item: { session, key: session.cid } as Item })),
    ...tombstones.filter((row) => row.created_at >= oldest).map((tombstone) => ({ time: tombstone.created_at, item: { tombstone, key: tombstone.cid } as Item }))];
  const items: Item[] = [];
  let day = '';
  for (const { time, item } of all.sort((a, b) => b.time - a.time)) {
    if (dayOf(time) !== day) {
      day = dayOf(time);
      items.push({ day: dayName(time, now), key: `day ${day}` });
    }
    items.push(item);
  }
  return items;
}

function Filters({ total }: { total: number | undefined }) {
  const { query } = place.value;
  const [title, setTitle] = useState(query.get('title') ?? '');
  const chips = kFilters.filter((name) => name !== 'title' && query.has(name));
  const spans = [['today', 'today'], ['7d', '7 days'], ['30d', '30 days']] as const;
  return (
    <div class="filters">
      <label class="field"><Icon name="search" /><span class="hidden">title contains</span>
        <input type="search" placeholder="Title contains" value={title} onInput={(event) => { setTitle(event.currentTarget.value); setQuery({ title: event.currentTarget.value }); }} /></label>
      {chips.map((name) => (
        <button key={name} type="button" class="chip" onClick={() => setQuery({ [name]: null })} title={`remove the filter ${name}`}>
          {name}: {oneLine(query.get(name)!, 40)} <Icon name="cross" label="remove" />
        </button>
      ))}
      {!query.has('since') && spans.map(([value, name]) => <button key={value} type="button" class="chip quiet" onClick={() => setQuery({ since: value })}>{name}</button>)}
      <span class="quiet" role="status">{total === undefined ? '' : plural(total, 'session')}</span>
    </div>
  );
}

export function SessionsScreen() {
  const { query } = place.value;
  const filters = useMemo(() => Object.fromEntries(kFilters.map((name) => [name, query.get(name) ?? undefined])) as { [name in typeof kFilters[number]]: string | undefined }, [kFilters.map((name) => query.get(name)).join('\n')]);
  const key = JSON.stringify(filters);
  const [listed, setListed] = useState<Listed | undefined>(() => keptBefore<Listed>(`list ${key}`));
  const [error, setError] = useState<AnswerError | undefined>(undefined);
  const [live, setLive] = useState<ReadonlySet<string>>(new Set());
  const asking = useRef<AbortController | undefined>(undefined);
  const { control, range } = useListControl(() => keep('top', control.topRow()));

  const load = useCallback(async (cursor: string | undefined, before: Conversation[]) => {
    asking.current?.abort();
    const abort = new AbortController();
    asking.current = abort;
    try {
      const answer = await ask('/api/conversations', { ...filters, fold: true, limit: kPage, cursor }, abort.signal);
      if (abort.signal.aborted) return;
      const known = new Set(before.map((row) => row.cid));
      const next = { rows: [...before, ...answer.conversations.filter((row) => !known.has(row.cid))], total: answer.total, cursor: answer.next_cursor, notes: answer.notes };
      keep(`list ${key}`, next);
      setListed(next);
      setError(undefined);
    } catch (failed) {
      if (!abort.signal.aborted) setError(failed as AnswerError);
    } finally {
      if (asking.current === abort) asking.current = undefined;
    }
  }, [key]);

  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current && keptBefore(`list ${key}`)) { isFirst.current = false; return; }
    isFirst.current = false;
    void load(undefined, []);
    return () => asking.current?.abort();
  }, [load]);
  useGrown(({ conversation }) => setLive((old) => (old.has(conversation) ? old : new Set(old).add(conversation))));
  const round = refreshed.value;
  const firstRound = useRef(round);
  useEffect(() => { if (round !== firstRound.current) void load(undefined, []); }, [round]);

  const isFiltered = Object.values(filters).some(Boolean);
  const forgotten = useAnswer(isFiltered ? undefined : 'forgotten', (signal) => ask('/api/forgotten', {}, signal)).data;
  const items = useMemo(() => itemsOf(listed?.rows ?? [], (!isFiltered && forgotten?.forgotten) || [], listed !== undefined && listed.cursor === undefined, Date.now()), [listed, forgotten]);
  const shownKey = useRef('');
  useEffect(() => {
    const estimate = (row: number) => (items[row] && 'day' in items[row] ? 48 : 62);
    if (shownKey.current === key && items.length > control.heights.count) control.append(items.length - control.heights.count, estimate);
    else control.reset(items.length, estimate, shownKey.current === '' ? keptBefore<number>('top') ?? 0 : 0);
    if (listed) shownKey.current = key;
  }, [items]);
  useEffect(() => {
    if (listed?.cursor && range.last >= items.length - 20 && !asking.current) void load(listed.cursor, listed.rows);
  }, [range, listed]);

  return (
    <main class="screen list-screen" id="main">
      <h1 class="hidden">Sessions</h1>
      <Filters total={listed?.total} />
      <Notes notes={listed?.notes} />
      {error && <Problem message={error.message} again={() => void load(undefined, [])} />}
      {!listed && !error && <Waiting what="the sessions" />}
      {listed && items.length === 0 && <Nothing title="No session here.">{isFiltered ? <p>No session passes these filters.</p> : <p>weft reads sessions of the agents on this machine: run <code>weft up</code>, or <code>weft ingest FILE</code>.</p>}</Nothing>}
      <VirtualList control={control} range={range} label={`sessions, ${count(listed?.total ?? 0)}`} class="sessions" keyOf={(row) => items[row]?.key ?? row}
        row={(row) => { const item = items[row]; return !item ? null : 'day' in item ? <h2 class="day">{item.day}</h2> : 'tombstone' in item ? <TombstoneRow row={item.tombstone} /> : <SessionRow row={item.session} isLive={live.has(item.session.cid)} />; }} />
    </main>
  );
}
