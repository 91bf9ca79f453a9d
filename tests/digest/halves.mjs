// Resuming what an older weft saved.
//
// An older weft ingested the first half of every growing fixture, began the conversations of
// live.mjs, and its stores are kept in halves/. The weft under test ingests the whole files on top
// and ends the live conversations. Every block must then have the CID that it has when the same
// weft ingests everything from scratch.
//
// `exempt` in halves/homes.json lists the conversations of which that is not true; they are compared
// only through the recorded digest:
// - Some fixtures are the stream of one answer. Half of such a stream is an interrupted answer, and
//   stays in the store as what the whole one supersedes.
// - A subagent whose call the older weft read has no `returns`: it did not keep which calls began
//   one (docs/decisions/0031-what-joins-two-files.md).
//
// Several fixtures share a session id, so the k-th file of each format goes into home k. Of two
// neighbours one is cut between two lines, the other one within a line.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { askAll, thoughtNames, withoutTimes } from './answers.mjs';
import { Digest } from './digest.mjs';
import { live } from './live.mjs';
import { filesIn, foldersIn, homeOf, repositoryFixtures, scratch, writeScene } from './scene.mjs';
import { Weft, firstClock, here, laterClock } from './weft.mjs';

const kept = join(here, 'halves');
const list = join(kept, 'homes.json');
const grows = /\.(jsonl|sse|txt)$/;
// The home that also has the live conversations.
const liveHome = 'home-0';

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const sqlite = (home, sql) => execFileSync('sqlite3', [join(home, 'weft.db'), sql]);
const placeOf = (home, file) => join(scratch, 'files', home, file);

// Where the first half of a file ends.
function cutOf(bytes, within) {
  const middle = Math.floor(bytes.length / 2);
  const end = bytes.indexOf('\n', middle) + 1;
  const line = end > 0 && end < bytes.length ? end : bytes.lastIndexOf('\n', middle) + 1;
  return within ? line + Math.floor((bytes.length - line) / 3) : line;
}

// The homes to make: [{ name, files: [{ file, cut, sha256 }] }].
function planHomes() {
  const homes = new Map();
  foldersIn(repositoryFixtures).forEach((group, g) => {
    const growing = filesIn(join(repositoryFixtures, group)).filter((file) => grows.test(file));
    growing.forEach((name, k) => {
      const file = join(group, name);
      const bytes = readFileSync(join(repositoryFixtures, file));
      const cut = cutOf(bytes, (g + k) % 2 === 1);
      if (!homes.has(k)) homes.set(k, []);
      if (cut > 0) homes.get(k).push({ file, cut, sha256: sha256(bytes) });
    });
  });
  return [...homes].map(([k, files]) => ({ name: `home-${k}`, files }));
}

// Saves the homes again, with `binary` as the older weft.
export async function makeHalves(binary) {
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept, { recursive: true });
  const homes = planHomes();
  for (const { name, files } of homes) {
    const weft = new Weft(binary, homeOf(name), { clock: firstClock });
    for (const { file, cut } of files) {
      writeScene(placeOf(name, file), readFileSync(join(repositoryFixtures, file)).subarray(0, cut));
    }
    await weft.json('ingest', placeOf(name, '.'));
    if (name === liveHome) await live(weft, 0);
    // weft knows a file by its inode, which is another one in each checkout: the kept store has
    // the file's number in the list instead.
    files.forEach(({ file }, i) => {
      const { ino } = statSync(placeOf(name, file));
      sqlite(weft.home, `UPDATE sources SET device = 0, inode = -${i + 1} WHERE inode = ${ino}`);
    });
    sqlite(weft.home, 'PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM');
    writeFileSync(join(kept, `${name}.db.gz`), gzipSync(readFileSync(join(weft.home, 'weft.db')), { level: 9 }));
  }
  const write = (exempt) => writeFileSync(list, JSON.stringify({ exempt, homes }, null, 1) + '\n');
  write([]);
  rmSync(join(scratch, 'homes'), { recursive: true });
  write(await halves(binary, new Digest(), {}));
}

// Ingests whole files into the home `name`, on top of what is there, and ends the live part.
async function complete(weft, name, root) {
  const ingest = withoutTimes(await weft.run('ingest', root, '--json'));
  if (name === liveHome) await live(weft, 1);
  return ingest;
}

// The CIDs of all blocks in a store, by conversation.
async function blocksOf(weft) {
  const { conversations } = await weft.json('list', '--limit', '1000');
  const blocks = new Map();
  for (const { cid } of conversations) {
    const { out } = await weft.run('export', cid, '--as', 'thoughts');
    const walk = await weft.run('walk', cid, '--json');
    blocks.set(cid, thoughtNames(out, { blocksOnly: true }) + walk.out);
  }
  return blocks;
}

// Resumes each kept home and digests what is there then. Returns the conversations that are not as
// they are from scratch and need to be.
export async function halves(binary, digest, settings) {
  const wrong = [];
  const { exempt, homes } = JSON.parse(readFileSync(list));
  for (const { name, files } of homes) {
    const group = name;
    const resumed = new Weft(binary, homeOf(`${name}-resumed`), { clock: laterClock });
    writeFileSync(join(resumed.home, 'weft.db'), gunzipSync(readFileSync(join(kept, `${name}.db.gz`))));
    files.forEach(({ file, sha256: hash }, i) => {
      const bytes = readFileSync(join(repositoryFixtures, file));
      if (sha256(bytes) !== hash) throw new Error(`${file} is not the file of which halves/ has the first half: see tools/web_digest make-halves`);
      writeScene(placeOf(name, file), bytes);
      const { ino, dev } = statSync(placeOf(name, file));
      sqlite(resumed.home, `UPDATE sources SET device = ${dev}, inode = ${ino} WHERE inode = -${i + 1}`);
    });
    const root = placeOf(name, '.');
    digest.addRun(group, 'ingest', 'rest', await complete(resumed, name, root));
    await askAll(resumed, digest, group, root, { brief: true, ...settings });

    const fresh = new Weft(binary, homeOf(`${name}-fresh`), { clock: firstClock });
    if (name === liveHome) await live(fresh, 0);
    fresh.setClock(laterClock);
    await complete(fresh, name, root);
    const expected = await blocksOf(fresh);
    const found = await blocksOf(resumed);
    for (const cid of new Set([...expected.keys(), ...found.keys()])) {
      const isSame = expected.get(cid) === found.get(cid);
      digest.add(group, 'blocks', cid.slice(-64, -52), found.get(cid) ?? 'missing');
      if (isSame || exempt.includes(cid)) continue;
      wrong.push(cid);
      digest.add(group, 'blocks-from-scratch', cid.slice(-64, -52), expected.get(cid) ?? 'missing');
    }
  }
  return wrong;
}
