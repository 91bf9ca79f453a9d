// Blame: a file that sessions changed, with the origins of its lines in the gutter and in the panel; by pointer and by keys.
import assert from 'node:assert/strict';
import { appendFileSync, rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Home, Watched, becomes, hasBrowser, isQuiet, launch, readerIsReady, serve, shows } from './harness.mjs';
import { Orchard, kToken } from './orchard.mjs';
import { Session } from './transcripts.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
let home, orchard, server, browser, calls;
before(async () => {
  if (skip) return;
  home = new Home();
  orchard = new Orchard(home).grow();
  calls = orchard.calls();
  rmSync(orchard.path('gone.txt'));
  server = await serve(home);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  home?.remove();
});

const open = async (name, { query = '', ...options } = {}, more = {}) => {
  const watched = new Watched(browser, server.url, options);
  const page = await watched.open(`/t/${calls[name]}/file${query}`, more);
  return { watched, page };
};
const ready = (page) => page.waitForSelector('.blame-line .origin.first');
const focused = (page, first) => becomes(page, `the run of line ${first} has the focus`, (id) => document.activeElement?.id === id, `run-${first}`);

test('from the files of a session to the lines of one: the gutter has mark, rule and words, the panel all of it', { skip }, async () => {
  const watched = new Watched(browser, server.url, { viewport: { width: 1500, height: 860 } });
  const conversation = home.json('list').conversations.find((row) => row.session_id.startsWith('aaaa')).cid.slice(11);
  const page = await watched.open(`/c/${conversation}/files`);
  await page.click('.changed-file a:has-text("who wrote its lines")');
  await ready(page);
  await shows(page, '.blame-head h1', /^src\/trees\.ts$/);
  await shows(page, '#run-4', /A\s*replayed\s*2 Nov\s*Plant a quince/);
  assert.match(await page.textContent('#run-4 .hidden'), /lines 4 to 5: replayed, certain, session A, claude-opus-5, 2026-11-02 .*asked: Plant a quince/);
  await shows(page, '#run-8', /B\s*written.*Add a function/);
  // Sure and unsure differ in shape, too.
  const drawn = (run) => page.$eval(`${run} .sureness`, (sign) => sign.innerHTML);
  assert.equal(new Set([await drawn('#run-1'), await drawn('#run-4'), await drawn('#run-8')]).size, 3);
  await shows(page, '.line-text .code-keyword', /export/);
  await shows(page, '.blame-sessions', /A.*quince.*2 lines.*B.*prunes.*4 lines/);
  await page.hover('.blame-line:has(#run-8)');
  await shows(page, '.run-panel', /Lines 8 to 11.*written, likely.*Add a function that prunes.*claude-opus-5.*2026-11-03.*Prune trees/s);
  await page.hover('.blame-line:has(#run-12)');
  await shows(page, '.run-panel', /no answer.*none that wrote these lines at that time.*Not committed/s);
  await page.hover('.blame-line:has(#run-1)');
  await shows(page, '.run-panel', /no answer.*older than every conversation.*An orchard/s);
  await watched.close();
});

test('by keys: runs, the edit in the reader, and back where one was; why', { skip }, async () => {
  const { watched, page } = await open('trees.ts');
  await ready(page);
  await page.keyboard.press('j');
  await focused(page, 4);
  await shows(page, '.run-panel', /Lines 4 to 5.*replayed, certain/s);
  await page.keyboard.press('J');
  await focused(page, 8);
  await page.keyboard.press('k');
  await focused(page, 7);
  await page.keyboard.press('K');
  await focused(page, 4);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.entry.marked');
  await shows(page, '.entry.marked', /trees\.ts/);
  await page.goBack();
  await ready(page);
  await shows(page, '.run-panel', /Lines 4 to 5/);
  await page.keyboard.press('w');
  await shows(page, '.trace-outline', /Plant a quince/);
  await page.goBack();
  await ready(page);
  await page.keyboard.press('?');
  await shows(page, 'dialog', /In a file.*run of lines/s);
  await watched.close();
});

test('from an edit in the reader, by its link and by its key', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open(`/t/${calls['trees.ts']}/file`);
  await ready(page);
  await page.click('text=the edit');
  await page.waitForSelector('.entry.marked');
  await readerIsReady(page);
  await page.click('.entry.marked .tool-links a');
  await ready(page);
  await page.goBack();
  await page.waitForSelector('.entry.marked');
  await readerIsReady(page);
  await page.keyboard.press('b');
  await ready(page);
  assert.ok(page.url().endsWith(`/t/${calls['trees.ts']}/file`));
  await watched.close();
});

