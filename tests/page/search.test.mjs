// Search as one types, and what one finds when one comes back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Home, Watched, becomes, hasBrowser, isQuiet, launch, serve } from './harness.mjs';
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
  const asked = [];
  let letGo;
  const held = new Promise((resolve) => { letGo = resolve; });
  let isOver;
  const over = new Promise((resolve) => { isOver = resolve; });
  const page = await watched.open('/search', { prepare: (made) => made.route('**/api/search?*', async (route) => {
    const query = new URL(route.request().url()).searchParams.get('q');
    asked.push(query);
    if (query === 'fe*') await held;
    await route.continue().catch(() => { /* the page has given it up */ });
    if (query === 'fe*') isOver();
  }) });
  await page.waitForSelector('.search-field input:focus');
  await page.keyboard.type('f');
  for (const [letter, query] of [['e', 'fe*'], ['r', 'fer*'], ['r', 'ferr*'], ['y', 'ferry*']]) {
    const request = page.waitForRequest((one) => new URL(one.url()).searchParams.get('q') === query);
    await page.keyboard.type(letter);
    await request;
  }
  const isFerry = () => document.querySelector('.hit mark')?.textContent.toLowerCase() === 'ferry';
  await becomes(page, 'ferry is marked', isFerry);
  letGo();
  await over;
  await isQuiet(page);
  assert.ok(await page.evaluate(isFerry), 'the older answer replaced the newer one');
  assert.ok(asked.includes('fe*') && asked.includes('ferry*'), asked.join(' '));
  await watched.close();
});

test('a result opens at its block, marked, and back shows the list as it was', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open('/search');
  await page.waitForSelector('.search-field input:focus');
  await page.keyboard.type('timetable');
  await page.waitForSelector('.hit:has-text("Thinking")');  // sealed text is found once the word is whole
  await isQuiet(page);
  const list = await page.$$eval('.hit', (hits) => hits.map((hit) => hit.textContent));
  await page.click('.hit >> nth=1');
  await page.waitForSelector('.entry.marked:has-text("timetable")');
  await page.goBack();
  await becomes(page, 'the list is as it was', (before) => [...document.querySelectorAll('.hit')].map((hit) => hit.textContent).join('\n') === before, list.join('\n'));
  await becomes(page, 'the words are in the field', () => document.querySelector('.search-field input').value === 'timetable');
  await watched.close();
});

test('filters are completed by keys and become chips', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open('/search');
  await page.waitForSelector('.search-field input:focus');
  await page.keyboard.type('ferry typ');
  await page.waitForSelector('.completions li:has-text("type:")');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.search-field input').value === 'ferry type:');
  await page.keyboard.type('resp');
  await page.waitForSelector('.completions li:has-text("type:response")');
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
  // The words go into the URL, where they do, when they are sent as they stand.
  const whole = page.waitForRequest((one) => new URL(one.url()).searchParams.get('q') === 'secretword');
  await page.keyboard.type('secretword');
  await whole;
  await page.waitForSelector('.nothing');
  await isQuiet(page);
  assert.doesNotMatch(page.url(), /secretword/);
  await watched.close();
});

test('nor are they in the URL on the way from home', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open('/');
  const visited = [];
  page.on('framenavigated', (frame) => visited.push(frame.url()));
  await page.waitForSelector('.key-state.keys-content');
  await page.fill('.home-search input', 'secretword');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.nothing');
  await becomes(page, 'the words are in the field', () => document.querySelector('.search-field input').value === 'secretword');
  await isQuiet(page);
  assert.ok(visited.some((url) => url.endsWith('/search')), visited.join(' '));
  assert.ok(!visited.some((url) => url.includes('secretword')), visited.join(' '));
  await watched.close();
});

test('the palette finds a session and leads to it', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open('/stats');
  await page.waitForSelector('.bars');
  await page.keyboard.press('Control+k');
  await page.waitForSelector('.palette input:focus');
  await page.keyboard.type('ferry');
  await page.waitForSelector('.palette-list li:has-text("ferry to the island")');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.reader .entry');
  await watched.close();
});
