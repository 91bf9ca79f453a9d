// The build: equal bytes each time, within its budget of bytes, and nothing that the content policy forbids.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { buildPage } from '../build.mjs';

let first, second, built;
before(async () => {
  first = mkdtempSync(join(tmpdir(), 'weft-page-a-'));
  second = mkdtempSync(join(tmpdir(), 'weft-page-b-'));
  built = await buildPage(first);
  await buildPage(second);
});
after(() => {
  for (const folder of [first, second]) rmSync(folder, { recursive: true, force: true });
});

const under = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1)).sort();

test('two builds are equal byte for byte', () => {
  assert.deepEqual(under(first), under(second));
  for (const path of under(first)) {
    assert.ok(readFileSync(join(first, path)).equals(readFileSync(join(second, path))), `${path} differs`);
  }
});

test('the manifest lists every file, and packed forms unpack to it', () => {
  const listed = built.manifest.files.flatMap(({ path, packed }) => (packed ? [path, `${path}.br`, `${path}.gz`] : [path]));
  assert.deepEqual([...listed, 'file/proof.html', 'file/reader.html', 'manifest.json'].sort(), under(first));
  for (const { path, packed, size } of built.manifest.files) {
    const raw = readFileSync(join(first, path));
    assert.equal(raw.length, size);
    if (!packed) continue;
    assert.ok(brotliDecompressSync(readFileSync(join(first, `${path}.br`))).equals(raw), path);
    assert.ok(gunzipSync(readFileSync(join(first, `${path}.gz`))).equals(raw), path);
  }
});

const kilobyte = 1000;
const sizeOf = (test) => built.manifest.files.filter(({ path }) => test(path)).reduce((sum, { gzip }) => sum + gzip, 0);

test('main chunk: at most 60 kB compressed, with everything that it loads at once', () => {
  const { outputs } = built.metafiles.at(-1);
  const seen = new Set();
  const load = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') load(next);
  };
  load(Object.keys(outputs).find((path) => outputs[path].entryPoint === 'src/main.tsx'));
  const names = new Set([...seen].map((path) => path.replace(/^out\//, '')));
  const size = sizeOf((path) => names.has(path));
  assert.ok(size <= 60 * kilobyte, `${size} bytes`);
});
test('all script: at most 150 kB compressed', () => {
  const size = sizeOf((path) => path.endsWith('.js'));
  assert.ok(size <= 150 * kilobyte, `${size} bytes`);
});
test('style: at most 15 kB compressed', () => {
  const size = sizeOf((path) => path.endsWith('.css'));
  assert.ok(size <= 15 * kilobyte, `${size} bytes`);
});
test('fonts: at most 120 kB', () => {
  const size = sizeOf((path) => path.endsWith('.woff2'));
  assert.ok(size > 0 && size <= 120 * kilobyte, `${size} bytes`);
});

test('no string becomes markup or code: no such call is in the built script', () => {
  for (const { path } of built.manifest.files.filter((file) => file.path.endsWith('.js'))) {
    const text = readFileSync(join(first, path), 'utf8');
    // Preact's own code reads the prop dangerouslySetInnerHTML; the page never passes it.
    for (const word of ['insertAdjacentHTML', 'document.write', 'new Function(', 'eval(', 'createContextualFragment', 'outerHTML']) {
      assert.ok(!text.includes(word), `${path} contains ${word}`);
    }
  }
});
test('the page has nothing inline and names no other host', () => {
  const html = readFileSync(join(first, 'index.html'), 'utf8');
  assert.doesNotMatch(html, /<style|style=|\son[a-z]+=|https?:/i);
  assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)/i);
});
test('pages for files are one file each: nothing is loaded, and their policy allows their own script alone', () => {
  for (const [name, marks] of [['reader', ['{{DOCUMENT}}', '{{THOUGHTS}}']], ['proof', ['{{PROOF}}']]]) {
    const html = readFileSync(join(first, 'file', `${name}.html`), 'utf8');
    assert.doesNotMatch(html.replace(/<script>[\s\S]*<\/script>/, '').replace(/<style>[\s\S]*?<\/style>/, ''), /src=|href=|https?:/);
    assert.match(html, /script-src 'sha256-[^']+';/);
    assert.equal(html.split('</script>').length, marks.length + 2);
    for (const mark of marks) assert.equal(html.split(mark).length, 2, mark);
  }
});
test('licences of everything bundled are there', () => {
  const text = readFileSync(join(first, built.manifest.files.find(({ path }) => path.includes('licences')).path), 'utf8');
  for (const name of ['preact', '@preact/signals', 'markdown-it', 'highlight.js', 'diff', '@noble/hashes', '@fontsource-variable/inter']) {
    assert.ok(text.includes(`\n${name} `) || text.startsWith(`${name} `), `${name} is missing`);
  }
});