test('of 10,000 lines those near the view are asked for and mounted, wherever one goes', { skip }, async () => {
  const asked = [];
  const { watched, page } = await open('long.ts', {}, { prepare: (page) => { page.on('request', (request) => { if (request.url().includes('/blame?')) asked.push(new URL(request.url()).searchParams); }); } });
  await ready(page);
  await isQuiet(page);
  assert.equal(asked.length, 1);
  await page.keyboard.press('End');
  await becomes(page, 'the last line is shown', () => [...document.querySelectorAll('.line-text')].some((line) => line.textContent.includes('tree number 9999 ')));
  await isQuiet(page);
  assert.ok(await page.locator('.blame-line').count() < 200);
  assert.ok(asked.length <= 3, `${asked.length} pages`);
  assert.ok(asked.slice(1).every((query) => query.get('state')), 'all pages are of one state');
  // The file changes while one looks: the next page is of another state, and everything is read again.
  appendFileSync(orchard.path('src/long.ts'), 'export const added = "while one looks";\n');
  await page.keyboard.press('Home');
  await becomes(page, 'the first line is shown', () => document.querySelector('#run-1') !== null);
  await page.evaluate(() => { document.querySelector('.blame-lines').scrollTop = 24 * 5000; });
  await shows(page, '.blame-head .facts', /10,001 lines/);
  await becomes(page, 'the lines stay where they were', () => [...document.querySelectorAll('.line-text')].some((line) => line.textContent.includes('tree number 5000 ')));
  await watched.close();
});

test('a link leads to a line; a long line wraps and nothing scrolls sideways on a phone', { skip }, async () => {
  const { watched, page } = await open('long.ts', { query: '?line=5000', viewport: { width: 360, height: 740 } });
  await becomes(page, 'the line is in view', () => [...document.querySelectorAll('.blame-line .number')].some((number) => number.textContent === '5000' && number.getBoundingClientRect().top > 0 && number.getBoundingClientRect().top < innerHeight));
  await shows(page, '.run-panel', /replayed/);
  assert.equal(await page.evaluate(() => document.querySelector('.blame-lines').scrollWidth - document.querySelector('.blame-lines').clientWidth), 0);
  await watched.close();
});

test('secrets are masked, and lines keep their numbers', { skip }, async () => {
  const { watched, page } = await open('config.txt');
  await ready(page);
  await shows(page, '.blame-lines', /\[secret github-token #/);
  await shows(page, '.blame-lines', /\[secret private-key #/);
  await becomes(page, 'line 10 is the one after the key', () => [...document.querySelectorAll('.blame-line')].some((line) => /^10the line after the key$/.test(line.textContent)));
  const text = await page.evaluate(() => document.body.textContent);
  assert.ok(!text.includes(kToken) && !text.includes('b3BlbnNzaC1rZXk'));
  await watched.close();
});

test('a file that is gone says so; a server that others can use offers none and shows none', { skip }, async () => {
  const { watched, page } = await open('gone.txt', {}, { allow: [/404/] });
  await shows(page, '.problem', /gone\.txt is not here any more/);
  await watched.close();
  const beyond = await serve(home, { args: ['--host', 'weft.example'] });
  const other = new Watched(browser, beyond.url);
  const refused = await other.open(`/t/${calls['trees.ts']}/file`, { allow: [/403/] });
  await shows(refused, '.problem', /can be used from other machines/);
  await refused.waitForSelector('.link-state.live');
  const conversation = home.json('list').conversations.find((row) => row.session_id.startsWith('aaaa')).cid.slice(11);
  await refused.goto(`${beyond.url}/c/${conversation}/files`);
  await refused.waitForSelector('.changed-file .diff');
  assert.equal(await refused.locator('text=who wrote its lines').count(), 0);
  await other.close();
  await beyond.stop();
});

test('a conversation of somebody else opens no file', { skip }, async () => {
  const stranger = new Home();
  try {
    orchard.write('private.txt', 'nobody asked for this file\n');
    new Session(stranger.path('in.jsonl'), { id: 'cccccccc-3333-4333-8333-333333333333', cwd: orchard.root }).says('Write it.')
      .runs('Write', { file_path: orchard.path('private.txt'), content: 'nobody asked for this file\n' }, 'File created successfully.').answers('Done.');
    stranger.run('ingest', stranger.path('in.jsonl'));
    const { cid } = stranger.json('list').conversations[0];
    stranger.run('export', cid, '--as', 'thoughts', '--out', stranger.path('web.jsonl'));
    home.run('import', stranger.path('web.jsonl'));
    const call = home.json('diff', cid).files[0].edits[0].cid;
    const response = await fetch(`${server.url}/api/thoughts/${call}/blame`);
    assert.equal(response.status, 403);
    assert.match((await response.json()).error.message, /imported from somebody else/);
  } finally {
    stranger.remove();
  }
});
