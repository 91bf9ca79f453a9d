// proof.html in a browser: it checks itself, offline, and shows nothing that does not hold.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { verifyProof } from '../../docs/verify/proof.mjs';
import { Home, hasBrowser, kPatience, launch, isLong } from './harness.mjs';
import { writeHostile, writePlain } from './transcripts.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
let home, browser, context, html, json, answer;
before(async () => {
  home = new Home();
  writePlain(home.path('plain.jsonl'));
  writeHostile(home.path('hostile.jsonl'));
  home.run('ingest', home.path('plain.jsonl'), home.path('hostile.jsonl'));
  answer = home.json('search', 'crew', '--type', 'response').results[0].cid;
  home.run('prove', answer, '--out', home.path('proof.html'));
  home.run('prove', answer, '--out', home.path('proof.json'));
  html = readFileSync(home.path('proof.html'), 'utf8');
  json = readFileSync(home.path('proof.json'));
  if (skip) return;
  browser = await launch();
  context = await browser.newContext();
});
after(async () => {
  await browser?.close();
  home?.remove();
});

async function open(text, { faults = [] } = {}) {
  const path = home.path('shown.html');
  writeFileSync(path, text);
  const page = await context.newPage();
  page.setDefaultTimeout(kPatience);
  const asked = [];
  page.on('console', (message) => { if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text()); });
  page.on('pageerror', (error) => faults.push(error.stack));
  page.on('request', (request) => asked.push(request.url()));
  const url = pathToFileURL(path).href;
  await page.goto(url);
  assert.deepEqual(asked, [url]);
  return page;
}

let seed = 20261121;
const random = (below) => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % below; };

test('a proof shows itself once it holds: the verdict, the owner, the words, the stubs', { skip }, async () => {
  const faults = [];
  const page = await open(html, { faults });
  await page.waitForSelector('.verdict.good');
  const said = await page.locator('#page').textContent();
  assert.match(said, /Holds/);
  assert.match(said, /signed by the owner/);
  assert.match(said, /ed25519:[0-9a-f]{64}/);
  assert.ok(said.includes(answer));
  assert.match(said, /crew/);
  assert.match(said, /Not proven/);
  await page.close();
  assert.deepEqual(faults, []);
});

test('500 changed bytes of a deeper proof are refused by the second verifier', () => {
  assert.ok(verifyProof(json).ok);
  for (let i = 0; i < (isLong ? 20_000 : 500); i++) {
    const changed = Buffer.from(json);
    const at = random(changed.length);
    changed[at] ^= 1 + random(255);
    assert.equal(verifyProof(changed).ok, false, `byte ${at}`);
  }
});

test('data that was edited does not hold in the browser, and is not shown', { skip }, async () => {
  const begin = html.indexOf('id="weft-proof">') + 16, end = html.indexOf('</script>', begin);
  for (let i = 0; i < (isLong ? 200 : 6); i++) {
    const at = begin + random(end - begin - 2);
    const letter = html[at] === 'A' ? 'B' : 'A';
    const page = await open(html.slice(0, at) + letter + html.slice(at + 1));
    await page.waitForSelector('.verdict.bad');
    assert.equal(await page.locator('article').count(), 0, 'nothing is shown');
    await page.close();
  }
});

test('a page whose verdict was edited does not run, and no other program accepts it', { skip }, async () => {
  const edited = html.replace('"Does not hold"', '"Holds"');
  assert.notEqual(edited, html);
  const faults = [];
  const page = await open(edited, { faults });
  await page.waitForFunction(() => document.querySelector('#page').textContent.includes('Not checked'));
  assert.equal(await page.locator('.verdict').count(), 0);
  assert.match(faults.join('\n'), /Content Security Policy/);
  await page.close();
  const report = verifyProof(Buffer.from(edited));
  assert.equal(report.ok, false);
  assert.match(report.bad[0].reason, /page around it/);
});

test('a hostile text in a proof is text', { skip }, async () => {
  const hostile = home.json('list').conversations.find((one) => one.session_id.startsWith('2222'));
  const { blocks } = home.json('walk', hostile.cid, '--from', '0', '--limit', '500', '--cut', '50');
  const last = blocks.filter((block) => block.type.endsWith('/response')).at(-1);
  home.run('prove', last.cid, '--to', blocks[0].cid, '--out', home.path('hostile.html'));
  const faults = [];
  const page = await open(readFileSync(home.path('hostile.html'), 'utf8'), { faults });
  await page.waitForSelector('.verdict.good');
  assert.equal(await page.evaluate(() => window.__ran), undefined);
  assert.equal(await page.locator('iframe, object, img, svg, form, [onerror], [onload]').count(), 0);
  await page.close();
  assert.deepEqual(faults, []);
});
