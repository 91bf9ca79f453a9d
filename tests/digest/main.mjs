// The command line of tools/web_digest; see there.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { askAll, withoutTimes } from './answers.mjs';
import { Digest } from './digest.mjs';
import { halves, makeHalves } from './halves.mjs';
import { makePlaces } from './places.mjs';
import { clear, fingerprint, foldersIn, hasShared, homeOf, place, repositoryFixtures, scratch, sharedFixtures } from './scene.mjs';
import { Weft, laterClock } from './weft.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { weft: { type: 'string' }, dump: { type: 'string' }, group: { type: 'string' } },
});
const mode = positionals[0] ?? 'repository';
const binary = resolve(options.weft ?? 'build/release/weft');
if (!existsSync(binary)) throw new Error(`no weft binary at ${binary}: name it with --weft PATH`);
const width = cpus().length;

// Ingests the folder `name` of fixtures into a home of its own and asks everything of it.
async function digestFolder(digest, from, name, settings) {
  const root = place(from, name);
  digest.add(name, 'input', 'files', fingerprint(root));
  const weft = new Weft(binary, homeOf(name));
  digest.addRun(name, 'ingest', 'first', withoutTimes(await weft.run('ingest', root, '--json')));
  digest.addRun(name, 'ingest', 'again', withoutTimes(await weft.run('ingest', root, '--json')));
  await askAll(weft, digest, name, root, { width, ...settings });
}

// Ingests what weft finds by itself in a user's folder.
async function digestPlaces(digest) {
  const user = `${scratch}/files/user`;
  makePlaces(user);
  const weft = new Weft(binary, homeOf('places'), { user });
  digest.addRun('places', 'ingest', 'first', withoutTimes(await weft.run('ingest', '--json')));
  await askAll(weft, digest, 'places', user, { width });
}

// Changes the store with every conversation: its answers after each change are in the digest.
async function digestChanges(digest) {
  const weft = new Weft(binary, homeOf('all'), { clock: laterClock });
  const { conversations } = await weft.json('list', '--limit', '1000');
  const [{ cid }] = conversations;
  const thoughts = `${scratch}/thoughts.jsonl`;
  const reader = new Weft(binary, homeOf('imported'), { clock: laterClock });
  const run = async (by, name, ...args) =>
    digest.addRun('changes', name, args[0], withoutTimes(await by.run(...args, '--json')));
  await run(weft, 'export', 'export', cid, '--as', 'thoughts', '--out', thoughts);
  for (const command of [['import', thoughts], ['verify'], ['list'], ['walk', cid]]) await run(reader, 'imported', ...command);
  for (const command of [['reweave', '--all'], ['verify']]) await run(weft, 'rewoven', ...command);
  for (const command of [['reindex'], ['search', 'heron']]) await run(weft, 'reindexed', ...command);
  for (const command of [['forget', cid, '--yes'], ['verify'], ['list', '--limit', '1000'], ['stats']]) await run(weft, 'forgotten', ...command);
}

const wants = (name) => !options.group || options.group === name;

async function repository(digest) {
  for (const name of foldersIn(repositoryFixtures).filter(wants)) {
    await digestFolder(digest, `${repositoryFixtures}/${name}`, name, {});
  }
  if (wants('places')) await digestPlaces(digest);
  if (!wants('all')) return;
  await digestFolder(digest, repositoryFixtures, 'all', { search: true, each: false });
  await digestChanges(digest);
}

async function shared(digest) {
  if (!hasShared()) throw new Error(`there are no shared fixtures at ${sharedFixtures}`);
  for (const name of foldersIn(sharedFixtures).filter(wants)) {
    await digestFolder(digest, `${sharedFixtures}/${name}`, name, { brief: true });
  }
  if (wants('all')) await digestFolder(digest, sharedFixtures, 'all', { brief: true, search: true, each: false });
}

// Resumes what an older weft saved; fails where a block is not what it is from scratch.
async function resume(digest) {
  const wrong = await halves(binary, digest, { width });
  for (const conversation of wrong) console.error(`not as from scratch: ${conversation}`);
  if (wrong.length > 0) process.exitCode = 1;
}

const modes = { repository, shared, halves: resume, 'make-halves': () => makeHalves(binary) };
if (!modes[mode]) throw new Error(`no mode ${mode}: there are ${Object.keys(modes).join(', ')}`);
clear();
const digest = new Digest(options.dump);
await modes[mode](digest);
for (const line of digest.lines()) console.log(line);
