// One thought, checked in the browser by code that shares nothing with the server: its CID from its own bytes, its
// signature, and its path through a tree. The rules are those of docs/formats/thought.md; the exact JSON reader is
// that of docs/verify, which strangers use.
import { blake3 } from '@noble/hashes/blake3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonical, parseJson } from '../../../docs/verify/exact_json.mjs';

type Exact = null | boolean | number | bigint | string | Exact[] | Map<string, Exact>;

export interface Stored {
  cid: string;
  type: string;
  content: Map<string, Exact>;
  createdBy: string;
  signature: string;
  covered?: string;
  form: Map<string, Exact>;  // what is hashed
}

export class Refused extends Error {}

const kCid = /^cid:blake3:[0-9a-f]{64}$/;
export const digestOf = (cid: string): Uint8Array => hexToBytes(cid.slice('cid:blake3:'.length));
const text = (value: Exact | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

// `json`: a thought as it is stored, as text: JSON.parse would round its numbers.
export function readStored(json: string): Stored {
  const value = parseJson(json) as Exact;
  if (!(value instanceof Map)) throw new Refused('it is no object');
  const cid = text(value.get('cid')) ?? '';
  const type = text(value.get('type'));
  const content = value.get('content');
  const createdBy = text(value.get('created_by')) ?? '';
  const signature = text(value.get('signature'));
  const because = value.get('because');
  const createdAt = value.get('created_at');
  if (!kCid.test(cid) || type === undefined || !(content instanceof Map) || !kCid.test(createdBy) || signature === undefined ||
      !Array.isArray(because) || typeof createdAt !== 'bigint') throw new Refused('members are missing or malformed');
  // A reference may be written as a bare CID; it is hashed as what it stands for.
  const references = because.map((item) => (typeof item === 'string' ? new Map<string, Exact>([['thought_cid', item]]) : item));
  const form = new Map<string, Exact>([['type', type], ['content', content], ['created_by', type === 'identity' ? 'SELF' : createdBy],
    ['created_at', createdAt], ['because', references]]);
  const source = value.get('source');
  if (source !== undefined) form.set('source', source);
  return { cid, type, content, createdBy, signature, covered: text(value.get('covered')), form };
}

export function cidOf(thought: Stored): string {
  return `cid:blake3:${bytesToHex(blake3(utf8ToBytes(canonical(thought.form) as string)))}`;
}

// --- signatures -----------------------------------------------------------------------------------------------------

// Under a key of small order one signature holds for every message: these points, the sign bit left out, are refused.
const kSmallOrder = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000', '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);
function isSound(point: Uint8Array): boolean {
  const y = Uint8Array.from(point);
  y[31]! &= 0x7f;
  const isBelowP = y[31]! < 0x7f || y.subarray(1, 31).some((byte) => byte < 0xff) || y[0]! < 0xed;
  return isBelowP && !kSmallOrder.has(bytesToHex(y));
}

// WebCrypto where it is (loopback and TLS), otherwise the same in script.
async function verifyEd25519(key: Uint8Array, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
  const subtle = globalThis.crypto?.subtle;
  if (subtle) {
    try {
      const imported = await subtle.importKey('raw', key as BufferSource, 'Ed25519', false, ['verify']);
      return await subtle.verify('Ed25519', imported, signature as BufferSource, message as BufferSource);
    } catch { /* a browser without Ed25519 */ }
  }
  const [{ verify, hashes }, { sha512 }] = await Promise.all([import('@noble/ed25519'), import('@noble/hashes/sha2.js')]);
  hashes.sha512 = sha512;
  return verify(signature, message, key, { zip215: false });
}

export async function signatureHolds(pubkey: string, signature: string, cid: string): Promise<boolean> {
  if (!/^ed25519:[0-9a-f]{64}$/.test(pubkey) || !/^ed25519:[0-9a-f]{128}$/.test(signature)) return false;
  const key = hexToBytes(pubkey.slice(8));
  const bytes = hexToBytes(signature.slice(8));
  return isSound(key) && isSound(bytes.subarray(0, 32)) && verifyEd25519(key, bytes, digestOf(cid));
}

// --- trees ----------------------------------------------------------------------------------------------------------

export interface Leaf { checkpoint: string; index: bigint; path: Uint8Array[] }

export function readLeaf(written: string): Leaf | undefined {
  const found = /^tree:(cid:blake3:[0-9a-f]{64}):(0|[1-9][0-9]{0,18}):((?:[0-9a-f]{64}){0,64})$/.exec(written);
  if (!found) return undefined;
  return { checkpoint: found[1]!, index: BigInt(found[2]!), path: (found[3]!.match(/.{64}/g) ?? []).map((hex) => hexToBytes(hex)) };
}

const leafHash = (cid: string) => blake3(concatBytes(Uint8Array.of(0), digestOf(cid)));
const nodeHash = (left: Uint8Array, right: Uint8Array) => blake3(concatBytes(Uint8Array.of(1), left, right));

// RFC 9162, 2.1.3.2, with BLAKE3.
export function pathHolds(cid: string, { index, path }: Leaf, size: bigint, root: string): boolean {
  if (index >= size) return false;
  let node = index;
  let last = size - 1n;
  let hash = leafHash(cid);
  for (const sibling of path) {
    if (last === 0n) return false;
    if (node % 2n === 1n || node === last) {
      hash = nodeHash(sibling, hash);
      while (node % 2n === 0n && node !== 0n) { node /= 2n; last /= 2n; }
    } else {
      hash = nodeHash(hash, sibling);
    }
    node /= 2n;
    last /= 2n;
  }
  return last === 0n && bytesToHex(hash) === root;
}
