// A conversation in a file (`weft export --as html`): opened from file:, without a server and without a request.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Home, hasBrowser, kPatience, launch, shows } from './harness.mjs';
import { writeHostile, writePlain, writeWithSecret, writeWithSubagent, kSecret } from './transcripts.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
let home, browser;
before(async () => {
  if (skip) return;
  home = new Home();
  writePlain(home.path('plain.jsonl'));
  writeHostile(home.path('hostile.jsonl'));
  writeWithSecret(home.path('secret.jsonl'));
  const parent = writeWithSubagent(home.path('harbour'));
  home.run('ingest', home.path('plain.jsonl'), home.path('hostile.jsonl'), home.path('secret.jsonl'), ...parent);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  home?.remove();
});

// Exports a session, changes the file if `change` is given, and opens it.
async function openFile(session, { args = [], change, bypassCSP = false, hash = '' } = {}) {
  const row = home.json('list').conversations.find((one) => one.session_id.startsWith(session));
  const path = home.path(`${session}-${Math.floor(performance.now())}.html`);
  home.run('export', row.cid, '--as', 'html', '--out', path, '--force', ...args);
  if (change) writeFileSync(path, change(readFileSync(path, 'utf8')));
  const context = await browser.newContext({ bypassCSP, viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  page.setDefaultTimeout(kPatience);
  const faults = [], asked = [];
  page.on('console', (message) => { if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text()); });
  page.on('pageerror', (error) => faults.push(error.stack));
  page.on('dialog', (dialog) => { faults.push(dialog.message()); void dialog.dismiss(); });
  page.on('request', (request) => { if (!request.url().startsWith('blob:')) asked.push(request.url().split('#')[0]); });
  const url = pathToFileURL(path).href;
  await page.goto(url + hash);
  await page.waitForSelector('.entry .line');
  return { page, path, cid: row.cid, close: async () => { await context.close(); assert.deepEqual(faults, []); assert.deepEqual([...new Set(asked)], [url]); } };
}
async function verdict(page) {
  await page.click('.file-check');
  await page.waitForSelector('.file-verdict summary');
  await page.click('.file-verdict summary');
  return page.locator('.file-verdict').textContent();
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
  assert.equal(await page.locator('.entry a[href^="/"], .reader-head a').count(), 0, 'no link leads to a server');
  await close();
});

test('the button checks every thought in the file, and a change of one word shows', { skip }, async () => {
  const good = await openFile('1111');
  assert.match(await verdict(good.page), /holds\d+ thoughts checked/);
  await good.page.waitForSelector('.file-badge.good');
  assert.equal(await good.page.locator('.file-badge.bad').count(), 0);
  await good.close();
  const bad = await openFile('1111', { change: (html) => html.replaceAll('ferry to the island', 'ferry to the mainland') });
  assert.match(await verdict(bad.page), /bad.*does not hash/);
  await bad.page.waitForSelector('.file-badge.bad');
  await bad.close();
});

test('a text beside a signed thought does not pass for it', { skip }, async () => {
  const change = (html) => html.replace(/(<script type="application\/json" id="weft-document">)([^<]*)/, (_, opens, text) => {
    const document = JSON.parse(text);
    Object.assign(document.conversations[0].blocks[0], { content: { text: 'I never said this' }, type: 'anthropic/response', created_at: 0 });
    return opens + JSON.stringify(document);
  });
  const { page, close } = await openFile('1111', { change });
  await verdict(page);
  await shows(page, '#b0 .file-badge', /bad/);
  await shows(page, '#b0', /2026|09:00/);
  assert.ok(await page.locator('#b0.kind-human_input').count(), 'its kind is the signed one');
  await close();
});

