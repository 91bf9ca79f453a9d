// A repository whose files sessions edited: what the screen of blame is looked at with.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Session } from './transcripts.mjs';

export const kToken = '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';  // valid, and no service issued it
const kKey = ['-----BEGIN OPENSSH PRIVATE KEY-----', ...Array.from({ length: 6 }, (_, row) => `b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz${row}A`), '-----END OPENSSH PRIVATE KEY-----'];

export class Orchard {
  constructor(home) {
    this.home = home;
    this.root = home.path('orchard');
    mkdirSync(this.root, { recursive: true });
    this.git(0, 'init', '-q', '-b', 'main', '.');
    this.write('src/trees.ts', 'export const trees = [\n  "old apple tree",\n  "old pear tree",\n];\n');
    this.write('README.md', '# Orchard\n');
    this.commit(Date.UTC(2026, 9, 1), 'An orchard');
  }
  path(name) { return join(this.root, name); }
  write(name, text) {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }
  git(time, ...args) {
    const date = `@${Math.floor(time / 1000)} +0000`;
    return execFileSync('git', ['-C', this.root, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args],
      { env: { PATH: process.env.PATH, HOME: this.home.path('.'), GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }
  commit(time, subject) {
    this.git(time, 'add', '-A');
    this.git(time, 'commit', '-q', '-m', subject);
  }
  session(id, start) { return new Session(this.home.path(`in/${id}.jsonl`), { id, cwd: this.root, start }); }
  // The session writes the file, and so it stands on disk.
  writes(session, name, text) {
    this.write(name, text);
    return session.runs('Write', { file_path: this.path(name), content: text }, 'File created successfully.', false, { type: 'create', originalFile: null });
  }

  // Two sessions and a person have lines in src/trees.ts; src/long.ts has 10,000 lines; config.txt has secrets.
  grow() {
    const planting = this.session('aaaaaaaa-1111-4111-8111-111111111111', Date.UTC(2026, 10, 2, 9, 0));
    planting.says('Plant a quince and a medlar, and say when each of them flowers.').thinks('A quince flowers in May.');
    const before = 'export const trees = [\n  "old apple tree",\n  "old pear tree",\n];\n';
    const after = 'export const trees = [\n  "old apple tree",\n  "old pear tree",\n  "a quince, which flowers in May",\n  "a medlar, which flowers in June",\n];\n';
    this.write('src/trees.ts', after);
    planting.runs('Edit', { file_path: this.path('src/trees.ts'), old_string: '  "old pear tree",\n', new_string: '  "old pear tree",\n  "a quince, which flowers in May",\n  "a medlar, which flowers in June",\n' }, 'The file has been updated.', false, { originalFile: before });
    planting.answers('Both are planted.');
    this.commit(planting.at + 60_000, 'Plant a quince and a medlar');
    const pruning = this.session('bbbbbbbb-2222-4222-8222-222222222222', Date.UTC(2026, 10, 3, 9, 0));
    pruning.says('Add a function that prunes a tree, and keep it short: I read it aloud to the apprentices.');
    const prune = '\nexport function prune(tree: string, branches: number): string {\n  const left = Math.max(0, branches - 3);\n  return `${tree} has ${left} branches left`;\n}\n';
    this.write('src/trees.ts', after + prune);
    pruning.runs('Edit', { file_path: this.path('src/trees.ts'), old_string: '];\n', new_string: `];\n${prune}` }, 'The file has been updated.')
      .answers('It prunes.');
    this.commit(pruning.at + 60_000, 'Prune trees');
    appendFileSync(this.path('src/trees.ts'), '\n// a person wrote this line by hand\n');
    const long = Array.from({ length: 10_000 }, (_, row) => `export const row${row} = "tree number ${row} of the long orchard";`).join('\n');
    this.writes(pruning, 'src/long.ts', `${long}\n`);
    this.writes(pruning, 'config.txt', `token = ${kToken}\n${kKey.join('\n')}\nthe line after the key\n`);
    this.writes(pruning, 'gone.txt', 'this file will be gone\n');
    this.home.run('ingest', this.home.path('in'));
    this.home.run('ingest', this.home.path('in'));
    return this;
  }
  // The calls that changed files, by the end of their paths.
  call(name) {
    for (const { cid } of this.home.json('list').conversations) {
      for (const file of this.home.json('diff', cid).files) if (file.path.endsWith(name)) return file.edits.at(-1).cid.slice(11);
    }
    throw new Error(`no call changed ${name}`);
  }
}
