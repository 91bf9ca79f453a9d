// The questions that the digest asks of one home. Every answer goes into the digest as bytes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpSession, here, together } from './weft.mjs';

const lines = (path) =>
  readFileSync(path, 'utf8').split('\n').map((line) => line.trim()).filter((line) => line && !line.startsWith('#'));

// Each line of searches.txt is the arguments of one search, separated by " | ".
const searches = lines(join(here, 'searches.txt')).map((line) => line.split(' | '));
// The questions about the shared fixtures, without the answers that another test expects.
const questions = lines(join(here, '..', 'search', 'questions.txt')).map((line) => [line.split(' | ')[0]]);

const forms = ['anthropic-messages', 'anthropic-transcript', 'openai-messages'];

// What an ingest took is the one thing that depends on the machine's speed.
export const withoutTimes = (run) =>
  ({ ...run, out: run.out.toString().replace(/"elapsed_ms":\d+/g, '"elapsed_ms":0') });

// Thoughts that each commit adds: how often a conversation was committed decides which there are.
// And schemas: a conversation has those of the weft that began it. And attestations: a recorded
// conversation has them, one that was read has not.
const ofCommits = /^checkpoint$|^schema$|^attestation$|\/conversation_facts$|\/usage$/;

// One line for each thought of `thoughts`, the output of `export --as thoughts`: its type and CID.
export function thoughtNames(thoughts, { blocksOnly = false } = {}) {
  const all = thoughts.toString().split('\n').filter(Boolean).map((line) => JSON.parse(line));
  return all.filter((thought) => !blocksOnly || !ofCommits.test(thought.type))
    .map((thought) => `${thought.type} ${thought.cid}\n`).sort().join('');
}

// The last block in the order in which the conversation is read.
const lastBlock = (walk) => walk.turns.flatMap((turn) => turn.thoughts).at(-1)?.cid;

// Asks everything about the conversation `cid`. Returns its last block. `brief` leaves out what only
// lays the same answers out for people, and what an agent asks faster (askAsAgent).
async function askConversation(weft, digest, group, cid, brief) {
  const ask = async (kind, ...args) => {
    const run = await weft.run(...args);
    digest.addRun(group, kind, cid.slice(-64, -52), run);
    return run;
  };
  const walk = await ask('walk', 'walk', cid, '--all', '--json');
  const last = lastBlock(JSON.parse(walk.out));
  const thoughts = await ask('export-thoughts', 'export', cid, '--as', 'thoughts');
  digest.add(group, 'cids', cid.slice(-64, -52), thoughtNames(thoughts.out));
  for (const form of forms) await ask(`export-${form}`, 'export', cid, '--as', form);
  await ask('transcript', 'transcript', cid, '--json');
  if (brief) return last;
  await ask('connections-conversation', 'connections', cid, '--json');
  await ask('walk-text', 'walk', cid);
  await ask('export-thoughts-open', 'export', cid, '--as', 'thoughts', '--open');
  await ask('transcript-text', 'transcript', cid);
  await ask('transcript-markdown', 'transcript', cid, '--format', 'markdown');
  const half = ['--keys', join(weft.home, 'metadata.json')];
  await ask('metadata-walk', 'walk', cid, '--all', '--json', ...half);
  await ask('metadata-export', 'export', cid, '--as', 'anthropic-transcript', ...half);
  if (!last) return last;
  await ask('why', 'why', last, '--json');
  await ask('connections', 'connections', last, '--json');
  await ask('why-text', 'why', last);
  await ask('connections-text', 'connections', last);
  await ask('get', 'get', last, '--json');
  await ask('get-text', 'get', last);
  await ask('get-sealed', 'get', last, '--sealed');
  return last;
}

