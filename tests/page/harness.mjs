// The real weft with a web of its own, and a real browser. Whatever a page does that it should not (an error on the
// console, a request to another host, a violation of the content policy) fails the test that opened it.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const weft = process.env.WEFT_BINARY;
if (!weft) throw new Error('WEFT_BINARY says which weft to test');
export const kBrowser = process.env.WEFT_BROWSER ?? '/usr/bin/chromium';
export const hasBrowser = existsSync(kBrowser);
// How long a test waits for a state. Only a test that fails waits so long, so it may be long: machines can be busy.
export const kPatience = 60_000;
export const isLong = Boolean(process.env.WEFT_LONG);

export class Home {
  constructor() {
    this.scratch = mkdtempSync(join(tmpdir(), 'weft-page-'));
    this.env = { HOME: this.scratch, PATH: process.env.PATH, WEFT_HOME: join(this.scratch, 'weft'), TZ: 'UTC' };
    this.run('init');
  }
  run(...args) { return execFileSync(weft, args, { env: this.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 }); }
  json(...args) { return JSON.parse(this.run(...args, '--json')); }
  path(name) { return join(this.scratch, name); }
  remove() { rmSync(this.scratch, { recursive: true, force: true }); }
}

// weft serve; `url` is the page's.
export async function serve(home, { port = 0, args = [], env = {} } = {}) {
  const child = spawn(weft, ['serve', '--listen', `127.0.0.1:${port}`, ...args], { env: { ...home.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const url = await new Promise((resolve, reject) => {
    const look = (bytes) => {
      said += bytes;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (found) resolve(found[0]);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('exit', (code) => reject(new Error(`weft serve ended with ${code}: ${said}`)));
  });
  const gone = new Promise((resolve) => child.on('exit', resolve));
  return { url, port: Number(new URL(url).port), async stop(signal = 'SIGTERM') { child.kill(signal); await gone; } };
}

export const kArguments = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--font-render-hinting=none'];
export const launch = () => chromium.launch({ executablePath: kBrowser, args: kArguments });

// Opens pages that are watched; `prepare` is called with one before it loads anything. `close()` fails if one did something that it should not.
export class Watched {
  #faults = [];
  constructor(browser, url, options = {}) { Object.assign(this, { browser, url, options }); }

  async open(path = '/', { allow = [], prepare = async () => {} } = {}) {
    this.context ??= await this.browser.newContext({ viewport: { width: 1280, height: 860 }, timezoneId: 'UTC', locale: 'en-GB', ...this.options });
    const page = await this.context.newPage();
    page.setDefaultTimeout(kPatience);
    page.asked = new Set();
    page.on('request', (request) => { if (!request.url().endsWith('/api/events')) page.asked.add(request); });
    for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => page.asked.delete(request));
    const fault = (what) => { if (!allow.some((pattern) => pattern.test(what))) this.#faults.push(`${path}: ${what}`); };
    page.on('console', (message) => { if (message.type() === 'error' || message.type() === 'warning') fault(`console: ${message.text()}`); });
    page.on('pageerror', (error) => fault(`error: ${error.stack ?? error.message}`));
    page.on('request', (request) => { const to = request.url(); if (!to.startsWith(`${this.url}/`) && !to.startsWith('blob:')) fault(`a request to ${to}`); });
    page.on('dialog', (dialog) => { fault(`a dialog: ${dialog.message()}`); void dialog.dismiss(); });
    await prepare(page);
    await page.goto(this.url + path);
    return page;
  }
  async close() {
    await this.context?.close();
    assert.deepEqual(this.#faults, []);
  }
}

// Everything that the page asked for has been answered and is on the screen. The stream of events stays open.
export async function isQuiet(page) {
  const twoFrames = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  for (let quiet = 0; quiet < 3;) {
    await twoFrames();
    quiet = page.asked.size === 0 ? quiet + 1 : 0;
  }
}

// `check`, which runs in the page with `argument`, comes to be true; `what` says what never was if it does not.
export async function becomes(page, what, check, argument) {
  await page.waitForFunction(check, argument).catch((error) => assert.fail(`never: ${what} (${error.message.split('\n')[0]})`));
}

// The first element that `selector` finds comes to show `pattern`.
export async function shows(page, selector, pattern) {
  const { source, flags } = pattern;
  await page.waitForFunction(([where, text, how]) => new RegExp(text, how).test(document.querySelector(where)?.textContent ?? ''),
    [selector, source, flags]).catch(async (error) => {
    assert.fail(`${selector} never showed ${pattern} (${error.name}): ${await page.locator(selector).first().textContent({ timeout: 100 }).catch(() => 'not there')}`);
  });
}

// The reader has drawn rows that are not waiting for their blocks.
export async function readerIsReady(page) {
  await page.waitForSelector('.entry .line');
  await page.waitForFunction(() => document.querySelectorAll('.entry').length > 0 && document.querySelectorAll('.entry .waiting').length === 0);
}

// Nothing will change its height any more: answers are here, Markdown is elements, letters are those of the page's fonts.
// Not for texts that the worker gives up, which stay as they are.
export async function isDrawn(page) {
  await readerIsReady(page);
  await isQuiet(page);
  await page.waitForFunction(() => document.querySelector('.markdown.plain') === null && document.fonts.status === 'loaded');
  await isQuiet(page);
}
