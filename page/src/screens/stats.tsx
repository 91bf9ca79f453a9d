// Figures: what was done, how long it took, what it cost; by day, model, tool and project. Each chart has its table.
import { useState } from 'preact/hooks';
import { ask, askDays, askStats } from '../data/server.ts';
import { place, setQuery } from '../data/state.ts';
import type { Cost, CostRow, Days, Stats } from '../data/types.ts';
import { useAnswer } from '../data/use_answer.ts';
import { count, dollars, duration, kindName, kindOf, short } from '../model/format.ts';
import { oneLine } from '../model/signs.ts';
import { BarTable, DayColumns, Figure, type Bar } from '../parts/bars.tsx';
import { Notes, Problem, Waiting } from '../parts/states.tsx';

function top(counts: Record<string, number>, nameOf: (name: string) => string = (name) => oneLine(name, 40), most = 12): Bar[] {
  const merged = new Map<string, number>();
  for (const [name, value] of Object.entries(counts)) merged.set(nameOf(name), (merged.get(nameOf(name)) ?? 0) + value);
  const sorted = [...merged].sort((a, b) => b[1] - a[1]);
  const bars = sorted.slice(0, most).map(([name, value]) => ({ name, value, shown: count(value) }));
  const rest = sorted.slice(most).reduce((sum, [, value]) => sum + value, 0);
  return rest > 0 ? [...bars, { name: `${sorted.length - most} others`, value: rest, shown: count(rest) }] : bars;
}

function Totals({ stats }: { stats: Stats }) {
  const tokens = stats.tokens;
  return (
    <dl class="figures">
      <Figure name="Conversations" value={count(stats.conversations)} />
      <Figure name="Turns" value={count(stats.turn_count)} />
      <Figure name="Tool calls" value={count(stats.tool_calls)}>{stats.tool_errors ? `${count(stats.tool_errors)} failed` : ''}</Figure>
      <Figure name="Tools ran for" value={duration(stats.tool_ms) || 'unknown'} />
      <Figure name="Waited for people" value={duration(stats.waiting_ms) || 'unknown'} />
      <Figure name="Tokens out" value={short(tokens.output ?? 0)}>{`${short((tokens.input ?? 0) + (tokens.cache_read ?? 0) + (tokens.cache_write ?? 0))} in`}</Figure>
    </dl>
  );
}

function ByDay({ days }: { days: Days }) {
  const [isTable, setTable] = useState(false);
  const shown = days.days.slice(-120);
  return (
    <section>
      <h2>By day <button type="button" class="chip quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>{isTable ? 'chart' : 'table'}</button></h2>
      {!isTable && <DayColumns label={`blocks by day, tool calls darker, zone ${days.zone}`} days={shown.map((day) => ({ day: day.day, value: day.block_count, second: day.tool_calls, title: `${day.day}: ${count(day.block_count)} blocks, ${count(day.tool_calls)} tool calls` }))} />}
      {isTable && (
        <div class="table-box" tabIndex={0} role="region" aria-label="figures by day">
          <table class="plain-table">
            <thead><tr><th>Day</th><th class="figure">Turns</th><th class="figure">Blocks</th><th class="figure">Calls</th><th class="figure">Failed</th><th class="figure">Tools ran</th></tr></thead>
            <tbody>{[...shown].reverse().map((day) => <tr key={day.day}><th scope="row">{day.day}</th><td class="figure">{count(day.turn_count)}</td><td class="figure">{count(day.block_count)}</td><td class="figure">{count(day.tool_calls)}</td><td class="figure">{count(day.tool_errors)}</td><td class="figure">{duration(day.tool_ms)}</td></tr>)}</tbody>
          </table>
        </div>
      )}
    </section>
  );
}

