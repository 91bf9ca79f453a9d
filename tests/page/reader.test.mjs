// The reader: long sessions, keys, levels, find; and what grows while one reads.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Home, Watched, becomes, hasBrowser, isDrawn, isLong, isQuiet, launch, readerIsReady, serve, shows } from './harness.mjs';
import { Session, writeLong, writePlain } from './transcripts.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
const kTurns = isLong ? 20_000 : 800;
const kPaperTurns = 150;
let home, server, browser, long, paper, plain, growing;
before(async () => {
  if (skip) return;
  home = new Home();
  growing = writePlain(home.path('plain.jsonl'));
  writeLong(home.path('long.jsonl'), kTurns);
  const printed = new Session(home.path('paper.jsonl'), { id: '66666666-cccc-4ccc-8ccc-666666666666', start: Date.UTC(2026, 9, 1) });
  for (let turn = 0; turn < kPaperTurns; turn++) printed.says(`What is on page ${turn}?`).answers(`Page **${turn}** is about piers.`);
  home.run('ingest', home.path('plain.jsonl'), home.path('long.jsonl'), home.path('paper.jsonl'));
  const rows = home.json('list').conversations;
  long = rows.find((row) => row.session_id.startsWith('3333')).cid.slice(11);
  paper = rows.find((row) => row.session_id.startsWith('6666')).cid.slice(11);
  plain = rows.find((row) => row.session_id.startsWith('1111')).cid.slice(11);
  server = await serve(home);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  home?.remove();
});

async function open(path, options) {
  const watched = new Watched(browser, server.url, options);
  const page = await watched.open(path, { allow: [/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/] });
  await isDrawn(page);
  return { watched, page };
}
// Two frames: everything that was asked for in this one is on the screen.
const settle = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
const topOf = (page, id) => page.evaluate((name) => document.getElementById(name)?.getBoundingClientRect().top, id);
const isSeen = (page, id) => becomes(page, `${id} is on the screen`, (name) => {
  const box = document.getElementById(name)?.getBoundingClientRect();
  const view = document.querySelector('.conversation').getBoundingClientRect();
  return box !== undefined && box.bottom > view.top && box.top < view.bottom;
}, id);

test('a long session: the end, the middle and the beginning are a jump away, and few elements are mounted', { skip }, async () => {
  const count = home.json('walk', long, '--outline').count;
  const { watched, page } = await open(`/c/${long}?at=end`);
  await isSeen(page, `b${count - 1}`);
  await becomes(page, 'nothing is left below the end', () => { const s = document.querySelector('.conversation'); return s.scrollHeight - s.scrollTop - s.clientHeight < 4; });
  await page.focus('.ribbon');
  await page.keyboard.press('Home');
  await page.waitForSelector('#b0');
  const box = await page.locator('.ribbon').boundingBox();
  await page.mouse.click(box.x + 10, box.y + box.height / 2);
  // A pixel of the ribbon stands for many blocks of a long session.
  await becomes(page, 'the middle is mounted', ([middle, near]) => [...document.querySelectorAll('.entry')].some((entry) => Math.abs(Number(entry.id.slice(1)) - middle) < near), [count / 2, Math.max(200, count / 200)]);
  await readerIsReady(page);
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  assert.ok(nodes < 5000, `${nodes} elements`);
  await watched.close();
});

test('Ctrl+P prints every row with its text, and then only what is near is mounted again', { skip }, async () => {
  const { watched, page } = await open(`/c/${paper}`);
  await page.evaluate(() => {
    window.print = () => { window.printed = [...document.querySelectorAll('.entry')].map((entry) => `${entry.id} ${entry.querySelector('.content > .prompt, .content > .answer')?.textContent}`); };
  });
  await page.keyboard.press('Control+p');
  const printed = await (await page.waitForFunction(() => window.printed)).jsonValue();
  assert.deepEqual(printed, Array.from({ length: 2 * kPaperTurns }, (_, at) => `b${at} ${at % 2 ? `Page ${(at - 1) / 2} is about piers.` : `What is on page ${at / 2}?`}`));
  await becomes(page, 'few rows are mounted', () => document.querySelectorAll('.entry').length < 100);
  await watched.close();
});

test('of a session that does not grow nothing is new', { skip }, async () => {
  const count = home.json('walk', long, '--outline').count;
  const { watched, page } = await open(`/c/${long}`);
  await page.waitForSelector('.link-state.live');
  await shows(page, '.reader-head', new RegExp(`${count.toLocaleString('en-GB')} blocks`));
  await isDrawn(page);
  assert.equal(await page.locator('.unseen').count(), 0);
  await watched.close();
});

