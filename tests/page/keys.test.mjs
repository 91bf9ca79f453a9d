// With keys that open summaries alone, reasoning is shown as sealed, and no byte of it is in any answer. Several tabs
// share one stream.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Home, Watched, hasBrowser, launch, readerIsReady, serve, shows } from './harness.mjs';
import { writePlain } from './transcripts.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
const kReasoning = 'timetable is in the repository. I read it first';
let home, server, browser, conversation, growing;
before(async () => {
  if (skip) return;
  home = new Home();
  growing = writePlain(home.path('plain.jsonl'));
  home.run('ingest', home.path('plain.jsonl'));
  conversation = home.json('list').conversations[0].cid.slice(11);
  home.run('keys', 'export', '--layer', 'metadata', '--out', home.path('metadata.json'));
  server = await serve(home, { args: ['--keys', home.path('metadata.json')] });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  home?.remove();
});

test('without the content key reasoning is sealed: in words, and in every answer', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const answers = [];
  const page = await watched.open('/');
  // The stream never ends, and by its own rule holds no text.
  page.on('response', (response) => { if (!response.url().endsWith('/api/events')) answers.push(response.text().catch(() => '')); });
  await page.waitForSelector('.key-state.keys-metadata');
  for (const path of [`/c/${conversation}?level=3`, '/search?q=timetable', '/stats']) {
    await page.goto(server.url + path);
    await page.waitForSelector('main :is(.entry .line, .hit, .nothing, .bars)');
  }
  await page.goto(`${server.url}/c/${conversation}?level=3`);
  await readerIsReady(page);
  await shows(page, '.kind-thinking', /Thinking, sealed.*content key/s);
  for (const answer of await Promise.all(answers)) assert.ok(!answer.includes(kReasoning), 'an answer holds sealed reasoning');
  await watched.close();
});

test('two tabs share one stream, and both see what grows', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const first = await watched.open(`/c/${conversation}?at=end`);
  await first.waitForSelector('.link-state.live');
  const streams = [];
  watched.context.on('request', (request) => { if (request.url().endsWith('/api/events')) streams.push(request.url()); });
  const second = await watched.open(`/c/${conversation}?at=end`);
  await second.waitForSelector('.link-state.live');
  for (const page of [first, second]) await readerIsReady(page);
  growing.says('Who rings the bell?').answers('The mate rings the bell.');
  home.run('ingest', home.path('plain.jsonl'));
  for (const page of [first, second]) {
    await page.bringToFront();
    await page.waitForFunction(() => document.body.textContent.includes('The mate rings the bell.'));
  }
  assert.deepEqual(streams, []);
  await watched.close();
});
