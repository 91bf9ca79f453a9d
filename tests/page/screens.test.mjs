// Every screen works under the content policy and by keyboard alone, and a thought is checked in the browser. How the
// screens look is in looks.test.mjs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Watched, hasBrowser, isQuiet, readerIsReady, shows } from './harness.mjs';
import { Gallery, violations } from './states.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
const gallery = new Gallery();
before(async () => { if (!skip) await gallery.start(); });
after(() => gallery.stop());

test('a tour by keyboard alone', { skip }, async () => {
  const watched = new Watched(gallery.browser, gallery.servers.full.url);
  const page = await watched.open('/');
  await page.waitForSelector('.session');
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  await press('/');
  await page.waitForSelector('.search-field input:focus');
  await page.keyboard.type('ferry');
  await page.waitForSelector('.hit mark');
  await isQuiet(page);
  await press('Enter');
  await page.waitForSelector('a.hit:focus');
  await press('Enter');
  await page.waitForSelector('.entry.marked');
  await readerIsReady(page);
  await press('j');
  await page.waitForSelector('.entry.current:focus');
  await press('w');
  await page.waitForSelector('.inspector .trace');
  await press('Escape');
  await page.waitForSelector('.inspector', { state: 'detached' });
  await press('Enter');
  await page.waitForSelector('.thought-screen');
  // To the tabs, and along them.
  for (let step = 0; step < 30 && !(await page.evaluate(() => document.activeElement?.getAttribute('role') === 'tab')); step++) await press('Tab');
  await press('ArrowRight');
  await page.waitForSelector('[role=tab][aria-selected=true]:has-text("Why"):focus');
  for (const [key, screen] of [['l', '.list-screen'], ['t', '.bars'], ['c', '.cost-table'], ['o', '.sources-screen'], ['h', '.home']]) {
    await press('g', key);
    await page.waitForSelector(screen);
  }
  await press('g', 'l');
  await page.waitForSelector('.session');
  for (let step = 0; step < 30 && !(await page.evaluate(() => document.activeElement?.matches('.session:not(.tombstone)'))); step++) await press('Tab');
  await press('Enter');
  await readerIsReady(page);
  await press('f');
  await page.waitForSelector('.changed-file');
  for (let step = 0; step < 30 && !(await page.evaluate(() => document.activeElement?.matches('.edits a'))); step++) await press('Tab');
  await press('Enter');
  await page.waitForSelector('.entry.marked .diff, .entry.marked .line');
  await watched.close();
});

test('palette and help pass, too, and Escape closes them', { skip }, async () => {
  const watched = new Watched(gallery.browser, gallery.servers.full.url, { bypassCSP: true, reducedMotion: 'reduce' });
  const page = await watched.open('/');
  await page.waitForSelector('.session');
  for (const [key, dialog] of [['Control+k', '.palette'], ['?', '.help']]) {
    await page.keyboard.press(key);
    await page.waitForSelector(dialog);
    assert.deepEqual(await violations(page), [], dialog);
    await page.keyboard.press('Escape');
    await page.waitForSelector(dialog, { state: 'detached' });
  }
  await watched.close();
});

test('under the content policy every screen works without a report', { skip }, async () => {
  for (const what of Object.values(gallery.screens())) await (await gallery.openScreen(what)).close();
});

test('a thought is checked in the browser, and a changed one is bad', { skip }, async () => {
  const watched = new Watched(gallery.browser, gallery.servers.full.url);
  const page = await watched.open(`/t/${gallery.answer}`);
  await page.waitForSelector('.badge.good');
  await shows(page, '.check', /thought: signature.*checkpoint: signature.*place: path/s);
  await gallery.tamper(page);
  await page.reload();
  await page.waitForSelector('.check .badge.bad');
  await shows(page, '.check', /thought: content.*hashes to/s);
  await watched.close();
});