// The first rows are drawn from the beginning of the outline. The rest of it is held back here until one has jumped.
test('a jump that is made before the whole outline is here arrives when it is', { skip }, async () => {
  const count = home.json('walk', long, '--outline').count;
  for (const [jump, target] of [
    [async (page) => { await page.keyboard.press('End'); }, count - 1],
    [async (page) => { await page.keyboard.press('Control+f'); await page.waitForSelector('.find input:focus'); await page.keyboard.type(`"file ${kTurns - 3}"`); await shows(page, '.find [role=status]', /1 of/); }, undefined],
    [async (page) => { await page.keyboard.press('J'); await page.waitForSelector('.entry.current'); }, 5],
  ]) {
    let letGo;
    const held = new Promise((resolve) => { letGo = resolve; });
    const watched = new Watched(browser, server.url);
    const page = await watched.open(`/c/${long}?level=2`, { prepare: (made) => made.route(/\/outline$/, async (route) => { await held; await route.continue(); }) });
    await readerIsReady(page);
    await jump(page);
    letGo();
    await page.waitForFunction((all) => document.querySelector('.reader-head').textContent.includes(all), `${count.toLocaleString('en-GB')} blocks`);
    await readerIsReady(page);
    await isQuiet(page);
    if (target !== undefined) await isSeen(page, `b${target}`);
    else await becomes(page, 'the hit is on the screen', (words) => [...document.querySelectorAll('.entry.marked')].some((row) => row.textContent.includes(words) && row.getBoundingClientRect().top > 0 && row.getBoundingClientRect().top < 860), `file ${kTurns - 3}`);
    await watched.close();
  }
});

test('a jump holds its row while rows around it turn out taller than they were thought to be', { skip }, async () => {
  const count = home.json('walk', long, '--outline').count;
  for (const ordinal of [Math.floor(count / 2), count - 6]) {
    const { watched, page } = await open(`/c/${long}?level=3&at=${ordinal}`);
    await page.waitForSelector('.entry.marked');
    await isDrawn(page);
    await isSeen(page, `b${ordinal}`);
    await watched.close();
  }
});

test('scrolling through a long session shows every row once and in order', { skip }, async () => {
  const { watched, page } = await open(`/c/${long}?level=2`);
  const seen = new Set();
  let last = -1;
  for (let step = 0; step < 40; step++) {
    const ordinals = await page.evaluate(() => [...document.querySelectorAll('.entry')].map((entry) => Number(entry.id.slice(1))));
    assert.deepEqual(ordinals, [...ordinals].sort((a, b) => a - b));
    assert.equal(new Set(ordinals).size, ordinals.length);
    assert.ok(ordinals[0] <= last + 2 || last === -1, `rows between ${last} and ${ordinals[0]} were never mounted`);
    for (const ordinal of ordinals) seen.add(ordinal);
    last = ordinals.at(-1);
    const before = await page.evaluate(() => document.querySelector('.conversation').scrollTop);
    await page.mouse.move(600, 500);
    await page.mouse.wheel(0, 500);
    await becomes(page, 'the wheel scrolls', (top) => document.querySelector('.conversation').scrollTop !== top, before);
    await settle(page);
  }
  assert.ok(seen.size > 100);
  await watched.close();
});

test('a row that is unfolded pushes down what is below and moves nothing above', { skip }, async () => {
  const { watched, page } = await open(`/c/${long}?at=200&level=2`);
  const ids = await page.evaluate(() => [...document.querySelectorAll('.entry.step')].filter((entry) => entry.getBoundingClientRect().top > 250).map((entry) => entry.id));
  const before = await topOf(page, ids[0]);
  await page.click(`#${ids[0]} .fold`);
  await page.waitForSelector(`#${ids[0]}.open`);
  await settle(page);
  assert.ok(Math.abs(await topOf(page, ids[0]) - before) < 1, `it moved from ${before} to ${await topOf(page, ids[0])}`);
  await watched.close();
});

test('another level of detail keeps the row that is being read', { skip }, async () => {
  const { watched, page } = await open(`/c/${long}?at=500&level=2`);
  await page.click('#b500 .line', { position: { x: 400, y: 5 }, force: true }).catch(() => {});
  for (const level of ['3', '1', '2']) {
    await page.keyboard.press(level);
    await page.waitForSelector(`.choice [aria-pressed=true]:has-text("${{ 1: 'Answers', 2: 'Steps', 3: 'All' }[level]}")`);
    await readerIsReady(page);
    await settle(page);
    await becomes(page, `level ${level} shows block 500, or what is left around it`, () => {
      const near = [...document.querySelectorAll('.entry')].filter((entry) => entry.getBoundingClientRect().top < 860).map((entry) => Number(entry.id.slice(1)));
      return Math.min(...near) <= 500 && Math.max(...near) >= 495;
    });
  }
  await watched.close();
});

