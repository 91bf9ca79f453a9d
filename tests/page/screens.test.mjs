// Every screen opens, says what it should, and passes axe: light, dark and high contrast, wide and narrow.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { Home, Watched, hasBrowser, isLong, launch, readerIsReady, serve, shows } from './harness.mjs';
import { writePlain } from './transcripts.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const kTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const skip = hasBrowser ? false : 'no browser: install chromium';

let home, server, browser, conversation, answer;
before(async () => {
  if (skip) return;
  home = new Home();
  writePlain(home.path('session.jsonl'));
  home.run('ingest', home.path('session.jsonl'));
  conversation = home.json('list').conversations[0].cid.slice(11);
  answer = home.json('walk', conversation, '--from', '0', '--limit', '50').blocks.find((block) => block.type.endsWith('/response')).cid.slice(11);
  server = await serve(home);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  home?.remove();
});

const screens = () => ({
  home: { path: '/', ready: '.session' },
  sessions: { path: '/sessions', ready: '.session' },
  'sessions, none': { path: '/sessions?title=nosuchtitle', ready: '.nothing' },
  search: { path: '/search?q=ferry', ready: '.hit' },
  'search, none': { path: '/search?q=nosuchword', ready: '.nothing' },
  reader: { path: `/c/${conversation}`, ready: 'div.answer' },
  'reader, all': { path: `/c/${conversation}?level=3`, ready: '.diff' },
  thought: { path: `/t/${answer}`, ready: '.badge.good' },
  why: { path: `/t/${answer}?view=why`, ready: '.trace-outline li' },
  effects: { path: `/t/${answer}?view=effects`, ready: '.trace' },
  stored: { path: `/t/${answer}?view=stored`, ready: '.code' },
  stats: { path: '/stats', ready: '.bars' },
  cost: { path: '/cost', ready: '.cost-table tr' },
  sources: { path: '/sources', ready: '.plain-table td' },
  'no such thought': { path: `/t/${'0'.repeat(64)}`, ready: '.problem', allow: [/404/] },
  'no such screen': { path: '/t', ready: '.nothing' },
});

async function violations(page) {
  // The content policy forbids added scripts, so axe runs in the world of the test.
  return page.evaluate(async ([source, tags]) => {
    const run = new Function(`${source}; return axe;`);
    const found = await run().run(document, { runOnly: tags });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.target.join(' ')).join(' | ')}`);
  }, [axe, kTags]).catch((error) => { throw new Error(`axe did not run: ${error.message}`); });
}

const looks = [
  { name: 'light, wide', options: { colorScheme: 'light' } },
  { name: 'dark, narrow', options: { colorScheme: 'dark', viewport: { width: 360, height: 740 } } },
  ...(isLong ? [
    { name: 'dark, wide', options: { colorScheme: 'dark' } },
    { name: 'light, narrow', options: { colorScheme: 'light', viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 } },
    { name: 'forced colours', options: { forcedColors: 'active' } },
  ] : []),
];

for (const { name, options } of looks) {
  test(`every screen, ${name}: no error, no violation, no sideways scroll`, { skip }, async () => {
    const watched = new Watched(browser, server.url, { ...options, bypassCSP: true, reducedMotion: 'reduce' });
    const found = [];
    for (const [screen, { path, ready, allow }] of Object.entries(screens())) {
      const page = await watched.open(path, { allow });
      await page.waitForSelector(ready);
      if (screen.startsWith('reader')) await readerIsReady(page);
      for (const violation of await violations(page)) found.push(`${screen}: ${violation}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (wide > 0) found.push(`${screen} scrolls sideways by ${wide} px`);
      await page.close();
    }
    await watched.close();
    assert.deepEqual(found, []);
  });
}

test('palette and help pass, too, and Escape closes them', { skip }, async () => {
  const watched = new Watched(browser, server.url, { bypassCSP: true, reducedMotion: 'reduce' });
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
  const watched = new Watched(browser, server.url);
  for (const { path, ready, allow } of Object.values(screens())) {
    const page = await watched.open(path, { allow });
    await page.waitForSelector(ready);
    await page.close();
  }
  await watched.close();
});

test('a thought is checked in the browser, and a changed one is bad', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open(`/t/${answer}`);
  await page.waitForSelector('.badge.good');
  await shows(page, '.check', /thought: signature.*checkpoint: signature.*place: path/s);
  // The same, from a server that changed a word in its stored form.
  await page.route((url) => url.search.includes('sealed=true') && url.pathname.includes(answer.slice(0, 20)), async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('ferry', 'berry') });
  });
  await page.reload();
  await page.waitForSelector('.check .badge.bad');
  await shows(page, '.check', /thought: content.*hashes to/s);
  await watched.close();
});
