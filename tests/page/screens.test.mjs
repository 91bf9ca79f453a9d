// Every screen in every state opens, says what it should, passes axe and does not scroll sideways: in every theme, wide and
// narrow. ./test takes each screen once, ./test long in every look.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { Home, Watched, hasBrowser, isLong, isQuiet, launch, readerIsReady, serve, shows } from './harness.mjs';
import { Session, writePlain } from './transcripts.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const kTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const skip = hasBrowser ? false : 'no browser: install chromium';

const kName = 'weft.localhost';  // a name of this machine that --host allows: who uses it needs the token
let home, empty, servers, browser, conversation, answer, tombstone;
before(async () => {
  if (skip) return;
  home = new Home();
  empty = new Home();
  writePlain(home.path('session.jsonl'));
  new Session(home.path('gone.jsonl'), { id: '77777777-aaaa-4aaa-8aaa-777777777777' }).says('Forget the tide tables.').answers('They are noted.');
  home.run('ingest', home.path('session.jsonl'), home.path('gone.jsonl'));
  home.run('forget', home.json('list').conversations.find((row) => row.session_id.startsWith('7777')).cid, '--yes');
  home.run('keys', 'export', '--layer', 'metadata', '--out', home.path('metadata.json'));
  conversation = home.json('list').conversations[0].cid.slice(11);
  answer = home.json('walk', conversation, '--from', '0', '--limit', '50').blocks.find((block) => block.type.endsWith('/response')).cid.slice(11);
  servers = { full: await serve(home, { args: ['--host', kName] }), sealed: await serve(home, { args: ['--keys', home.path('metadata.json')] }), empty: await serve(empty) };
  tombstone = (await (await fetch(`${servers.full.url}/api/forgotten`)).json()).forgotten[0].cid.slice(11);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  for (const server of Object.values(servers ?? {})) await server.stop();
  home?.remove();
  empty?.remove();
});

const kGone = [/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE/];
// The same thought from a server that changed a word of its stored form.
const tamper = (page) => page.route((url) => url.search.includes('sealed=true') && url.pathname.includes(answer.slice(0, 20)), async (route) => {
  const response = await route.fetch();
  await route.fulfill({ response, body: (await response.text()).replace('ferry', 'berry') });
});

// Every screen in every state that it has. `server` names the one that it is of; `act` leads to the state.
const screens = () => ({
  home: { path: '/', ready: '.session' },
  'home, nothing yet': { server: 'empty', path: '/', ready: '.nothing' },
  'home, the server gone': { path: '/', ready: '.session', isDying: true, act: async (page, stop) => { await page.waitForSelector('.link-state.live'); await stop(); await page.waitForSelector('.link-state.gone'); }, allow: kGone },
  'no token': { isNamed: true, path: '/sessions', ready: '.nothing', allow: [/401/] },
  sessions: { path: '/sessions', ready: '.session.tombstone' },
  'sessions, nothing yet': { server: 'empty', path: '/sessions', ready: '.nothing' },
  'sessions, none': { path: '/sessions?title=nosuchtitle', ready: '.nothing' },
  search: { path: '/search?q=ferry', ready: '.hit' },
  'search, nothing typed': { path: '/search', ready: '.examples' },
  'search, none': { path: '/search?q=nosuchword', ready: '.nothing' },
  'search, sealed': { server: 'sealed', path: '/search?q=timetable', ready: '.hit' },
  reader: { path: `/c/${conversation}`, ready: 'div.answer' },
  'reader, all': { path: `/c/${conversation}?level=3`, ready: '.diff' },
  'reader, sealed': { server: 'sealed', path: `/c/${conversation}?level=3`, ready: '.thinking-text.sealed' },
  'reader, find and inspector': { path: `/c/${conversation}`, ready: 'div.answer', act: async (page) => { await page.keyboard.press('j'); await page.waitForSelector('.entry.current'); await page.keyboard.press('w'); await page.waitForSelector('.inspector .trace'); await page.keyboard.press('Control+f'); await page.waitForSelector('.find'); } },
  files: { path: `/c/${conversation}/files`, ready: '.changed-file .diff' },
  'files, none': { path: `/c/${conversation}/files?block=${answer}`, ready: '.nothing' },
  'files, beside': { path: `/c/${conversation}`, ready: 'div.answer', act: async (page) => { await page.keyboard.press('J'); await page.waitForSelector('.entry.current'); await page.keyboard.press('F'); await page.waitForSelector('.changes-pane .changed-file'); } },
  thought: { path: `/t/${answer}`, ready: '.badge.good' },
  'thought, bad': { path: `/t/${answer}`, ready: '.check .badge.bad', prepare: tamper },
  'thought, a tombstone': { path: `/t/${tombstone}`, ready: '.check .badge' },
  why: { path: `/t/${answer}?view=why`, ready: '.trace-outline li' },
  'why, lanes': { path: `/t/${answer}?view=why`, ready: '.trace-outline li', act: async (page) => { await page.click('text=Lanes'); await page.waitForSelector('.trace-lanes li'); } },
  'why, a picture': { path: `/t/${answer}?view=why`, ready: '.trace-outline li', act: async (page) => { await page.click('text=Picture'); await page.waitForSelector('.graph .box'); } },
  effects: { path: `/t/${answer}?view=effects`, ready: '.trace' },
  stored: { path: `/t/${answer}?view=stored`, ready: '.code' },
  stats: { path: '/stats', ready: '.bars' },
  'stats, nothing yet': { server: 'empty', path: '/stats', ready: '.figures' },
  cost: { path: '/cost', ready: '.cost-table tr' },
  'cost, nothing yet': { server: 'empty', path: '/cost', ready: '.figures' },
  sources: { path: '/sources', ready: '.plain-table td' },
  'sources, nothing yet': { server: 'empty', path: '/sources', ready: '.nothing, .plain-table' },
  licences: { path: '/licences', ready: '.licences' },
  'no such thought': { path: `/t/${'0'.repeat(64)}`, ready: '.problem', allow: [/404/] },
  'no such screen': { path: '/t', ready: '.nothing' },
});