test('keys: rows, prompts, why, raw, back', { skip }, async () => {
  const { watched, page } = await open(`/c/${plain}`);
  await page.keyboard.press('j');
  await page.waitForSelector('.entry.current');
  const first = await page.evaluate(() => document.querySelector('.entry.current').id);
  await page.keyboard.press('J');
  await page.waitForFunction((before) => document.activeElement.id !== before && document.activeElement.classList.contains('kind-human_input'), first);
  const prompt = await page.evaluate(() => document.activeElement.id);
  await page.keyboard.press('k');
  await page.waitForFunction((before) => document.activeElement.id !== before && document.activeElement.classList.contains('entry'), prompt);
  await page.keyboard.press('w');
  await page.waitForSelector('.inspector .trace-outline li');
  await shows(page, '.inspector', /Rests on \d+ thoughts/);
  await page.keyboard.press('Escape');
  await page.waitForSelector('.inspector', { state: 'detached' });
  await page.keyboard.press('r');
  await page.waitForSelector('.entry.current .code');
  await shows(page, '.entry.current .code', /"signature"/);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.thought-screen');
  await page.goBack();
  await readerIsReady(page);
  await watched.close();
});

test('find reaches what is not mounted and opens what is folded', { skip }, async () => {
  const { watched, page } = await open(`/c/${long}`);
  await page.keyboard.press('Control+f');
  await page.waitForSelector('.find input:focus');
  await page.keyboard.type(`"file ${kTurns - 3}"`);
  await shows(page, '.find [role=status]', /of/);
  await becomes(page, 'a hit has the words', (words) => [...document.querySelectorAll('.entry.hit')].some((row) => row.textContent.includes(words)), `file ${kTurns - 3}`);
  await becomes(page, 'every hit is unfolded', () => [...document.querySelectorAll('.entry.hit.step')].every((row) => row.classList.contains('open')));
  await watched.close();
});

test('what a tool did is drawn by what it does', { skip }, async () => {
  const { watched, page } = await open(`/c/${plain}?level=3`);
  await page.waitForSelector('.diff-added');
  await shows(page, '.diff-removed', /09:40/);
  await shows(page, '.diff-added', /09:45/);
  await shows(page, '.todo-doing', /change the timetable/);
  await shows(page, '.kind-redacted_thinking', /redacted/);
  await shows(page, '.ansi-f2', /^09:12$/);
  await page.keyboard.press('.');
  await page.waitForSelector('.answer .markdown');
  await watched.close();
});

test('what is added while one reads appears once, in order, and moves nothing', { skip }, async () => {
  const { watched, page } = await open(`/c/${plain}?level=2`, { viewport: { width: 1280, height: 520 } });
  await page.waitForSelector('.link-state.live');
  await page.waitForSelector('.answer table');
  await isDrawn(page);
  const before = await page.evaluate(() => [...document.querySelectorAll('.entry')].slice(0, 5).map((entry) => [entry.id, entry.getBoundingClientRect().top]));
  const count = await page.evaluate(() => document.querySelectorAll('.entry').length);
  growing.says('Is the crew told now?').answers('The crew was told at 09:31.');
  home.run('ingest', home.path('plain.jsonl'));
  await page.waitForFunction((old) => document.querySelectorAll('.entry').length > old || document.querySelector('.unseen'), count);
  await isDrawn(page);
  for (const [id, top] of before) assert.ok(Math.abs(await topOf(page, id) - top) < 1, `${id} moved from ${top} to ${await topOf(page, id)}`);
  await page.keyboard.press('.');
  await page.waitForFunction(() => document.body.textContent.includes('The crew was told at 09:31.'));

  // The server is killed, the session goes on, the server comes back on its port: nothing is lost or doubled.
  await server.stop('SIGKILL');
  await page.waitForSelector('.link-state.gone');
  growing.says('And the passengers?').answers('They were told at 09:33.');
  home.run('ingest', home.path('plain.jsonl'));
  server = await serve(home, { port: server.port });
  await page.waitForSelector('.link-state.live');
  await page.waitForFunction(() => document.body.textContent.includes('They were told at 09:33.'));
  const ordinals = await page.evaluate(() => [...document.querySelectorAll('.entry')].map((entry) => Number(entry.id.slice(1))));
  assert.deepEqual(ordinals, [...new Set(ordinals)].sort((a, b) => a - b));
  await watched.close();
});
