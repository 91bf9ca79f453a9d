// What one conversation has to do with another: pictures and paths through subagents, subagents read in place, what
// was forgotten, and the figures of today.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Home, Watched, hasBrowser, launch, readerIsReady, serve, shows } from './harness.mjs';
import { Session, writePlain } from './transcripts.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
const fixtures = join(dirname(fileURLToPath(import.meta.url)), '..', 'fixtures', 'claude_code');
const kGarden = '5f0c1a52-94d1-4c0e-8a55-0d1f6f6a7c01';  // the session that the fixtures are of
let home, server, browser, rows, call, inner, outer;
const blocksOf = (cid) => home.json('walk', cid, '--from', '0', '--limit', '200').blocks;
before(async () => {
  if (skip) return;
  home = new Home();
  mkdirSync(home.path(`in/${kGarden}/subagents`), { recursive: true });
  copyFileSync(join(fixtures, 'main.jsonl'), home.path(`in/${kGarden}.jsonl`));
  copyFileSync(join(fixtures, 'agent-a7d3.jsonl'), home.path(`in/${kGarden}/subagents/agent-a7d3.jsonl`));
  writePlain(home.path('in/plain.jsonl'));
  const gone = new Session(home.path('in/gone.jsonl'), { id: '77777777-aaaa-4aaa-8aaa-777777777777' });
  gone.says('Forget the tide tables.').answers('They are noted.');
  const now = new Session(home.path('in/now.jsonl'), { id: '88888888-aaaa-4aaa-8aaa-888888888888', start: Math.max(Date.now() - 60_000, new Date().setUTCHours(0, 0, 0, 0)) });
  now.says('What is on today?').runs('Bash', { command: 'date' }, 'no such command', true).answers('Nothing.');
  home.run('ingest', home.path('in'));
  home.run('forget', home.json('list').conversations.find((row) => row.session_id.startsWith('7777')).cid, '--yes');
  rows = home.json('list').conversations;
  const parent = rows.find((row) => row.source === 'primary' && row.session_id === kGarden);
  const child = rows.find((row) => row.source !== 'primary');
  outer = parent.cid.slice(11);
  inner = blocksOf(child.cid)[0].cid.slice(11);
  call = blocksOf(parent.cid).find((block) => home.json('connections', block.cid).connections.some((edge) => edge.relation === 'spawns' && edge.from === block.cid));
  server = await serve(home);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  home?.remove();
});

test('a neighbourhood is drawn in layers, across a subagent, and its boxes are links', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open(`/t/${inner}?view=why`);
  await page.click('text=Picture');
  await page.waitForSelector('.graph .box >> nth=2');
  await shows(page, '.graph .edge.join text', /spawns/);
  const boxes = await page.locator('.graph .box rect').evaluateAll((all) => all.map((box) => box.getBoundingClientRect().toJSON()));
  boxes.forEach((one, at) => boxes.slice(at + 1).forEach((other) => assert.ok(one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top, 'boxes overlap')));
  await page.focus('.graph .box:not(.start)');
  await page.keyboard.press('Enter');
  await page.waitForFunction((old) => !location.pathname.includes(old), inner);
  await page.waitForSelector('.thought-screen');
  await watched.close();
});

test('a path between two thoughts is found from either side, and its absence is said', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open(`/t/${inner}?view=why`);
  const ask = async (name) => {
    await page.fill('.path-form input', name);
    await page.click('.path-form button');
  };
  await ask(call.cid);
  await shows(page, '.path-form [role=status]', /This rests on it, through 1 step/);
  await shows(page, '.path-form .badge', /spawns/);
  const apart = rows.find((row) => row.session_id.startsWith('8888'));
  await ask(`${server.url}/t/${blocksOf(apart.cid)[0].cid.slice(11)}`);
  await shows(page, '.path-form [role=status]', /Neither rests on the other/);
  await watched.close();
});

test('a subagent is read in its place, and beside', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open(`/c/${outer}?level=3&at=${call.ordinal}`);
  await readerIsReady(page);
  await page.click('.spawned >> text=read here');
  await page.waitForSelector('.inner-reader .entry .line');
  await page.click('.spawned >> text=read beside');
  await page.waitForSelector('.beside .entry .line');
  const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map((element) => element.id));
  assert.equal(new Set(ids).size, ids.length, 'two elements have one id');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.beside', { state: 'detached' });
  await watched.close();
});

test('the list has signed tombstones of what was forgotten', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open('/sessions');
  await page.waitForSelector('.session.tombstone');
  await shows(page, '.session.tombstone', /Forgotten: 1 conversation.*thoughts removed.*signed by you/s);
  assert.doesNotMatch(await page.textContent('main'), /tide tables/);
  await page.click('.session.tombstone');
  await page.waitForSelector('.check .badge');
  await watched.close();
});

test('home has today in quarters of an hour; the licences of works inside are a screen', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open('/');
  await page.waitForSelector('.today-ribbon .failed');
  await shows(page, '.today h2', /1 tool call, 1 error/);
  await page.goto(`${server.url}/licences`);
  await page.waitForSelector('.licences');
  await shows(page, '.licences', /diff.*preact/s);
  await watched.close();
});

test('d goes to the next change of a file, [ and ] to the sessions beside this one', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const plain = rows.find((row) => row.session_id.startsWith('1111') && row.cwd === '/home/ada/harbour').cid.slice(11);
  const page = await watched.open(`/c/${plain}`);
  await readerIsReady(page);
  await page.keyboard.press('d');
  await page.waitForSelector('.entry.current .diff-added');
  const order = home.json('list', '--fold').conversations.map((row) => row.cid.slice(11));
  const next = order[order.indexOf(plain) + 1] ?? order[order.indexOf(plain) - 1];
  await page.keyboard.press(order[order.indexOf(plain) + 1] ? ']' : '[');
  await page.waitForFunction((cid) => location.pathname.endsWith(cid), next);
  await watched.close();
});
