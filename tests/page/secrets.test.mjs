// Secrets on the page: masked until somebody asks for their values, in the reader, on the screen of a thought, and as it
// is stored. What is checked has no masks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Home, Watched, hasBrowser, isQuiet, launch, readerIsReady, serve, shows } from './harness.mjs';
import { Session } from './transcripts.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
const kToken = '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';  // valid, and no service issued it
let home, server, browser, conversation, prompt;
before(async () => {
  if (skip) return;
  home = new Home();
  new Session(home.path('secret.jsonl'), { id: '99999999-aaaa-4aaa-8aaa-999999999999' }).says(`Push with ${kToken} please.`)
    .runs('Bash', { command: `curl -H "Authorization: ${kToken}" https://harbour.example` }, `token ${kToken}\nthe pier is sound`).answers('Pushed.');
  home.run('ingest', home.path('secret.jsonl'));
  conversation = home.json('list').conversations[0].cid.slice(11);
  prompt = home.json('walk', conversation, '--from', '0', '--limit', '9').blocks[0].cid.slice(11);
  server = await serve(home);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  home?.remove();
});

const isClear = (page) => page.evaluate((token) => document.body.textContent.includes(token), kToken);

test('the reader masks secrets, shows their values when asked, and masks them again', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open(`/c/${conversation}?level=3`);
  await readerIsReady(page);
  await shows(page, '.entry.kind-human_input', /\[secret github-token/);
  await page.waitForSelector('.entry.kind-tool_request .badge:has-text("text masked")');
  assert.equal(await isClear(page), false);
  await page.click('.entry.kind-human_input .masked >> text=show');
  await shows(page, '.entry.kind-human_input', new RegExp(kToken));
  await page.click('.entry.kind-human_input .masked >> text=mask again');
  await shows(page, '.entry.kind-human_input .masked', /text masked/);
  await shows(page, '.entry.kind-human_input', /\[secret github-token/);
  assert.equal(await isClear(page), false);
  // The call and its result: each has a button of its own.
  await page.waitForFunction(() => document.querySelectorAll('.entry.kind-tool_request .masked').length === 2);
  await page.click('.entry.kind-tool_request .masked >> nth=1 >> text=show');
  await shows(page, '.entry.kind-tool_request .tool-body', new RegExp(`token ${kToken}`));
  await watched.close();
});

test('the badge says that the text is masked; content and stored form are clear only when asked for', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open(`/t/${prompt}`);
  await page.waitForSelector('.badge.good');
  await shows(page, '.check summary', /valid.*text masked/);
  await isQuiet(page);
  assert.equal(await isClear(page), false);
  await page.click('.thought .masked >> text=show');
  await shows(page, '.thought', new RegExp(kToken));
  await page.reload();
  await page.waitForSelector('.badge.good');
  assert.equal(await isClear(page), false, 'a value stays shown for as long as its screen');
  await page.click('role=tab[name="As stored"]');
  await page.waitForSelector('[role=tabpanel] .masked');
  assert.equal(await isClear(page), false);
  await page.click('[role=tabpanel] .masked >> text=show');
  await shows(page, '[role=tabpanel] .code', new RegExp(kToken));
  await watched.close();
});