// Opens one, in its state and quiet. Returns the page, and what ends it.
async function openScreen({ server = 'full', isNamed = false, isDying = false, path, ready, allow, prepare = async () => {}, act = async () => {} }, options) {
  const own = isDying ? await serve(home) : undefined;
  const { url, port } = own ?? servers[server];
  const watched = new Watched(browser, isNamed ? `http://${kName}:${port}` : url, options);
  const page = await watched.open(path, { allow, prepare });
  await page.waitForSelector(ready);
  if (path.startsWith('/c/') && !path.includes('/files')) await readerIsReady(page);
  await act(page, () => own.stop());
  await isQuiet(page);
  return { page, close: async () => { await watched.close(); if (!isDying) await own?.stop(); } };
}

async function violations(page) {
  // The content policy forbids added scripts, so axe runs in the world of the test.
  return page.evaluate(async ([source, tags]) => {
    const run = new Function(`${source}; return axe;`);
    const found = await run().run(document, { runOnly: tags });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.target.join(' ')).join(' | ')}`);
  }, [axe, kTags]).catch((error) => { throw new Error(`axe did not run: ${error.message}`); });
}

// Themes are those of the page's own settings; the system's high contrast is forced colours.
const themed = (theme) => async (page) => { await page.addInitScript((name) => { try { localStorage.setItem('weft.settings', JSON.stringify({ theme: name })); } catch { /* not a page yet */ } }, theme); };
const kWide = { viewport: { width: 1280, height: 860 } };
const kNarrow = { viewport: { width: 360, height: 740 } };
const looks = [
  { name: 'light, wide', theme: 'light', options: kWide },
  { name: 'dark, narrow', theme: 'dark', options: kNarrow },
  ...(isLong ? [
    { name: 'dark, wide', theme: 'dark', options: kWide },
    { name: 'light, narrow', theme: 'light', options: kNarrow },
    { name: 'high contrast, wide', theme: 'contrast', options: kWide },
    { name: 'high contrast, narrow', theme: 'contrast', options: kNarrow },
    { name: 'light, wide, two pixels in one', theme: 'light', options: { ...kWide, deviceScaleFactor: 2 } },
    { name: 'dark, narrow, two pixels in one', theme: 'dark', options: { ...kNarrow, deviceScaleFactor: 2 } },
    { name: 'forced colours, wide', theme: 'system', options: { ...kWide, forcedColors: 'active' } },
    { name: 'forced colours, narrow', theme: 'system', options: { ...kNarrow, forcedColors: 'active', deviceScaleFactor: 2 } },
  ] : []),
];

const sideways = (page) => page.evaluate(() => Math.max(document.documentElement.scrollWidth - document.documentElement.clientWidth,
  ...[...document.querySelectorAll('main, .reading, .screen, .inspector')].map((part) => (getComputedStyle(part).overflowX === 'hidden' ? 0 : part.scrollWidth - part.clientWidth))));

for (const [look, { name, theme, options }] of looks.entries()) {
  test(`${isLong ? 'every screen' : 'half of the screens'}, ${name}: no error, no violation, no sideways scroll`, { skip }, async () => {
    const found = [];
    for (const [at, [screen, what]] of Object.entries(screens()).entries()) {
      if (!isLong && at % 2 !== look) continue;
      const prepare = async (page) => { await themed(theme)(page); await what.prepare?.(page); };
      const { page, close } = await openScreen({ ...what, prepare }, { ...options, bypassCSP: true, reducedMotion: 'reduce' });
      for (const violation of await violations(page)) found.push(`${screen}: ${violation}`);
      const wide = await sideways(page);
      if (wide > 0) found.push(`${screen} scrolls sideways by ${wide} px`);
      await close();
    }
    assert.deepEqual(found, []);
  });
}

test('no screen scrolls sideways, from 320 to 2560 pixels', { skip: skip || (isLong ? false : 'long only') }, async () => {
  const found = [];
  for (const [screen, what] of Object.entries(screens())) {
    const { page, close } = await openScreen(what, { reducedMotion: 'reduce' });
    for (const width of [320, 360, 480, 700, 701, 860, 861, 1024, 1100, 1101, 1440, 1920, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      await isQuiet(page);
      const wide = await sideways(page);
      if (wide > 0) found.push(`${screen} scrolls sideways by ${wide} px at ${width}`);
    }
    await close();
  }
  assert.deepEqual(found, []);
});

test('a tour by keyboard alone', { skip }, async () => {
  const watched = new Watched(browser, servers.full.url);
  const page = await watched.open('/');
  await page.waitForSelector('.session');
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  await press('/');
  await page.waitForSelector('.search-field input:focus');
  await page.keyboard.type('ferry');
  await page.waitForSelector('.hit mark');
  await isQuiet(page);
  await press('Enter');
  await page.waitForSelector('a.hit:focus');
  await press('Enter');
  await page.waitForSelector('.entry.marked');
  await readerIsReady(page);
  await press('j');
  await page.waitForSelector('.entry.current:focus');
  await press('w');
  await page.waitForSelector('.inspector .trace');
  await press('Escape');
  await page.waitForSelector('.inspector', { state: 'detached' });
  await press('Enter');
  await page.waitForSelector('.thought-screen');
  // To the tabs, and along them.
  for (let step = 0; step < 30 && !(await page.evaluate(() => document.activeElement?.getAttribute('role') === 'tab')); step++) await press('Tab');
  await press('ArrowRight');
  await page.waitForSelector('[role=tab][aria-selected=true]:has-text("Why"):focus');
  for (const [key, screen] of [['l', '.list-screen'], ['t', '.bars'], ['c', '.cost-table'], ['o', '.sources-screen'], ['h', '.home']]) {
    await press('g', key);
    await page.waitForSelector(screen);
  }
  await press('g', 'l');
  await page.waitForSelector('.session');
  for (let step = 0; step < 30 && !(await page.evaluate(() => document.activeElement?.matches('.session:not(.tombstone)'))); step++) await press('Tab');
  await press('Enter');
  await readerIsReady(page);
  await press('f');
  await page.waitForSelector('.changed-file');
  for (let step = 0; step < 30 && !(await page.evaluate(() => document.activeElement?.matches('.edits a'))); step++) await press('Tab');
  await press('Enter');
  await page.waitForSelector('.entry.marked .diff, .entry.marked .line');
  await watched.close();
});

test('palette and help pass, too, and Escape closes them', { skip }, async () => {
  const watched = new Watched(browser, servers.full.url, { bypassCSP: true, reducedMotion: 'reduce' });
  const page = await watched.open('/');
  await page.waitForSelector('.session');
  for (const [key, dialog] of [['Control+k', '.palette'], ['?', '.help']]) {
    await page.keyboard.press(key);
    await page.waitForSelector(dialog);
    assert.deepEqual(await violations(page), [], dialog);
    await page.keyboard.press('Escape');
    await page.waitForSelector(dialog, { state: 'detached' });
  }
  await watched.close();
});

test('under the content policy every screen works without a report', { skip }, async () => {
  for (const what of Object.values(screens())) await (await openScreen(what)).close();
});

test('a thought is checked in the browser, and a changed one is bad', { skip }, async () => {
  const watched = new Watched(browser, servers.full.url);
  const page = await watched.open(`/t/${answer}`);
  await page.waitForSelector('.badge.good');
  await shows(page, '.check', /thought: signature.*checkpoint: signature.*place: path/s);
  await tamper(page);
  await page.reload();
  await page.waitForSelector('.check .badge.bad');
  await shows(page, '.check', /thought: content.*hashes to/s);
  await watched.close();
});
