// What a conversation changed in files: by session, by prompt, and from each edit to its block.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Home, Watched, becomes, hasBrowser, isQuiet, launch, readerIsReady, serve, shows } from './harness.mjs';
import { Session } from './transcripts.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
const kId = '66666666-aaaa-4aaa-8aaa-666666666666';
let home, server, browser, growing, conversation, blocks, idle;
before(async () => {
  if (skip) return;
  home = new Home();
  growing = new Session(home.path(`in/${kId}.jsonl`), { id: kId });
  growing.says('Write the crew list.')
    .runs('Write', { file_path: '/home/ada/harbour/crew.md', content: '# Crew\n\n- Ada, captain\n- Grace, mate\n' }, 'File created successfully.', false, { type: 'create', originalFile: null })
    .answers('It is in crew.md.')
    .says('Ada is the mate now, and the ferry leaves at 09:45.')
    .runs('Edit', { file_path: '/home/ada/harbour/crew.md', old_string: '- Ada, captain', new_string: '- Ada, mate' }, 'The file has been updated.')
    .runs('Edit', { file_path: '/home/ada/harbour/src/timetable.ts', old_string: '  leaves: "09:40",', new_string: '  leaves: "09:45",\n  told: true,' }, 'The file has been updated.')
    .runs('Edit', { file_path: '/home/ada/harbour/src/pier.ts', old_string: 'a', new_string: 'b' }, 'String not found.', true)
    .delegates('b0a7', 'Tell the passengers', 'They are told.')
    .answers('Both are changed.')
    .says('What time is it?').runs('Bash', { command: 'date' }, '09:31').answers('It is 09:31.');
  new Session(home.path(`in/${kId}/subagents/agent-b0a7.jsonl`), { id: kId, agent: 'b0a7', start: Date.UTC(2026, 10, 2, 9, 0, 12) })
    .says('Tell the passengers').runs('Write', { file_path: '/home/ada/harbour/notice.txt', content: 'The ferry leaves at 09:45.\n' }, 'File created successfully.').answers('They are told.');
  new Session(home.path('in/idle.jsonl'), { id: '67676767-aaaa-4aaa-8aaa-666666666666', start: Date.UTC(2026, 10, 1, 9, 0) }).says('Hello?').answers('Hello.');
  home.run('ingest', home.path('in'));
  const rows = home.json('list').conversations;
  conversation = rows.find((row) => row.session_id === kId && row.source === 'primary').cid.slice(11);
  idle = rows.find((row) => row.session_id.startsWith('6767')).cid.slice(11);
  blocks = home.json('walk', conversation, '--from', '0', '--limit', '100').blocks;
  server = await serve(home);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  home?.remove();
});

const paths = (page) => page.$$eval('.file-path', (all) => all.map((path) => path.textContent));
const open = async (path, options) => {
  const watched = new Watched(browser, server.url, options);
  return { watched, page: await watched.open(path) };
};

test('the files of a session, with those of its subagents, and what was added and removed', { skip }, async () => {
  const { watched, page } = await open(`/c/${conversation}`);
  await readerIsReady(page);
  await page.keyboard.press('f');
  await page.waitForSelector('.changed-file');
  assert.deepEqual(await paths(page), ['crew.md', 'notice.txt', 'src/timetable.ts'], 'a call that failed changed nothing');
  const diff = home.json('diff', conversation);
  await shows(page, '.changes-sum', new RegExp(`3 files.*\\+${diff.added}.*−${diff.removed}`));
  await shows(page, '.changed-file', /added.*2 edits.*Ada, mate/s);
  // A file that is known whole has line numbers, and the words that changed are marked.
  await shows(page, '.changed-file .diff-added .number:nth-child(2)', /^1$/);
  await shows(page, '.changed-file:nth-child(3)', /never shows the whole file.*leaves: "09:40".*leaves: "09:45"/s);
  await shows(page, '.changed-file:nth-child(3) .diff-added b', /45/);
  await page.goBack();
  await readerIsReady(page);
  await watched.close();
});

