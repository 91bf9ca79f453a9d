// Every screen of the page in every state that it has, and how to open it there; what may be asked of each: whether axe
// finds a violation, and whether it scrolls sideways.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Home, Watched, isQuiet, launch, readerIsReady, serve } from './harness.mjs';
import { Orchard } from './orchard.mjs';
import { Session, writePlain } from './transcripts.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const kTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const kName = 'weft.localhost';  // a name of this machine that --host allows: who uses it needs the token
const kGone = [/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE/];

// A web with a conversation, one that was forgotten, an empty one and one with a repository beside it, and servers of all.
export class Gallery {
  async start() {
    const home = this.home = new Home();
    this.empty = new Home();
    writePlain(home.path('session.jsonl'));
    new Session(home.path('gone.jsonl'), { id: '77777777-aaaa-4aaa-8aaa-777777777777' }).says('Forget the tide tables.').answers('They are noted.');
    new Session(home.path('secret.jsonl'), { id: '99999999-aaaa-4aaa-8aaa-999999999999', start: Date.UTC(2026, 9, 1) })
      .says('Push with 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 please.').answers('Pushed.');  // valid, and no service issued it
    home.run('ingest', home.path('session.jsonl'), home.path('gone.jsonl'), home.path('secret.jsonl'));
    home.run('forget', home.json('list').conversations.find((row) => row.session_id.startsWith('7777')).cid, '--yes');
    this.grove = new Home();
    this.calls = new Orchard(this.grove).grow().calls();
    home.run('keys', 'export', '--layer', 'metadata', '--out', home.path('metadata.json'));
    const session = (id) => home.json('list').conversations.find((row) => row.session_id.startsWith(id)).cid.slice(11);
    [this.conversation, this.masked] = [session('1111'), session('9999')];
    this.answer = home.json('walk', this.conversation, '--from', '0', '--limit', '50').blocks.find((block) => block.type.endsWith('/response')).cid.slice(11);
    this.servers = { full: await serve(home, { args: ['--host', kName] }), sealed: await serve(home, { args: ['--keys', home.path('metadata.json')] }), empty: await serve(this.empty), grove: await serve(this.grove) };
    this.tombstone = (await (await fetch(`${this.servers.full.url}/api/forgotten`)).json()).forgotten[0].cid.slice(11);
    this.browser = await launch();
  }
  async stop() {
    await this.browser?.close();
    for (const server of Object.values(this.servers ?? {})) await server.stop();
    this.home?.remove();
    this.empty?.remove();
    this.grove?.remove();
  }

