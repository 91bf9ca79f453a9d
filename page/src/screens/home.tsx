// Home: one field to search, what is going on, what was said last, and the days. Nothing here needs a walk through the
// store: the first paint is the field, the sessions come next, the figures last.
import { useEffect, useState } from 'preact/hooks';
import { useGrown } from '../data/live.ts';
import { ask, askDays } from '../data/server.ts';
import { hello, startSearch } from '../data/state.ts';
import { useAnswer } from '../data/use_answer.ts';
import { clock, count, dollars, plural } from '../model/format.ts';
import { DayColumns } from '../parts/bars.tsx';
import { Icon } from '../parts/icon.tsx';
import { Nothing, Problem } from '../parts/states.tsx';
import { SessionRow } from './session_row.tsx';

const kRecent = 12 * 60_000;

function SearchStart() {
  const [words, setWords] = useState('');
  return (
    <form class="home-search" role="search" onSubmit={(event) => { event.preventDefault(); startSearch(words); }}>
      <Icon name="search" />
      <input type="search" aria-label="search everything" placeholder="Search everything that was said and done" value={words} autocomplete="off" spellcheck={false}
        onInput={(event) => { setWords(event.currentTarget.value); }} />
    </form>
  );
}

// Today by quarters of an hour: tall where much was done, with ticks where people spoke and where tools failed.
function TodayRibbon() {
  const { data } = useAnswer('today', (signal) => ask('/api/today', {}, signal));
  if (!data) return <section class="today" aria-hidden="true" />;  // keeps its place: the lists below do not jump
  if (!data.quarters.length) return null;
  const most = Math.max(...data.quarters.map((quarter) => quarter.blocks));
  const turns = data.quarters.reduce((sum, quarter) => sum + quarter.turns, 0);
  const calls = data.quarters.reduce((sum, quarter) => sum + quarter.tool_calls, 0);
  const errors = data.quarters.reduce((sum, quarter) => sum + quarter.tool_errors, 0);
  const words = [plural(turns, 'turn'), plural(calls, 'tool call'), ...(errors ? [plural(errors, 'error')] : [])].join(', ');
  const hour = (at: number) => `${String(at).padStart(2, '0')}:00`;
  return (
    <section class="today">
      <h2>Today <span class="quiet">{words}</span></h2>
      <svg class="today-ribbon" viewBox="0 0 960 64" preserveAspectRatio="none" role="img" aria-label={`today: ${words}`}>
        {[0, 6, 12, 18].map((at) => <line key={at} class="axis" x1={at * 40} y1="0" x2={at * 40} y2="64" />)}
        {data.quarters.map((quarter) => {
          const x = (quarter.time - data.start) / 90_000;
          const tall = 4 + Math.sqrt(quarter.blocks / most) * 48;
          return (
            <g key={quarter.time}>
              <title>{`${clock(quarter.time)}: ${plural(quarter.blocks, 'block')}, ${plural(quarter.tool_calls, 'tool call')}`}</title>
              <rect class="column" x={x + 1} y={58 - tall} width="8" height={tall} />
              <rect class="column second" x={x + 1} y={58 - tall * quarter.tool_calls / Math.max(1, quarter.blocks)} width="8" height={tall * quarter.tool_calls / Math.max(1, quarter.blocks)} />
              {quarter.turns > 0 && <rect class="spoke" x={x + 1} y="59" width="8" height="2" />}
              {quarter.tool_errors > 0 && <rect class="failed" x={x + 1} y="62" width="8" height="2" />}
            </g>
          );
        })}
      </svg>
      <p class="today-hours" aria-hidden="true">{[0, 6, 12, 18].map((at) => <span key={at}>{hour(at)}</span>)}</p>
    </section>
  );
}

function Activity() {
  const days = useAnswer('days', askDays);
  const cost = useAnswer('cost day', (signal) => ask('/api/cost', { by: 'day' }, signal));
  if (!days.data?.days.length) return null;
  const prices = new Map(cost.data?.rows.map((row) => [row.key, row.cost]) ?? []);
  const shown = days.data.days.slice(-90);
  const total = shown.reduce((sum, day) => sum + (prices.get(day.day) ?? 0), 0);
  return (
    <section class="activity">
      <h2>Days <span class="quiet">{plural(shown.length, 'active day')}{total > 0 && `, ${dollars(total)}`}</span> <a class="side" href="/stats">figures</a></h2>
      <DayColumns label="blocks by day, tool calls darker" days={shown.map((day) => ({ day: day.day, value: day.block_count, second: day.tool_calls, title: `${day.day}: ${count(day.block_count)} blocks${prices.get(day.day) ? `, ${dollars(prices.get(day.day)!)}` : ''}` }))} />
    </section>
  );
}

export function HomeScreen() {
  const list = useAnswer('home', (signal) => ask('/api/conversations', { limit: 12, fold: true }, signal));
  const [live, setLive] = useState<ReadonlySet<string>>(new Set());
  useGrown(({ conversation }) => setLive((old) => (old.has(conversation) ? old : new Set(old).add(conversation))));
  // A session that is not listed and grows belongs on top; one that is listed only pulses.
  useEffect(() => {
    if ([...live].some((cid) => !list.data?.conversations.some((row) => row.cid === cid))) list.again();
  }, [live]);
  const rows = list.data?.conversations ?? [];
  const now = Date.now();
  const running = rows.filter((row) => live.has(row.cid) || now - row.updated_at < kRecent);
  const others = rows.filter((row) => !running.includes(row));
  return (
    <main class="screen home" id="main">
      <h1 class="hidden">weft</h1>
      <SearchStart />
      {hello.value && <p class="home-counts quiet">{plural(hello.value.conversations, 'conversation')}, {plural(hello.value.blocks, 'block')}, every one signed{hello.value.keys === 'content' ? '' : hello.value.keys === 'metadata' ? '; reasoning stays sealed, summaries are open' : '; sealed text stays closed: the server has no keys'}</p>}
      {hello.value && hello.value.blocks > 0 && <TodayRibbon />}
      {list.error && <Problem message={list.error.message} again={list.again} />}
      {running.length > 0 && <section><h2>Going on</h2><ul class="plain-list">{running.map((row) => <li key={row.cid}><SessionRow row={row} isLive withDay /></li>)}</ul></section>}
      {others.length > 0 && <section><h2>Last sessions <a class="side" href="/sessions">all {list.data ? count(list.data.total) : ''}</a></h2><ul class="plain-list">{others.map((row) => <li key={row.cid}><SessionRow row={row} withDay /></li>)}</ul></section>}
      {list.data?.total === 0 && <Nothing title="Nothing here yet."><p>Run <code>weft up</code> to read the agents’ sessions on this machine, or <code>weft ingest FILE</code> for one file. They appear here as they are read.</p></Nothing>}
      <Activity />
    </main>
  );
}
