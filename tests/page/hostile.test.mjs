// Transcripts that try everything: nothing runs, nothing is loaded, nothing is reported; with the content policy, and
// once more without it, for the policy is the last line and not the first.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Home, Watched, hasBrowser, launch, readerIsReady, serve } from './harness.mjs';
import { writeHostile } from './transcripts.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
let home, server, browser, conversation, blocks;
before(async () => {
  if (skip) return;
  home = new Home();
  writeHostile(home.path('hostile.jsonl'));
  home.run('ingest', home.path('hostile.jsonl'));
  conversation = home.json('list').conversations[0].cid.slice(11);
  blocks = home.json('walk', conversation, '--from', '0', '--limit', '500', '--cut', '50').blocks;
  server = await serve(home);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  home?.remove();
});

// What the page consists of, apart from its own frame, is text and a few elements.
const kForbidden = 'script:not([src^="/assets/"]), iframe, object, embed, style, base, form:not(.home-search), meta[http-equiv], link:not([href^="/assets/"]), [onload], [onerror], [srcdoc], math, template, video, audio';

async function inspect(page) {
  const found = await page.evaluate((forbidden) => ({
    ran: window.__ran,
    elements: [...document.querySelectorAll(forbidden)].map((element) => element.outerHTML.slice(0, 80)),
    links: [...document.querySelectorAll('a[href]')].map((link) => link.href).filter((href) => !/^(https?|mailto):/.test(href)),
    images: [...document.querySelectorAll('img')].map((image) => image.src).filter((src) => src && !src.startsWith('blob:')),
    title: document.title,
  }), kForbidden);
  assert.equal(found.ran, undefined, 'something ran');
  assert.deepEqual(found.elements, []);
  assert.deepEqual(found.links, []);
  assert.deepEqual(found.images, []);
  assert.match(found.title, /weft$/);
}

for (const bypassCSP of [false, true]) {
  test(`nothing of a hostile transcript runs, ${bypassCSP ? 'without' : 'with'} the content policy`, { skip }, async () => {
    const watched = new Watched(browser, server.url, { bypassCSP });
    const page = await watched.open(`/c/${conversation}?level=3`);
    await readerIsReady(page);
    for (let at = 0; at < blocks.length; at += 6) {
      await page.evaluate((row) => history.replaceState(history.state, '', `?level=3&at=${row}`), at);
      await page.evaluate(() => window.dispatchEvent(new PopStateEvent('popstate')));
      await readerIsReady(page);
      await inspect(page);
    }
    for (const path of ['/', '/sessions', '/search?q=script', '/search?q=onerror', '/stats', '/cost?by=project', '/cost?by=session', '/sources', `/c/${conversation}/files`,
      `/t/${blocks[0].cid.slice(11)}`, `/t/${blocks[2].cid.slice(11)}?view=why`, `/t/${blocks[0].cid.slice(11)}?view=effects`, `/t/${blocks[1].cid.slice(11)}?view=stored`]) {
      await page.goto(server.url + path);
      await page.waitForSelector('main :is(.session, .hit, table, .tabs, .changed-file, .nothing)');
      await inspect(page);
    }
    await watched.close();
  });
}

test('hidden characters are shown', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open(`/c/${conversation}?level=3`);
  await readerIsReady(page);
  await page.click('.prompt .more');
  await page.waitForFunction(() => document.querySelector('.prompt')?.textContent.includes('⟨U+202E⟩'));
  await watched.close();
});