// Asks an agent's questions in one session of `weft mcp`, about the blocks `last` among others.
async function askAsAgent(weft, digest, group, conversations, last, list) {
  const mcp = await new McpSession(weft).open();
  const ask = async (kind, name, tool, args) => {
    const line = await mcp.call(tool, args);
    digest.add(group, `mcp-${kind}`, name, line.replace(/"id":\d+/, '"id":0'));
  };
  await ask('list', 'all', 'list_conversations', { limit: 50 });
  await ask('wot-list', 'all', 'wot_conversation_list', { limit: 50 });
  await ask('verify', 'all', 'wot_verify', {});
  for (const { cid, session_id } of conversations.slice(0, 20)) {
    const name = cid.slice(-64, -52);
    await ask('walk', name, 'wot_walk_sequence', { conversation_cid: cid, all: true });
    await ask('stats', name, 'wot_conversation_stats', { cid });
    await ask('read', name, 'read_conversation', { session_id });
    await ask('turn', name, 'read_turn', { session_id, turn_number: 0 });
  }
  for (const cid of last) {
    await ask('why', cid.slice(-64, -52), 'wot_walk_because', { cid });
    await ask('connections', cid.slice(-64, -52), 'wot_connections', { cid });
  }
  for (const [query] of list) {
    await ask('search', query, 'wot_thought_search', { query, limit: 10 });
    await ask('search-turns', query, 'search_conversations', { query });
  }
  await mcp.close();
}

async function askSearches(weft, digest, group, list, width) {
  const half = ['--keys', join(weft.home, 'metadata.json')];
  await together(list.map((words) => async () => {
    const name = words.join(' ');
    digest.addRun(group, 'search', name, await weft.run('search', '--json', ...words));
    digest.addRun(group, 'search-metadata', name, await weft.run('search', '--json', ...half, ...words));
    digest.addRun(group, 'search-text', name, await weft.run('search', ...words));
    digest.addRun(group, 'search-exchanges', name, await weft.run('search', '--turns', '--json', ...words));
  }), width);
}

// Asks everything of the store of `weft` as a whole: what it holds, where from, whether it holds.
async function askStore(weft, digest, group) {
  for (const command of ['list', 'stats', 'verify']) {
    const more = command === 'list' ? ['--limit', '1000'] : [];
    digest.addRun(group, command, 'all', await weft.run(command, ...more, '--json'));
    digest.addRun(group, `${command}-text`, 'all', await weft.run(command, ...more));
  }
  digest.addRun(group, 'sources', 'files', await weft.run('sources', '--files', '--json'));
  digest.addRun(group, 'sources', 'folders', await weft.run('sources', '--json'));
  digest.addRun(group, 'sources-text', 'files', await weft.run('sources', '--files'));
}

// Restores every file. A file whose bytes come back changed adds a line `restore-differs`.
async function restoreFiles(weft, digest, group, root, width) {
  const { files } = await weft.json('sources', '--files');
  await together(files.map(({ path }) => async () => {
    const run = await weft.run('restore', path);
    const name = path.startsWith(root) ? path.slice(root.length + 1) : path;
    digest.addRun(group, 'restore', name, run);
    // A conversation in a database or a zip has no file of its own.
    if (existsSync(path) && !run.out.equals(readFileSync(path))) digest.add(group, 'restore-differs', name, '');
  }), width);
}

// Asks everything of a home whose sources lie under `root`. `each` asks about each conversation and
// restores each file, `search` searches.
export async function askAll(weft, digest, group, root, { brief = false, each = true, search = false, width = 2 } = {}) {
  const metadata = await weft.run('keys', 'export', '--layer', 'metadata');
  writeFileSync(join(weft.home, 'metadata.json'), metadata.out, { mode: 0o600 });
  await askStore(weft, digest, group);
  const { conversations } = await weft.json('list', '--limit', '1000');
  const last = new Set();
  if (each) {
    await together(conversations.map(({ cid }) => async () =>
      last.add(await askConversation(weft, digest, group, cid, brief))), width);
    await restoreFiles(weft, digest, group, root, width);
  }
  last.delete(undefined);
  const wanted = search ? (brief ? questions : searches) : [];
  await askAsAgent(weft, digest, group, conversations, last, wanted);
  await askSearches(weft, digest, group, wanted, width);
}
