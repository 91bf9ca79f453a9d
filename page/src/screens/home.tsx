// Home: one field to search, what is going on, what was said last, and the days. Nothing here needs a walk through the
// store: the first paint is the field, the sessions come next, the figures last.
import { useSignalEffect } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { grown, refreshed } from '../data/live.ts';
import { ask } from '../data/server.ts';
import { go, hello } from '../data/state.ts';
import type { Conversations, Cost, Days } from '../data/types.ts';
import { useAnswer } from '../data/use_answer.ts';
import { count, dollars, plural } from '../model/format.ts';
import { DayColumns } from '../parts/bars.tsx';
import { Icon } from '../parts/icon.tsx';
import { Nothing, Problem } from '../parts/states.tsx';
import { SessionRow } from './session_row.tsx';

const kRecent = 12 * 60_000;

function SearchStart() {
  const [words, setWords] = useState('');
  return (
    <form class="home-search" role="search" onSubmit={(event) => { event.preventDefault(); go(`/search?q=${encodeURIComponent(words)}`); }}>
      <Icon name="search" />
      <input type="search" aria-label="search everything" placeholder="Search everything that was said and done" value={words} autocomplete="off" spellcheck={false}
        onInput={(event) => { setWords(event.currentTarget.value); }} />
    </form>
  );
}

function Activity() {
  const days = useAnswer('days', (signal) => ask<Days>('/stats', { by: 'day' }, signal));
  const cost = useAnswer('cost day', (signal) => ask<Cost>('/cost', { by: 'day' }, signal));
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
  const list = useAnswer(`home ${refreshed.value}`, (signal) => ask<Conversations>('/conversations', { limit: 12, fold: true }, signal));
  const [live, setLive] = useState<ReadonlySet<string>>(new Set());
  useSignalEffect(() => {
    const event = grown.value;
    if (event) setLive((old) => new Set(old).add(event.conversation));
  });
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
      {list.error && <Problem message={list.error.message} again={list.again} />}
      {running.length > 0 && <section><h2>Going on</h2><ul class="plain-list">{running.map((row) => <li key={row.cid}><SessionRow row={row} isLive withDay /></li>)}</ul></section>}
      {others.length > 0 && <section><h2>Last sessions <a class="side" href="/sessions">all {list.data ? count(list.data.total) : ''}</a></h2><ul class="plain-list">{others.map((row) => <li key={row.cid}><SessionRow row={row} withDay /></li>)}</ul></section>}
      {list.data?.total === 0 && <Nothing title="Nothing here yet."><p>Run <code>weft up</code> to read the agents’ sessions on this machine, or <code>weft ingest FILE</code> for one file. They appear here as they are read.</p></Nothing>}
      <Activity />
    </main>
  );
}