test('an opened layer is told apart, a subagent left out is named, and one that is there is read in place', { skip }, async () => {
  const open = await openFile('1111', { args: ['--thinking'] });
  await verdict(open.page);
  await open.page.keyboard.press('3');
  await shows(open.page, '.kind-thinking .file-badge', /text opened, not checkable here/);
  await open.close();
  const without = await openFile('4444');
  await without.page.keyboard.press('3');
  await shows(without.page, '.spawned', /left out of this file/);
  await without.close();
  const whole = await openFile('4444', { args: ['--with-subagents'] });
  await whole.page.keyboard.press('3');
  await whole.page.click('.spawned .more');
  await shows(whole.page, '.inner-reader', /it is oiled/);
  assert.match(await verdict(whole.page), /holds/);
  await whole.close();
});

test('a thought has a link by its CID', { skip }, async () => {
  const row = home.json('list').conversations.find((one) => one.session_id.startsWith('1111'));
  const { blocks } = home.json('walk', row.cid, '--from', '0', '--limit', '500', '--cut', '50');
  const last = blocks.at(-1);
  const { page, close } = await openFile('1111', { hash: `#${last.cid.slice(11)}` });
  await page.waitForSelector(`#b${last.ordinal}`);
  await page.evaluate((name) => { location.hash = name; }, blocks[0].cid.slice(11, 30));
  await page.waitForSelector(`#b${blocks[0].ordinal}.marked`);
  await close();
});

for (const bypassCSP of [false, true]) {
  test(`a hostile conversation in a file runs nothing and asks for nothing, ${bypassCSP ? 'without' : 'with'} the content policy`, { skip }, async () => {
    const { page, close } = await openFile('2222', { bypassCSP, args: ['--thinking'] });
    await page.keyboard.press('3');
    await page.waitForSelector('.entry.open');
    const inspect = async () => {
      assert.equal(await page.evaluate(() => window.__ran), undefined, 'something ran');
      const found = await page.evaluate(() => [...document.querySelectorAll('iframe, object, embed, base, math, template, video, audio, [onload], [onerror], [srcdoc], a[href^="javascript"]')].map((one) => one.outerHTML.slice(0, 80)));
      assert.deepEqual(found, []);
      assert.equal(await page.evaluate(() => document.querySelectorAll('script').length), 3, 'two documents and our script');
    };
    for (let screen = 0; screen < 12; screen++) {
      await inspect();
      await page.keyboard.press('PageDown');
    }
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.body.textContent.includes('the end'));
    await inspect();
    assert.match(await verdict(page), /holds/);
    await inspect();
    await close();
  });
}

test('a secret is nowhere in the file; its thought is signed, masked and not checkable', { skip }, async () => {
  const { page, path, close } = await openFile('3333', { args: ['--thinking'] });
  const bytes = readFileSync(path, 'latin1');
  assert.ok(!bytes.includes(kSecret));
  assert.ok(!bytes.includes(Buffer.from(kSecret).toString('base64').slice(0, 24)));
  await shows(page, '.prompt', /\[secret github-token #[0-9a-f]{4}\]/);
  await shows(page, '.file-badge', /signed; text masked, not checkable here/);
  assert.match(await verdict(page), /holds.*masked: signed, not checkable here/);
  await shows(page, '.file-badge', /signed; text masked, not checkable here/);
  await close();
});

test('reasoning is left out unless it is asked for, and never in what a metadata keyring writes', { skip }, async () => {
  const row = home.json('list').conversations.find((one) => one.session_id.startsWith('3333'));
  const written = (...args) => { const path = home.path('thinking.html'); home.run('export', row.cid, '--as', 'html', '--out', path, '--force', ...args); return readFileSync(path, 'utf8'); };
  assert.ok(!written().includes('the owl counts the crates'));
  assert.ok(written('--thinking').includes('the owl counts the crates'));
  home.run('keys', 'export', '--layer', 'metadata', '--out', home.path('metadata.json'));
  assert.ok(!written('--thinking', '--keys', home.path('metadata.json')).includes('the owl counts the crates'));
});
