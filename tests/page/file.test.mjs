// The reader in a file: opened from file:, without a server and without a request.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildPage } from '../../page/build.mjs';
import { fileOf } from '../../page/tools/file.mjs';
import { Home, hasBrowser, kPatience, launch, serve, shows } from './harness.mjs';
import { writeHostile, writePlain } from './transcripts.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
let home, server, browser, folder, reader;
before(async () => {
  if (skip) return;
  home = new Home();
  writePlain(home.path('plain.jsonl'));
  writeHostile(home.path('hostile.jsonl'));
  home.run('ingest', home.path('plain.jsonl'), home.path('hostile.jsonl'));
  server = await serve(home);
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), 'weft-file-'));
  await buildPage(join(folder, 'out'));
  reader = readFileSync(join(folder, 'out', 'file', 'reader.html'), 'utf8');
});
after(async () => {
  await browser?.close();
  await server?.stop();
  home?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

// Writes the conversation into a file, ends what served it, and opens the file.
async function openFile(session) {
  const row = home.json('list').conversations.find((one) => one.session_id.startsWith(session));
  const get = async (path) => (await fetch(`${server.url}/api/conversations/${row.cid.slice(11)}${path}`)).json();
  const [conversation, outline, { blocks }] = [await get(''), await get('/outline'), await get('/blocks?limit=500&cut=10000000')];
  assert.equal(blocks.length, outline.count);
  const path = join(folder, `${session}.html`);
  writeFileSync(path, fileOf(reader, { conversation, outline, blocks }));
  const page = await browser.newPage();
  page.setDefaultTimeout(kPatience);
  const faults = [];
  const asked = [];
  page.on('console', (message) => { if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text()); });
  page.on('pageerror', (error) => faults.push(error.stack));
  page.on('request', (request) => { if (!request.url().startsWith('blob:')) asked.push(request.url()); });
  const url = pathToFileURL(path).href;
  await page.goto(url);
  await page.waitForSelector('.entry .line');
  return { page, close: async () => { await page.close(); assert.deepEqual(faults, []); assert.deepEqual(asked, [url]); } };
}

test('a conversation is read from a file: rows, levels, Markdown, colours, find, images; nothing is asked for', { skip }, async () => {
  const { page, close } = await openFile('1111');
  await page.keyboard.press('3');
  await page.waitForSelector('.diff-added');
  await page.waitForSelector('.answer table');
  await shows(page, '.diff-added', /09:45/);
  await shows(page, '.ansi-f2', /^09:12$/);
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelector('.picture')?.naturalWidth === 1);
  await page.keyboard.press('Control+f');
  await page.waitForSelector('.find input:focus');
  await page.keyboard.type('crew');
  await shows(page, '.find [role=status]', /of/);
  await page.keyboard.press('Escape');
  await page.waitForSelector('.find', { state: 'detached' });
  await page.keyboard.press('j');
  await page.waitForSelector('.entry.current');
  await page.keyboard.press('r');
  await page.waitForSelector('.entry.current .code');
  assert.equal(await page.locator('.entry a[href^="/"]').count(), 0, 'no link leads to a server');
  await close();
});

test('a hostile conversation in a file runs nothing and asks for nothing', { skip }, async () => {
  const { page, close } = await openFile('2222');
  await page.keyboard.press('3');
  await page.waitForSelector('.entry.open');
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.body.textContent.includes('the end'));
  assert.equal(await page.evaluate(() => window.__ran), undefined);
  await close();
});