test('an edit leads to its block, and that of a subagent into the subagent', { skip }, async () => {
  const { watched, page } = await open(`/c/${conversation}/files`);
  await page.waitForSelector('.changed-file');
  await page.click('.changed-file:nth-child(3) .edits a');
  const edit = blocks.find((block) => block.content.input?.file_path?.endsWith('timetable.ts'));
  await page.waitForSelector(`#b${edit.ordinal}.marked`);
  await page.goBack();
  await page.click('.changed-file:nth-child(2) .edits a');
  await becomes(page, 'another conversation is read', (own) => location.pathname.startsWith('/c/') && !location.pathname.includes(own) && document.querySelector('.entry.marked') !== null, conversation);
  await shows(page, '.entry.marked', /notice\.txt/);
  await watched.close();
});

test('what one prompt changed, beside the reader: an edit scrolls to its block', { skip }, async () => {
  const { watched, page } = await open(`/c/${conversation}`);
  await readerIsReady(page);
  await page.keyboard.press('J');
  await becomes(page, 'the second prompt is current', () => document.activeElement?.textContent.includes('Ada is the mate'));
  await page.keyboard.press('F');
  await page.waitForSelector('.changes-pane .changed-file');
  assert.deepEqual(await paths(page), ['crew.md', 'notice.txt', 'src/timetable.ts']);
  await shows(page, '.changes-pane .changed-file', /-? ?Ada, captain.*Ada, mate/s);
  await page.click('.changes-pane .changed-file:nth-child(1) .edits a');
  const edit = blocks.find((block) => block.content.input?.old_string?.includes('Ada'));
  await page.waitForSelector(`#b${edit.ordinal}.marked`);
  await page.click('.changes-pane .changed-file:nth-child(2) .edits a');  // the subagent's
  await page.waitForSelector('.beside .entry .line');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.changes-pane');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.changes-pane', { state: 'detached' });
  // The last prompt changed nothing, and its pane says so.
  await page.hover('.kind-human_input >> nth=2');
  await page.click('.kind-human_input >> nth=2 >> [title^="Files that this prompt"]');
  await shows(page, '.changes-pane', /This prompt changed no file/);
  await page.click('text=open it alone');
  await shows(page, 'main h1', /one prompt changed/);
  await page.click('text=all files of it');
  await page.waitForSelector('.changed-file');
  await watched.close();
});

test('files are reached and unfolded by keys', { skip }, async () => {
  const { watched, page } = await open(`/c/${conversation}/files`);
  await page.waitForSelector('.changed-file .diff');
  await page.focus('.file-head');
  await page.keyboard.press('j');
  await becomes(page, 'the second file has the focus', () => document.activeElement === document.querySelectorAll('.file-head')[1]);
  await page.keyboard.press('Enter');
  await becomes(page, 'it is folded', () => document.activeElement.getAttribute('aria-expanded') === 'false');
  await page.keyboard.press('Enter');
  await becomes(page, 'it is unfolded', () => document.activeElement.getAttribute('aria-expanded') === 'true');
  await page.keyboard.press('k');
  await becomes(page, 'the first file has the focus', () => document.activeElement === document.querySelector('.file-head'));
  await watched.close();
});

test('a conversation that changed nothing says so; one that does not exist is no screen of files', { skip }, async () => {
  const watched = new Watched(browser, server.url);
  const page = await watched.open(`/c/${idle}/files`);
  await shows(page, '.nothing', /This conversation changed no file/);
  const other = await watched.open(`/c/${'0'.repeat(64)}/files`, { allow: [/404/] });
  await other.waitForSelector('.problem');
  await watched.close();
});

// The last test: it makes the session longer.
test('an edit that is made while one looks appears', { skip }, async () => {
  const { watched, page } = await open(`/c/${conversation}/files`);
  await page.waitForSelector('.changed-file');
  await page.waitForSelector('.link-state.live');
  await isQuiet(page);
  growing.says('And a log.').runs('Write', { file_path: '/home/ada/harbour/log.txt', content: 'calm sea\n' }, 'File created successfully.').answers('Done.');
  home.run('ingest', growing.path);
  await becomes(page, 'the new file is listed', () => [...document.querySelectorAll('.file-path')].some((path) => path.textContent === 'log.txt'));
  await watched.close();
});
