// How fast the page is, in a browser, against a floor in the same run: WEFT_BINARY=… node bench/page.mjs [TURNS]
//
// Generates one session of TURNS turns (20,000: 100,000 blocks) and 60 small ones, serves them, and measures in
// Chromium. The floor is a file of the same server, fetched by the same page. The bars are for a machine that does nothing
// else. On a busy one the processor time says more, that of the browser and of weft together: what is waited for is not in it.
import { readFileSync, readdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { Home, Watched, isQuiet, launch, readerIsReady, serve } from '../tests/page/harness.mjs';
import { Session, writeLong } from '../tests/page/transcripts.mjs';

const turns = Number(process.argv[2] ?? 20_000);
const kRounds = 5;
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const p95 = (values) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * 0.95))];
const results = [];
function report(what, value, bar, unit = 'ms', processor = undefined) {
  results.push({ what, value, bar, unit, processor });
  const shown = [`${what.padEnd(52)} ${value.toFixed(value < 10 ? 1 : 0).padStart(8)} ${unit.padEnd(3)}`, processor === undefined ? '' : `processor ${processor.toFixed(0).padStart(5)} ms`.padEnd(20),
    bar === undefined ? '' : `bar ${bar}${value <= bar ? '' : '   MISSED'}`];
  process.stdout.write(`${shown.join('  ').trimEnd()}\n`);
}

// Milliseconds that this process's children and theirs have computed so far: the browser and weft.
function processorTime() {
  const parents = new Map();
  const ticks = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');  // from the state on
      parents.set(name, fields[1]);
      ticks.set(name, Number(fields[11]) + Number(fields[12]));
    } catch { /* it ended */ }
  }
  const isOurs = (name) => { for (let at = parents.get(name); at; at = parents.get(at)) if (at === String(process.pid)) return true; return false; };
  return 10 * [...ticks].filter(([name]) => isOurs(name)).reduce((sum, [, value]) => sum + value, 0);
}

