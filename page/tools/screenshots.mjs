// Redraws docs/images: WEFT_BINARY=… node page/tools/screenshots.mjs
//
// The sessions are written here (tests/page/transcripts.mjs) and woven by a weft with a home of its own, so that the
// pictures show nothing of anybody's work. The scheme is that of the name.
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Home, Watched, isQuiet, launch, readerIsReady, serve } from '../../tests/page/harness.mjs';
import { Orchard } from '../../tests/page/orchard.mjs';
import { writeHarbour } from '../../tests/page/transcripts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const out = join(root, 'docs', 'images');
const kGarden = '5f0c1a52-94d1-4c0e-8a55-0d1f6f6a7c01';
const home = new Home();
const grove = new Home();
let server, files, browser;
try {
  mkdirSync(home.path(`in/${kGarden}/subagents`), { recursive: true });
  const fixtures = join(root, 'tests', 'fixtures', 'claude_code');
  copyFileSync(join(fixtures, 'main.jsonl'), home.path(`in/${kGarden}.jsonl`));
  copyFileSync(join(fixtures, 'agent-a7d3.jsonl'), home.path(`in/${kGarden}/subagents/agent-a7d3.jsonl`));
  writeHarbour(home.path('in'), Date.now());
  home.run('ingest', home.path('in'));
  const rows = home.json('list').conversations;
  const forget = rows.find((row) => /tide/i.test(row.title ?? ''));
  if (forget) home.run('forget', forget.cid, '--yes');
  const main = rows.find((row) => /ferry/i.test(row.title ?? '')).cid.slice(11);
  const garden = rows.find((row) => row.session_id === kGarden && row.source === 'primary').cid;
  const blocks = home.json('walk', main, '--from', '0', '--limit', '200').blocks;
  const answer = blocks.filter((block) => block.type.endsWith('/response')).at(-1).cid.slice(11);
  const child = rows.find((row) => row.source !== 'primary');
  const inner = home.json('walk', child.cid, '--from', '0', '--limit', '50').blocks.at(-1).cid.slice(11);
  const call = home.json('walk', garden, '--from', '0', '--limit', '50').blocks.find((block) => block.content.tool_name === 'Agent' || block.content.tool_name === 'Task');
  server = await serve(home);
  const calls = new Orchard(grove).grow().calls();
  files = await serve(grove);
  browser = await launch();
  const shot = async (name, path, ready, { act = async () => {}, size = { width: 1200, height: 760 }, of = server } = {}) => {
    const watched = new Watched(browser, of.url, { viewport: size, colorScheme: name.endsWith('dark') ? 'dark' : 'light', reducedMotion: 'reduce' });
    const page = await watched.open(path);
    await page.waitForSelector(ready);
    if (path.startsWith('/c/') && !path.includes('/files')) await readerIsReady(page);
    await act(page);
    await page.waitForFunction(() => document.querySelector('.markdown.plain') === null);  // the worker has answered
    await page.evaluate(() => document.fonts.ready);
    await isQuiet(page);
    await page.screenshot({ path: join(out, `${name}.png`) });
    await watched.close();
    process.stdout.write(`${name}.png\n`);
  };
  const why = async (page) => { await page.click('text=Picture'); await page.waitForSelector('.graph .box'); };
  await shot('home-light', '/', '.today-ribbon');
  await shot('sessions-dark', '/sessions', '.session.tombstone');
  await shot('search-light', '/search?q=ferry', '.hit');
  await shot('reader-light', `/c/${main}`, '.entry');
  await shot('reader-dark', `/c/${main}?level=2`, '.entry');
  await shot('reader-all-light', `/c/${main}?level=3&at=9`, '.diff');
  await shot('inspector-light', `/c/${main}`, '.entry', { act: async (page) => { for (let step = 0; step < 5; step++) await page.keyboard.press('j'); await page.keyboard.press('w'); await page.waitForSelector('.inspector .trace-outline li'); } });
  await shot('picture-light', `/t/${answer}?view=why`, '.trace', { act: why });
  await shot('picture-dark', `/t/${inner}?view=why`, '.trace', { act: why });
  await shot('thought-dark', `/t/${answer}`, '.badge.good', { act: async (page) => { await page.click('.check summary'); } });
  await shot('subagent-light', `/c/${garden.slice(11)}?level=3&at=${call.ordinal}`, '.spawned', { act: async (page) => { await page.click('.spawned >> text=read beside'); await page.waitForSelector('.beside .entry .line'); } });
  await shot('files-light', `/c/${main}/files`, '.changed-file .diff');
  await shot('blame-light', `/t/${calls['trees.ts']}/file`, '.origin.first', { of: files, act: async (page) => { await page.keyboard.press('j'); await page.waitForSelector('#run-4:focus'); } });
  await shot('phone-dark', `/c/${main}`, '.entry', { size: { width: 390, height: 780 } });
} finally {
  await browser?.close();
  await server?.stop();
  await files?.stop();
  home.remove();
  grove.remove();
}
