// Conversations that are not one line: branches, forks with their share in common, and facets that narrow a search.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Home, Watched, becomes, hasBrowser, isQuiet, launch, readerIsReady, serve, shows } from './harness.mjs';
import { Session } from './transcripts.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
let home, server, browser, garden, fork;
before(async () => {
  if (skip) return;
  home = new Home();
  const session = new Session(home.path('in/garden.jsonl'), { id: '91919191-aaaa-4aaa-8aaa-919191919191', cwd: '/home/ada/garden', start: Date.UTC(2026, 8, 20, 9, 0) });
  session.says('Plant a tree by the wall.').answers('An oak, or a birch?');
  const { mark } = session;
  session.says('An oak.').runs('Bash', { command: 'plant oak' }, 'planted an oak by the wall').answers('The oak stands by the wall.')
    .backTo(mark).says('A birch.').runs('Bash', { command: 'plant birch' }, 'planted a birch by the wall').answers('The birch stands by the wall.');
  const branchless = new Session(home.path('in/pond.jsonl'), { id: '92929292-aaaa-4aaa-8aaa-929292929292', cwd: '/home/ada/pond', start: Date.UTC(2026, 9, 3, 9, 0) });
  branchless.says('How deep is the pond by the wall?').runs('Read', { file_path: '/home/ada/pond/depth.txt' }, 'by the wall: 2 m').answers('Two metres by the wall.');
  branchless.forkedAs(home.path('in/fork.jsonl'), '93939393-aaaa-4aaa-8aaa-939393939393').says('And in the middle?').answers('Four metres.');
  home.run('ingest', home.path('in'));
  const rows = home.json('list').conversations;
  garden = rows.find((row) => row.session_id.startsWith('9191')).cid.slice(11);
  fork = rows.find((row) => row.session_id.startsWith('9393')).cid.slice(11);
  server = await serve(home);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  home?.remove();
});

test('other branches are shown on demand, and find reaches them then', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open(`/c/${garden}`);
  await readerIsReady(page);
  await isQuiet(page);
  assert.equal(await page.locator('.entry:has-text("The oak stands")').count(), 0, 'the branch that was left is not in the way');
  const find = async (words) => {
    await page.keyboard.press('Control+f');
    await page.waitForSelector('.find input:focus');
    await page.fill('.find input', words);
  };
  await find('"oak stands"');
  await shows(page, '.find [role=status]', /nothing found/);
  await page.keyboard.press('Escape');
  await page.click('.reader-tools [title^="Other branches"]');
  await page.waitForSelector('.entry.other-branch');
  await readerIsReady(page);
  await shows(page, '.entry.other-branch', /another branch/);
  await find('"oak stands"');
  await shows(page, '.find [role=status]', /1 of/);
  await page.waitForSelector('.entry.hit.other-branch:has-text("The oak stands by the wall")');
  // Both branches: all hits of a word that stands in each, in order.
  await find('wall');
  await becomes(page, 'hits of both branches', () => [...document.querySelectorAll('.entry.hit')].some((row) => row.classList.contains('other-branch')) && [...document.querySelectorAll('.entry.hit')].some((row) => !row.classList.contains('other-branch')));
  // Back to one branch: what was read is still there.
  await page.keyboard.press('Escape');
  await page.click('.entry:has-text("The birch stands") .line', { position: { x: 300, y: 8 } });
  await page.waitForSelector('.entry.current:has-text("The birch stands")');
  await page.click('.reader-tools [title^="Other branches"]');
  await page.waitForSelector('.entry.marked:has-text("The birch stands")');
  await page.waitForSelector('.entry.other-branch', { state: 'detached' });
  await watched.close();
});

test('a link to a thought of another branch opens it there', { skip }, async () => {
  const oak = home.json('search', '"oak stands"').results[0].cid.slice(11);
  const watched = new Watched(browser, server.url);
  const page = await watched.open(`/c/${garden}?t=${oak}`);
  await page.waitForSelector('.entry.marked.other-branch:has-text("The oak stands")');
  await watched.close();
});

test('a fork says how much it has in common with what it continues', { skip }, async () => {
  const { fork: share } = await (await fetch(`${server.url}/api/conversations/${fork}`)).json().then(async (row) => (row.fork ? row : (await (await fetch(`${server.url}/api/conversations`)).json()).conversations.find((one) => one.cid.endsWith(fork))));
  assert.ok(share.shared > 0 && share.shared < share.blocks);
  const watched = new Watched(browser, server.url);
  const page = await watched.open('/sessions');
  await page.waitForSelector('.session:has-text("fork")');
  await shows(page, `.session[href="/c/${fork}"]`, new RegExp(`fork, ${Math.round(share.shared / share.blocks * 100)} % in common`));
  await watched.close();
});

test('facets narrow what was found by kind, tool, project and month, and become chips', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open('/search');
  await page.waitForSelector('.search-field input:focus');
  await page.keyboard.type('wall');
  await page.waitForSelector('.facets');
  const chip = (words) => page.locator('.facets .chip', { hasText: words });
  for (const words of ['Prompt', 'Result', 'Bash', 'Read', 'garden', 'pond', '2026-09', '2026-10']) await chip(words).first().waitFor();
  await chip('pond').click();
  await shows(page, '.chips', /project:/);
  await becomes(page, 'only the pond is left', () => document.querySelectorAll('.hit').length > 0 && [...document.querySelectorAll('.hit-title')].every((title) => /pond/i.test(title.textContent)));
  await page.click('.chips .chip');
  await becomes(page, 'the garden is back', () => [...document.querySelectorAll('.hit-title')].some((title) => /tree/i.test(title.textContent)));
  await chip('2026-09').click();
  await shows(page, '.chips', /since:2026-09-01.*until:2026-09-30/s);
  await becomes(page, 'only September is left', () => document.querySelectorAll('.hit').length > 0 && [...document.querySelectorAll('.hit time')].every((time) => time.textContent.startsWith('2026-09')));
  await chip('Result').click();
  await becomes(page, 'only results are left', () => document.querySelectorAll('.hit').length > 0 && [...document.querySelectorAll('.hit b')].every((kind) => kind.textContent === 'Result'));
  await watched.close();
});
