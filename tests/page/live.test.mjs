// What grows: twenty sessions at once, and eight tabs that share one stream. Each block once, in order, and nothing that
// is being read moves.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Home, Watched, becomes, hasBrowser, isDrawn, isLong, launch, readerIsReady, serve, shows } from './harness.mjs';
import { Session } from './transcripts.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
const kSessions = 20;
const kRounds = isLong ? 10 : 3;
let home, server, browser, sessions, rows;
before(async () => {
  if (skip) return;
  home = new Home();
  sessions = Array.from({ length: kSessions }, (_, at) => {
    const id = `5555${String(at).padStart(4, '0')}-eeee-4eee-8eee-555555555555`;
    const session = new Session(home.path(`s${at}.jsonl`), { id, start: Date.UTC(2026, 10, 4, 9, at) });
    for (let turn = 0; turn < 12; turn++) session.says(`Session ${at}, question ${turn}?`).answers(`Answer ${turn} of session ${at}.`);
    return session;
  });
  home.run('ingest', ...sessions.map((session) => session.path));
  rows = home.json('list').conversations;
  server = await serve(home);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  home?.remove();
});

const cidOf = (at) => rows.find((row) => row.session_id === sessions[at].id).cid.slice(11);
const ordinals = (page) => page.evaluate(() => [...document.querySelectorAll('.entry')].map((entry) => Number(entry.id.slice(1))));
function grow(round) {
  for (const [at, session] of sessions.entries()) session.says(`Session ${at}, more ${round}?`).answers(`Session ${at} grew ${round} times.`);
  home.run('ingest', ...sessions.map((session) => session.path));
}

test('eight tabs while twenty sessions grow: one stream, each block once and in order, and the row that is read stays', { skip }, async () => {
  const watched = new Watched(browser, server.url, { viewport: { width: 1100, height: 500 } });
  const streams = [];
  const prepare = async (page) => { page.on('request', (request) => { if (request.url().endsWith('/api/events')) streams.push(page); }); };
  const atEnd = [];
  for (let tab = 0; tab < 7; tab++) {
    const page = await watched.open(`/c/${cidOf(tab)}?at=end`, { prepare });
    await readerIsReady(page);
    atEnd.push(page);
  }
  const reading = await watched.open(`/c/${cidOf(7)}`, { prepare });  // from the beginning
  await readerIsReady(reading);
  for (const page of [...atEnd, reading]) await page.waitForSelector('.link-state.live');
  await isDrawn(reading);
  const before = await reading.evaluate(() => [...document.querySelectorAll('.entry')].slice(0, 4).map((entry) => [entry.id, entry.getBoundingClientRect().top]));
  for (let round = 1; round <= kRounds; round++) {
    grow(round);
    for (const [tab, page] of atEnd.entries()) {
      await page.waitForFunction((words) => [...document.querySelectorAll('.entry')].at(-1)?.textContent.includes(words), `Session ${tab} grew ${round} times.`);
    }
  }
  for (const page of atEnd) {
    await becomes(page, 'the last block is mounted', (last) => document.getElementById(`b${last}`) !== null, 24 + 2 * kRounds - 1);
    const seen = await ordinals(page);
    assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b));
    assert.equal(seen.at(-1), 24 + 2 * kRounds - 1);
  }
  await reading.waitForSelector('.unseen');
  await shows(reading, '.unseen', new RegExp(`${2 * kRounds} new blocks`));
  await isDrawn(reading);
  const now = await reading.evaluate((ids) => ids.map((id) => [id, document.getElementById(id).getBoundingClientRect().top]), before.map(([id]) => id));
  assert.deepEqual(now, before, 'the rows that are read moved');
  assert.equal(streams.length, 1, 'tabs share one stream');

  // The tab that has the stream is closed: another one takes over, from where it was.
  await atEnd.shift().close();
  grow(kRounds + 1);
  await atEnd[0].waitForFunction((words) => document.body.textContent.includes(words), `Session 1 grew ${kRounds + 1} times.`);
  const seen = await ordinals(atEnd[0]);
  assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b));
  await watched.close();
});

test('home shows which of them grow', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open('/');
  await page.waitForSelector('.session');
  await page.waitForSelector('.link-state.live');
  grow(99);
  await page.waitForFunction(() => document.querySelectorAll('.session .pulse').length >= 10);
  await watched.close();
});

test('a server is killed and started again while sessions grow: everything comes, once and in order, and nothing that is read moves', { skip }, async () => {
  const own = await serve(home);
  const watched = new Watched(browser, own.url, { viewport: { width: 1100, height: 500 } });
  const allow = [/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE/];
  const atEnd = await watched.open(`/c/${cidOf(8)}?at=end`, { allow });
  await readerIsReady(atEnd);
  const reading = await watched.open(`/c/${cidOf(9)}`, { allow });
  await readerIsReady(reading);
  for (const page of [atEnd, reading]) await page.waitForSelector('.link-state.live');
  await isDrawn(reading);
  const before = await reading.evaluate(() => [...document.querySelectorAll('.entry')].slice(0, 4).map((entry) => [entry.id, entry.getBoundingClientRect().top]));
  await own.stop('SIGKILL');
  for (const page of [atEnd, reading]) await page.waitForSelector('.link-state.gone');
  grow(1000);
  const again = await serve(home, { port: own.port });
  for (const page of [atEnd, reading]) await page.waitForSelector('.link-state.live');
  await atEnd.waitForFunction(() => [...document.querySelectorAll('.entry')].at(-1)?.textContent.includes('Session 8 grew 1000 times.'));
  const seen = await ordinals(atEnd);
  assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b));
  await shows(reading, '.unseen', /2 new blocks/);
  await isDrawn(reading);
  const now = await reading.evaluate((ids) => ids.map((id) => [id, document.getElementById(id).getBoundingClientRect().top]), before.map(([id]) => id));
  assert.deepEqual(now, before, 'the rows that are read moved');
  await watched.close();
  await again.stop();
});