  // The same thought from a server that changed a word of its stored form.
  tamper(page) {
    return page.route((url) => url.search.includes('sealed=true') && url.pathname.includes(this.answer.slice(0, 20)), async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('ferry', 'berry') });
    });
  }

  // Every screen in every state that it has. `server` names the one that it is of; `act` leads to the state.
  screens() {
    const { conversation, answer, masked, tombstone } = this;
    const tamper = (page) => this.tamper(page);
    return {
      home: { path: '/', ready: '.session' },
      'home, nothing yet': { server: 'empty', path: '/', ready: '.nothing' },
      'home, the server gone': { path: '/', ready: '.session', isDying: true, act: async (page, stop) => { await page.waitForSelector('.link-state.live'); await stop(); await page.waitForSelector('.link-state.gone'); }, allow: kGone },
      'no token': { isNamed: true, path: '/sessions', ready: '.nothing', allow: [/401/] },
      sessions: { path: '/sessions', ready: '.session.tombstone' },
      'sessions, nothing yet': { server: 'empty', path: '/sessions', ready: '.nothing' },
      'sessions, none': { path: '/sessions?title=nosuchtitle', ready: '.nothing' },
      search: { path: '/search?q=ferry', ready: '.hit' },
      'search, nothing typed': { path: '/search', ready: '.examples' },
      'search, none': { path: '/search?q=nosuchword', ready: '.nothing' },
      'search, sealed': { server: 'sealed', path: '/search?q=timetable', ready: '.hit' },
      reader: { path: `/c/${conversation}`, ready: 'div.answer' },
      'reader, all': { path: `/c/${conversation}?level=3`, ready: '.diff' },
      'reader, sealed': { server: 'sealed', path: `/c/${conversation}?level=3`, ready: '.thinking-text.sealed' },
      'reader, masked': { path: `/c/${masked}`, ready: '.masked .badge', act: async (page) => { await page.click('.masked >> text=show'); await page.waitForSelector('.masked >> text=mask again'); } },
      'reader, find and inspector': { path: `/c/${conversation}`, ready: 'div.answer', act: async (page) => { await page.keyboard.press('j'); await page.waitForSelector('.entry.current'); await page.keyboard.press('w'); await page.waitForSelector('.inspector .trace'); await page.keyboard.press('Control+f'); await page.waitForSelector('.find'); } },
      files: { path: `/c/${conversation}/files`, ready: '.changed-file .diff' },
      'files, none': { path: `/c/${conversation}/files?block=${answer}`, ready: '.nothing' },
      'files, beside': { path: `/c/${conversation}`, ready: 'div.answer', act: async (page) => { await page.keyboard.press('J'); await page.waitForSelector('.entry.current'); await page.keyboard.press('F'); await page.waitForSelector('.changes-pane .changed-file'); } },
      blame: { server: 'grove', path: `/t/${this.calls['trees.ts']}/file`, ready: '.origin.first', act: async (page) => { await page.keyboard.press('j'); await page.waitForSelector('#run-4:focus'); } },
      'blame, not shown': { path: `/t/${answer}/file`, ready: '.problem', allow: [/404/] },
      thought: { path: `/t/${answer}`, ready: '.badge.good' },
      'thought, bad': { path: `/t/${answer}`, ready: '.check .badge.bad', prepare: tamper },
      'thought, a tombstone': { path: `/t/${tombstone}`, ready: '.check .badge' },
      why: { path: `/t/${answer}?view=why`, ready: '.trace-outline li' },
      'why, lanes': { path: `/t/${answer}?view=why`, ready: '.trace-outline li', act: async (page) => { await page.click('text=Lanes'); await page.waitForSelector('.trace-lanes li'); } },
      'why, a picture': { path: `/t/${answer}?view=why`, ready: '.trace-outline li', act: async (page) => { await page.click('text=Picture'); await page.waitForSelector('.graph .box'); } },
      effects: { path: `/t/${answer}?view=effects`, ready: '.trace' },
      stored: { path: `/t/${answer}?view=stored`, ready: '.code' },
      stats: { path: '/stats', ready: '.bars' },
      'stats, nothing yet': { server: 'empty', path: '/stats', ready: '.figures' },
      cost: { path: '/cost', ready: '.cost-table tr' },
      'cost, nothing yet': { server: 'empty', path: '/cost', ready: '.figures' },
      sources: { path: '/sources', ready: '.plain-table td' },
      'sources, nothing yet': { server: 'empty', path: '/sources', ready: '.nothing, .plain-table' },
      licences: { path: '/licences', ready: '.licences' },
      'no such thought': { path: `/t/${'0'.repeat(64)}`, ready: '.problem', allow: [/404/] },
      'no such screen': { path: '/t', ready: '.nothing' },
    };
  }

  // Opens one, in its state and quiet. Returns the page, and what ends it.
  async openScreen({ server = 'full', isNamed = false, isDying = false, path, ready, allow, prepare = async () => {}, act = async () => {} }, options) {
    const own = isDying ? await serve(this.home) : undefined;
    const { url, port } = own ?? this.servers[server];
    const watched = new Watched(this.browser, isNamed ? `http://${kName}:${port}` : url, options);
    const page = await watched.open(path, { allow, prepare });
    await page.waitForSelector(ready);
    if (path.startsWith('/c/') && !path.includes('/files')) await readerIsReady(page);
    await act(page, () => own.stop());
    await isQuiet(page);
    return { page, close: async () => { await watched.close(); if (!isDying) await own?.stop(); } };
  }
}

// What axe finds wrong.
export async function violations(page) {
  // The content policy forbids added scripts, so axe runs in the world of the test.
  return page.evaluate(async ([source, tags]) => {
    const run = new Function(`${source}; return axe;`);
    const found = await run().run(document, { runOnly: tags });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.target.join(' ')).join(' | ')}`);
  }, [axe, kTags]).catch((error) => { throw new Error(`axe did not run: ${error.message}`); });
}

// By how many pixels the page, or a part of it, scrolls sideways; 0 if it does not.
export const sideways = (page) => page.evaluate(() => Math.max(document.documentElement.scrollWidth - document.documentElement.clientWidth,
  ...[...document.querySelectorAll('main, .reading, .screen, .inspector')].map((part) => (getComputedStyle(part).overflowX === 'hidden' ? 0 : part.scrollWidth - part.clientWidth))));
