// The fixed place of every run: sealed paths, file order and project names must be the same on
// each machine, so fixtures are copied to one absolute path, with one time of modification.
// tools/web_digest holds a lock while anything runs here.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { here } from './weft.mjs';

export const scratch = '/tmp/weft-digest';
export const repositoryFixtures = join(here, '..', 'fixtures');
export const sharedFixtures = join(here, '..', '..', '..', 'shared', 'fixtures');

const modified = new Date('2026-05-01T12:00:00Z');

export function clear() {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
}

export const foldersIn = (path) =>
  readdirSync(path).filter((name) => statSync(join(path, name)).isDirectory()).sort();

// All files under `path`, by their paths relative to it, sorted.
export function filesIn(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath ?? entry.path, entry.name))).sort();
}

// Gives a file the time of modification that all files of the scene have.
export const touch = (path) => utimesSync(path, modified, modified);

// Copies a folder of fixtures into the scene. Returns the path of the copy.
export function place(from, name) {
  const to = join(scratch, 'files', name);
  cpSync(from, to, { recursive: true });
  for (const file of filesIn(to)) touch(join(to, file));
  return to;
}

// Writes one file of the scene. Writing a longer version of a file keeps its inode.
export function writeScene(path, bytes) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  touch(path);
}

// A hash of names and contents, to tell whether two digests are of the same fixtures.
export function fingerprint(path) {
  const hash = createHash('sha256');
  for (const file of filesIn(path)) {
    hash.update(`${file}\0`).update(createHash('sha256').update(readFileSync(join(path, file))).digest());
  }
  return hash.digest('hex');
}

export const homeOf = (name) => join(scratch, 'homes', name);
export const hasShared = () => existsSync(sharedFixtures);