export function StatsScreen() {
  const stats = useAnswer('stats', askStats);
  const days = useAnswer('days', askDays);
  return (
    <main class="screen stats-screen" id="main">
      <h1>Figures</h1>
      {stats.error && <Problem message={stats.error.message} again={stats.again} />}
      {!stats.data && !stats.error && <Waiting what="the figures" />}
      {stats.data && <Totals stats={stats.data} />}
      {days.data && days.data.days.length > 0 && <ByDay days={days.data} />}
      {stats.data && (
        <div class="columns">
          <section><h2>By tool</h2><BarTable label="calls by tool" columns={['tool', 'calls']} bars={top(stats.data.by_tool)} /></section>
          <section><h2>By model</h2><BarTable label="blocks by model" columns={['model', 'blocks']} bars={top(stats.data.by_model)} /></section>
          <section><h2>By kind</h2><BarTable label="blocks by kind" columns={['kind', 'blocks']} bars={top(stats.data.by_type, (type) => kindName(kindOf(type)))} /></section>
        </div>
      )}
    </main>
  );
}

const kBy = ['day', 'model', 'project', 'session'] as const;

function CostTable({ cost }: { cost: Cost }) {
  const tokensIn = (row: CostRow) => row.input + row.cache_read + row.cache_write_5m + row.cache_write_1h;
  const rows = cost.by === 'day' ? [...cost.rows].reverse() : [...cost.rows].sort((a, b) => (b.cost ?? 0) - (a.cost ?? 0));
  const most = Math.max(1e-9, ...rows.map((row) => row.cost ?? 0));
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={`cost by ${cost.by}`}>
      <table class="plain-table cost-table">
        <thead><tr><th>{cost.by[0]!.toUpperCase() + cost.by.slice(1)}</th><th class="figure">Cost</th><th><span class="hidden">share</span></th><th class="figure">Requests</th><th class="figure">In</th><th class="figure">From cache</th><th class="figure">Out</th></tr></thead>
        <tbody>
          {rows.slice(0, 300).map((row) => (
            <tr key={row.key}>
              <th scope="row" title={row.key}>{oneLine(row.title ?? row.key.replace(/^cid:blake3:/, ''), 60)}</th>
              <td class={row.cost === null ? 'figure quiet' : 'figure'}>{dollars(row.cost)}{row.cost !== null && row.unpriced_requests > 0 && <span class="quiet" title={`${row.unpriced_requests} requests of models without a price`}> +</span>}</td>
              <td class="bar-cell"><span class="bar" style={{ width: `${(row.cost ?? 0) / most * 100}%` }} /></td>
              <td class="figure">{count(row.requests)}</td><td class="figure">{short(tokensIn(row))}</td><td class="figure">{short(row.cache_read)}</td><td class="figure">{short(row.output)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function CostScreen() {
  const asked = place.value.query.get('by');
  const by = kBy.find((name) => name === asked) ?? 'day';
  const { data, error, again } = useAnswer(`cost ${by}`, (signal) => ask('/api/cost', { by }, signal));
  const sum = data?.rows.reduce((total, row) => total + (row.cost ?? 0), 0) ?? 0;
  return (
    <main class="screen stats-screen" id="main">
      <h1>Cost</h1>
      <div class="choice" role="group" aria-label="by">{kBy.map((name) => <button key={name} type="button" aria-pressed={name === by} onClick={() => setQuery({ by: name === 'day' ? null : name })}>{name}</button>)}</div>
      {error && <Problem message={error.message} again={again} />}
      {!data && !error && <Waiting what="the cost" />}
      {data && <dl class="figures"><Figure name="Altogether" value={dollars(sum)} /><Figure name="Requests" value={count(data.rows.reduce((total, row) => total + row.requests, 0))} /></dl>}
      <Notes notes={data?.notes} />
      {data && <CostTable cost={data} />}
      <p class="quiet">Prices are those of the table that weft ships or imported (<code>weft prices</code>). Requests of models without a price are counted, not priced: a + marks a cost that lacks some.</p>
    </main>
  );
}
