// Who gets in with a browser: the token comes in a fragment or by weft open, stays in this tab and its neighbours, and
// without it nothing is shown. And what a server without the content key never sends, a browser never has.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { Home, Watched, hasBrowser, kArguments, kBrowser, kPatience, launch, serve, shows } from './harness.mjs';
import { Session, writePlain } from './transcripts.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
const kName = 'weft.localhost';  // a name of this machine that --host allows: whoever uses it needs the token
const kSecret = 'pomegranatewhisper';
let home, server, browser, url, token;
before(async () => {
  if (skip) return;
  home = new Home();
  writePlain(home.path('plain.jsonl'));
  new Session(home.path('secret.jsonl'), { id: '44444444-dddd-4ddd-8ddd-444444444444' }).says('What do you think of the pier?')
    .thinks(`I think of the ${kSecret}, and of nothing else.`).answers('The pier is sound.');
  home.run('ingest', home.path('plain.jsonl'), home.path('secret.jsonl'));
  server = await serve(home, { args: ['--host', kName] });
  url = `http://${kName}:${server.port}`;
  token = readFileSync(join(home.env.WEFT_HOME, 'serve.token'), 'utf8').trim();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  home?.remove();
});

test('without the token the page says so and shows nothing; a wrong one does not help', { skip }, async () => {
  for (const fragment of ['', '#token=wrong']) {
    const watched = new Watched(browser, url);
    const page = await watched.open(`/sessions${fragment}`, { allow: [/401/] });
    await page.waitForSelector('.nothing');
    await shows(page, 'main', /asks for its token/);
    assert.equal(await page.locator('.session').count(), 0);
    await watched.close();
  }
});

test('a token in the fragment leaves the URL at once, and is kept for this tab and handed to the next', { skip }, async () => {
  const watched = new Watched(browser, url);
  const page = await watched.open(`/sessions#token=${token}`);
  await page.waitForSelector('.session');
  await page.waitForSelector('.link-state.live');
  assert.equal(page.url(), `${url}/sessions`);
  assert.equal(await page.evaluate(() => Object.values(sessionStorage).join()), token);
  assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes(token));
  assert.equal(await page.evaluate(() => document.cookie), '');
  const next = await watched.open('/sessions', { allow: [/401/] });  // it asks before it has one
  await next.waitForSelector('.session');
  assert.equal(await next.evaluate(() => Object.values(sessionStorage).join()), token);
  await next.reload();
  await next.waitForSelector('.session');
  await watched.close();
});

test('a browser that knows no tab with a token gets none', { skip }, async () => {
  const first = new Watched(browser, url);
  const page = await first.open(`/sessions#token=${token}`);
  await page.waitForSelector('.session');
  const second = new Watched(browser, url);  // a context of its own: another profile
  const other = await second.open('/sessions', { allow: [/401/] });
  await other.waitForSelector('.nothing');
  await first.close();
  await second.close();
});

test('weft open hands the browser a file that only its owner can read, and that leads to the page', { skip }, async () => {
  const started = home.path('browser');
  writeFileSync(started, `#!/bin/sh\necho "$1" > ${home.path('opened')}\n`);
  chmodSync(started, 0o755);
  execFileSync(process.env.WEFT_BINARY, ['open'], { env: { ...home.env, BROWSER: started }, stdio: 'ignore' });
  const opened = readFileSync(home.path('opened'), 'utf8').trim();
  assert.ok(!opened.includes(token), 'the list of processes would show the token');
  const page = await browser.newPage();
  page.setDefaultTimeout(kPatience);
  if (opened.startsWith('file:')) {
    const path = join(home.env.WEFT_HOME, 'open.html');
    assert.equal(opened, pathToFileURL(path).href);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  }
  await page.goto(opened, { waitUntil: 'commit' });  // the file leads on at once
  await page.waitForSelector('.session');
  assert.ok(!page.url().includes('token'));
  await page.close();
});

const filesUnder = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));

test('with a metadata keyring no byte of reasoning is in an answer, or in the profile that the browser leaves on disk', { skip }, async () => {
  home.run('keys', 'export', '--layer', 'metadata', '--out', home.path('metadata.json'));
  const closed = await serve(home, { args: ['--keys', home.path('metadata.json')] });
  const profile = mkdtempSync(join(tmpdir(), 'weft-profile-'));
  try {
    const row = home.json('list').conversations.find((one) => one.session_id.startsWith('4444'));
    assert.match(home.run('walk', row.cid, '--json'), new RegExp(kSecret), 'it is there, for the owner');
    const context = await chromium.launchPersistentContext(profile, { executablePath: kBrowser, args: kArguments });
    const page = context.pages()[0] ?? await context.newPage();
    page.setDefaultTimeout(kPatience);
    const answers = [];
    page.on('response', (response) => response.url().endsWith('/api/events') || answers.push(response.text().then((text) => `${response.url()} ${JSON.stringify(response.headers())} ${text}`, () => '')));
    for (const [path, ready] of [['/', '.session'], [`/c/${row.cid.slice(11)}?level=3`, '.kind-thinking.open'], [`/search?q=${kSecret}`, '.nothing'], ['/search?q=pier', '.hit'], ['/stats', '.bars']]) {
      await page.goto(closed.url + path);
      await page.waitForSelector(ready);
    }
    assert.ok(answers.length > 10);
    for (const text of await Promise.all(answers)) assert.ok(!text.replaceAll(`q=${kSecret}`, '').replaceAll(`"query":"${kSecret}`, '').includes(kSecret), text.slice(0, 200));
    await page.goto(`${closed.url}/c/${row.cid.slice(11)}?level=3`);
    await page.waitForSelector('.kind-thinking.open');
    await context.close();
    // The words that were searched for are in the history: people type them. What the transcript says beside them is not.
    for (const path of filesUnder(profile)) {
      const bytes = readFileSync(path);
      assert.ok(!bytes.includes('and of nothing else'), path);
      assert.ok(!bytes.includes('The pier is sound'), `an answer that was shown is in ${path}`);
    }
  } finally {
    await closed.stop();
    rmSync(profile, { recursive: true, force: true });
  }
});
