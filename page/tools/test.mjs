// Runs the tests of the pure parts: node tools/test.mjs [NAME...]
//
// Node of Debian 12 reads no TypeScript, so each src/**/*_test.ts is bundled first, into a temporary folder.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

function testsUnder(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return testsUnder(path);
    return /_test\.tsx?$/.test(name) ? [path] : [];
  });
}

const wanted = process.argv.slice(2);
const sources = testsUnder(join(root, 'src')).filter((path) => !wanted.length || wanted.some((word) => path.includes(word)));
const out = mkdtempSync(join(tmpdir(), 'weft-page-'));
try {
  await build({
    absWorkingDir: root,
    entryPoints: sources,
    outdir: out,
    outbase: join(root, 'src'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: ['node18'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    alias: { entities: './src/worker/entities.ts' },
    logLevel: 'warning',
  });
  const bundled = (folder) => readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? bundled(path) : [path];
  });
  const own = wanted.length ? [] : [join(root, 'tools', 'build_test.mjs')];
  const { status } = spawnSync(process.execPath, ['--test', ...bundled(out), ...own], { stdio: 'inherit', cwd: root });
  process.exitCode = status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
