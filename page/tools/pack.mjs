// Compresses the built files ahead of time, so that the server only copies bytes.
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const kTypes = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
export const shortHash = (text) => sha256(text).slice(0, 16);

function typeOf(path) {
  const type = kTypes[path.slice(path.lastIndexOf('.') + 1)];
  if (!type) throw new Error(`${path}: no type is known for this ending; add it to kTypes`);
  return type;
}

function brotli(bytes) {
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

function gzip(bytes) {
  const packed = gzipSync(bytes, { level: 9 });
  packed[9] = 255;  // the operating system that packed it, which is nobody's business
  return packed;
}

// `files`: Map path → bytes. Returns the files to write, and the list of the manifest in the order of paths. A file
// that compression does not shrink (fonts) has no .br and .gz; `brotli` and `gzip` are then its own size.
export function pack(files) {
  const out = new Map();
  const list = [];
  for (const path of [...files.keys()].sort()) {
    const raw = files.get(path);
    const br = brotli(raw);
    const gz = gzip(raw);
    out.set(path, raw);
    const shrinks = br.length < raw.length && gz.length < raw.length && !path.endsWith('.woff2');
    if (shrinks) {
      out.set(`${path}.br`, br);
      out.set(`${path}.gz`, gz);
    }
    list.push({
      path,
      type: typeOf(path),
      size: raw.length,
      brotli: shrinks ? br.length : raw.length,
      gzip: shrinks ? gz.length : raw.length,
      packed: shrinks,
      immutable: path.startsWith('assets/'),
      sha256: sha256(raw),
    });
  }
  return { files: out, list };
}
