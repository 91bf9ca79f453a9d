// Builds the page: node build.mjs OUT
//
// OUT gets index.html, assets/ with hashed names, each file again as .br and .gz, and manifest.json, which lists
// every file for whatever serves them; and file/reader.html and
// file/proof.html, pages that hold one conversation or one proof and are not served. Nothing in OUT depends on the time, the machine or the directory: two builds
// of one tree are equal byte for byte. The directory OUT is replaced.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { kDocumentMark, kProofMark, kThoughtsMark } from './tools/file.mjs';
import { collectLicences } from './tools/licences.mjs';
import { pack, shortHash } from './tools/pack.mjs';

const here = dirname(fileURLToPath(import.meta.url));

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  metafile: true,
  write: false,
  target: ['es2022'],
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  entryNames: '[name].[hash]',
  chunkNames: '[name].[hash]',
  assetNames: '[name].[hash]',
  loader: { '.woff2': 'file' },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // docs/verify runs in files that are handed on, too, with the page's copy of its hashes and Ed25519 in script.
  alias: { entities: './src/worker/entities.ts', 'node:crypto': './src/check/node_crypto.ts', '@noble/hashes/blake3': '@noble/hashes/blake3.js' },
};

// Returns {files: Map path → bytes, entries: {name: path}, metafiles}.
async function bundle() {
  const files = new Map();
  const entries = {};
  const metafiles = [];
  async function add(options) {
    const outdir = join(here, 'out', 'assets');
    const result = await build({ ...common, outdir, ...options });
    for (const file of result.outputFiles) {
      files.set(`assets/${relative(outdir, file.path).replaceAll('\\', '/')}`, Buffer.from(file.contents));
    }
    for (const [path, output] of Object.entries(result.metafile.outputs)) {
      if (output.entryPoint) entries[output.entryPoint] = path.replace(/^out\//, '');
    }
    metafiles.push(result.metafile);
  }
  // The worker and the first script come first: the main script knows the worker by its hashed name.
  await add({ entryPoints: ['src/worker/worker.ts'], format: 'esm' });
  await add({ entryPoints: ['src/first.ts'], format: 'iife' });
  await add({ entryPoints: ['src/style/page.css'], publicPath: '/assets' });
  const icon = readFileSync(join(here, 'src', 'style', 'icon.svg'));
  entries['src/style/icon.svg'] = `assets/icon.${shortHash(icon).slice(0, 8)}.svg`;
  files.set(entries['src/style/icon.svg'], icon);
  const main = (licences) => ({
    entryPoints: ['src/main.tsx'],
    format: 'esm',
    splitting: true,
    define: { WEFT_WORKER: JSON.stringify(`/${entries['src/worker/worker.ts']}`), WEFT_LICENCES: JSON.stringify(`/${licences}`) },
  });
  // Built once to see what is in it: the licences of that are a file, too, and the page links to it by its hash.
  const trial = await build({ ...common, outdir: join(here, 'out', 'assets'), ...main('') });
  const licences = Buffer.from(collectLicences(here, [...metafiles, trial.metafile]));
  const path = `assets/licences.${shortHash(licences).slice(0, 8)}.txt`;
  files.set(path, licences);
  await add(main(path));
  return { files, entries, metafiles };
}

function page(entries) {
  const template = readFileSync(join(here, 'src', 'index.html'), 'utf8');
  const paths = { ICON: 'src/style/icon.svg', STYLE: 'src/style/page.css', FIRST: 'src/first.ts', MAIN: 'src/main.tsx' };
  return template.replace(/\{\{([A-Z]+)\}\}/g, (_, name) => {
    const path = entries[paths[name]];
    if (!path) throw new Error(`src/index.html names {{${name}}}, which is not built`);
    return `/${path}`;
  });
}

// Pages that are one file each: script and style stand in them, and their policy allows these alone. Fonts are the
// system's. The mark is where the document goes, in an element that is no script.
const kFilePages = [
  { name: 'reader', script: 'src/file.tsx', style: 'src/style/page.css', elements: { 'weft-document': kDocumentMark, 'weft-thoughts': kThoughtsMark },
    before: 'This file needs JavaScript to be read. The conversation is in it, as JSON.' },
  { name: 'proof', script: 'src/proof.tsx', style: 'src/style/proof.css', elements: { 'weft-proof': kProofMark },
    before: 'Not checked: the script of this file did not run. weft verify checks it.' },
];

async function filePage({ script, style, elements, before }) {
  const options = { ...common, outdir: join(here, 'out', 'file'), loader: { '.woff2': 'empty' } };
  const built = await build({ ...options, entryPoints: [script], format: 'iife', define: { WEFT_WORKER: '""', WEFT_LICENCES: '""' } });
  const styled = await build({ ...options, entryPoints: [style] });
  const textOf = (result) => result.outputFiles[0].text.trim();
  // The end of an element, or a comment, would mean itself within a string, too. This escape holds in expressions as well.
  const inScript = textOf(built).replaceAll('</script', '\\x3c/script').replaceAll('<!--', '\\x3c!--');
  const inStyle = textOf(styled);
  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${hash(inScript)}; style-src ${hash(inStyle)}; img-src blob:; form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>weft</title>
<style>${inStyle}</style>
</head>
<body>
<div id="page"><p>${before}</p></div>
${Object.entries(elements).map(([id, mark]) => `<script type="application/json" id="${id}">${mark}</script>`).join('\n')}
<script>${inScript}</script>
</body>
</html>
`;
}

export async function buildPage(out) {
  const { files, entries, metafiles } = await bundle();
  files.set('index.html', Buffer.from(page(entries)));
  const packed = pack(files);
  rmSync(out, { recursive: true, force: true });
  for (const [path, bytes] of packed.files) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), bytes);
  }
  const manifest = { build: shortHash(packed.list.map((file) => `${file.path} ${file.sha256}`).join('\n')), files: packed.list };
  mkdirSync(join(out, 'file'), { recursive: true });
  for (const page of kFilePages) writeFileSync(join(out, 'file', `${page.name}.html`), await filePage(page));
  writeFileSync(join(out, 'manifest.json'), JSON.stringify(manifest, null, 1) + '\n');
  return { manifest, entries, metafiles };
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv.length !== 3) {
    process.stderr.write('usage: node build.mjs OUT\n');
    process.exit(2);
  }
  const { manifest } = await buildPage(resolve(process.argv[2]));
  const total = manifest.files.reduce((sum, file) => sum + file.gzip, 0);
  process.stdout.write(`${manifest.files.length} files, ${total} bytes compressed, build ${manifest.build}\n`);
}
