// Search as one types, and what one finds when one comes back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Home, Watched, hasBrowser, launch, serve } from './harness.mjs';
import { writePlain } from './transcripts.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
let home, server, browser;
before(async () => {
  if (skip) return;
  home = new Home();
  writePlain(home.path('plain.jsonl'));
  home.run('ingest', home.path('plain.jsonl'));
  server = await serve(home);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  home?.remove();
});

test('each key asks, and a slow older answer never replaces a newer one', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open('/search');
  const asked = [];
  await page.route('**/api/search?*', async (route) => {
    const query = new URL(route.request().url()).searchParams.get('q');
    asked.push(query);
    if (query === 'fe*') await new Promise((resolve) => setTimeout(resolve, 600));
    await route.continue().catch(() => {});
  });
  await page.waitForSelector('.search-field input:focus');
  await page.keyboard.type('ferry', { delay: 30 });
  await page.waitForSelector('.hit mark');
  assert.ok(asked.includes('fe*') && asked.includes('ferr*'), asked.join(' '));
  await page.waitForFunction(() => document.querySelector('.hit mark').textContent.toLowerCase() === 'ferry');
  await page.waitForResponse((response) => response.url().includes('/api/search'), { timeout: 1500 }).catch(() => {});
  assert.equal((await page.textContent('.hit mark')).toLowerCase(), 'ferry');
  await watched.close();
});

test('a result opens at its block, marked, and back shows the list as it was', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open('/search');
  await page.waitForSelector('.search-field input:focus');
  await page.keyboard.type('timetable');
  await page.waitForSelector('.hit:has-text("Thinking")');  // sealed text is found once the word is whole
  const list = await page.$$eval('.hit', (hits) => hits.map((hit) => hit.textContent));
  await page.click('.hit >> nth=1');
  await page.waitForSelector('.entry.marked:has-text("timetable")');
  await page.goBack();
  await page.waitForSelector('.hit mark');
  assert.deepEqual(await page.$$eval('.hit', (hits) => hits.map((hit) => hit.textContent)), list);
  assert.equal(await page.inputValue('.search-field input'), 'timetable');
  await watched.close();
});

test('filters are completed by keys and become chips', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open('/search');
  await page.waitForSelector('.search-field input:focus');
  await page.keyboard.type('ferry typ');
  await page.waitForSelector('.completions li');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.search-field input').value === 'ferry type:');
  await page.keyboard.type('resp');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.chips .chip');
  await page.waitForFunction(() => [...document.querySelectorAll('.hit b')].length > 0 && [...document.querySelectorAll('.hit b')].every((kind) => kind.textContent === 'Answer'));
  await watched.close();
});

test('words that are searched stay out of the URL while sealed text is open', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open('/search');
  await page.waitForSelector('.key-state.keys-content');
  await page.waitForSelector('.search-field input:focus');
  await page.keyboard.type('secretword');
  await page.waitForSelector('.nothing');
  await page.waitForFunction(() => new Promise((resolve) => setTimeout(() => resolve(true), 300)));
  assert.doesNotMatch(page.url(), /secretword/);
  await watched.close();
});

test('the palette finds a session and leads to it', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open('/stats');
  await page.waitForSelector('.bars');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('ferry');
  await page.waitForSelector('.palette-list li:has-text("ferry to the island")');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.reader .entry');
  await watched.close();
});