const home = new Home();
let server, browser;
try {
  let started = performance.now();
  writeLong(home.path('long.jsonl'), turns);
  const small = Array.from({ length: 60 }, (_, at) => new Session(home.path(`s${at}.jsonl`), { id: `9999${String(at).padStart(4, '0')}-aaaa-4aaa-8aaa-999999999999`, start: Date.UTC(2026, 9, 1, 9, at) }).says(`Small question ${at}?`).answers(`Small answer ${at}.`));
  home.run('ingest', home.path('long.jsonl'), ...small.map((session) => session.path));
  process.stdout.write(`load of the machine: ${loadavg()[0].toFixed(1)}\n${turns} turns woven in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  const rows = home.json('list').conversations;
  const long = rows.find((row) => row.session_id.startsWith('3333')).cid.slice(11);
  const count = home.json('walk', long, '--outline').count;
  server = await serve(home);
  browser = await launch();
  const watched = new Watched(browser, server.url);

  // From the start of the navigation to the frame in which `selector` is there, as the page's own clock has it.
  const opened = async (path, selector, more = 0) => {
    const times = [];
    let processor = 0;
    for (let round = 0; round < kRounds; round++) {
      const page = await watched.open('/licences');
      await isQuiet(page);
      const before = processorTime();
      await page.evaluate(([to, wanted, least]) => new Promise((resolve) => {
        const begun = performance.now();
        history.pushState({ key: String(begun) }, '', to);
        dispatchEvent(new PopStateEvent('popstate'));
        const look = () => {
          if (document.querySelectorAll(wanted).length > least) requestAnimationFrame(() => { window.__took = performance.now() - begun; resolve(); });
          else requestAnimationFrame(look);
        };
        look();
      }), [path, selector, more]);
      processor += processorTime() - before;
      times.push(await page.evaluate(() => window.__took));
      await page.close();
    }
    return { time: median(times), processor: processor / kRounds };
  };
  const reportOpened = async (what, bar, ...how) => { const { time, processor } = await opened(...how); report(what, time, bar, 'ms', processor); };

  const floorPage = await watched.open('/licences');
  await isQuiet(floorPage);
  const floor = await floorPage.evaluate(async () => {
    const times = [];
    for (let round = 0; round < 20; round++) {
      const begun = performance.now();
      await (await fetch('/?floor', { cache: 'no-store' })).text();
      await new Promise((resolve) => requestAnimationFrame(resolve));
      times.push(performance.now() - begun);
    }
    return times;
  });
  report('floor: a file of the same server, and a frame', median(floor));
  await floorPage.close();

  const first = await watched.open('/');
  await first.waitForSelector('.home-search');
  report('first content of home, from a cold start', await first.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN), 100);
  await first.close();
  await reportOpened('first 50 sessions', 200, '/sessions', '.session', 10);
  await reportOpened('first rows of the long session', 150, `/c/${long}`, '.entry .line', 3);
  await reportOpened('a link into its middle, from another screen', undefined, `/c/${long}?at=${Math.floor(count / 2)}`, '.entry.marked .line');

  const page = await watched.open(`/c/${long}?level=2`);
  await readerIsReady(page);
  await page.waitForFunction((all) => document.querySelector('.reader-head').textContent.includes(all), `${count.toLocaleString('en-GB')} blocks`, { timeout: 120_000 });
  await isQuiet(page);
  const jump = async (key, wanted) => page.evaluate(([name, selector]) => new Promise((resolve) => {
    const begun = performance.now();
    dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
    const look = () => (document.querySelector(selector) ? requestAnimationFrame(() => resolve(performance.now() - begun)) : requestAnimationFrame(look));
    look();
  }), [key, wanted]);
  const jumps = [];
  let before = processorTime();
  for (let round = 0; round < kRounds; round++) jumps.push(await jump('End', `#b${count - 1} .line`), await jump('Home', '#b0 .line'));
  report('a jump to the end or the beginning, with its blocks', p95(jumps), 100, 'ms', (processorTime() - before) / jumps.length);
  const links = [];
  before = processorTime();
  for (let round = 1; round <= kRounds; round++) {
    const at = Math.floor(count * round / (kRounds + 1));
    links.push(await page.evaluate((ordinal) => new Promise((resolve) => {
      const begun = performance.now();
      history.pushState(history.state, '', `?level=2&at=${ordinal}`);
      dispatchEvent(new PopStateEvent('popstate'));
      const look = () => (document.querySelector('.entry.marked .line') ? requestAnimationFrame(() => resolve(performance.now() - begun)) : requestAnimationFrame(look));
      requestAnimationFrame(look);
    }), at));
    await isQuiet(page);
  }
  report('a link to another block of it', p95(links), 100, 'ms', (processorTime() - before) / links.length);

  await page.evaluate(() => { window.__long = []; new PerformanceObserver((list) => window.__long.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' }); });
  await page.mouse.move(600, 500);
  for (let step = 0; step < 120; step++) { await page.mouse.wheel(0, 400); await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve))); }
  report('longest task while scrolling', Math.max(0, ...await page.evaluate(() => window.__long)), 50);
  report('elements in the document', await page.evaluate(() => document.querySelectorAll('*').length), 5000, '');
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  report('heap', metrics.find(({ name }) => name === 'JSHeapUsedSize').value / 1e6, 150, 'MB');
  await page.close();

  // From the key to the frame after its answer was read. A list that an answer does not change is painted all the same.
  const search = await watched.open('/search', { prepare: (made) => made.addInitScript(() => {
    const fetched = window.fetch;
    window.fetch = async (address, ...rest) => {
      const response = await fetched(address, ...rest);
      const read = response.json.bind(response);
      if (String(address).startsWith('/api/search')) response.json = async () => { const value = await read(); queueMicrotask(() => window.__answered?.(String(address))); return value; };
      return response;
    };
  }) });
  await isQuiet(search);
  const keys = [];
  before = processorTime();
  for (const letter of 'ordinary file question') {
    keys.push(await search.evaluate((typed) => new Promise((resolve) => {
      const field = document.querySelector('.search-field input');
      const begun = performance.now();
      const painted = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begun)));
      field.value += typed;
      if (field.value.trim().length < 2) painted();  // nothing is searched for yet
      else window.__answered = () => { window.__answered = undefined; painted(); };
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }), letter));
    await isQuiet(search);
  }
  report('key to painted results, p95', p95(keys), 50, 'ms', (processorTime() - before) / keys.length);
  await search.close();

  const live = await watched.open(`/c/${rows.find((row) => row.session_id.startsWith('99990000')).cid.slice(11)}?at=end`);
  await readerIsReady(live);
  await live.waitForSelector('.link-state.live');
  const appended = [];
  for (let round = 0; round < 10; round++) {
    small[0].says(`Again ${round}?`).answers(`Painted ${round} times.`);
    home.run('ingest', small[0].path);  // returns when it is committed
    const committed = performance.now();
    await live.waitForFunction((words) => document.body.textContent.includes(words), `Painted ${round} times.`);
    appended.push(performance.now() - committed);
  }
  report('committed line to painted, p95', p95(appended), 200);
  await watched.close();
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ blocks: count, results })}\n`);
} finally {
  await browser?.close();
  await server?.stop();
  home.remove();
}
