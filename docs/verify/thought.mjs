// One thought on its own: its shape, its CID, and the two kinds of signature.
import { createPublicKey, verify as verifyEd25519 } from 'node:crypto';
import { blake3 } from '@noble/hashes/blake3';
import { concat, fromBase64, fromHex, toBase64, toHex, toUtf8 } from './bytes.mjs';
import { canonical, refuse } from './exact_json.mjs';

export { fromHex, toHex };

// --- canonical form and CID ------------------------------------------------------------

export const digestOf = (cid) => fromHex(cid.slice('cid:blake3:'.length));

// The thought without cid and signature. An identity is hashed with SELF for its creator.
export function canonicalForm(thought) {
  const form = new Map([['type', thought.type], ['content', thought.content],
    ['created_by', thought.type === 'identity' ? 'SELF' : thought.created_by],
    ['created_at', thought.created_at], ['because', thought.because]]);
  if (thought.source !== undefined) form.set('source', thought.source);
  return canonical(form);
}
export const cidOf = (thought) => 'cid:blake3:' + toHex(blake3(toUtf8(canonicalForm(thought))));

// --- shape -------------------------------------------------------------------------------
// Members that this file does not know are refused, not skipped.

const text = (value) => typeof value === 'string';
export const isCid = (value) => text(value) && /^cid:blake3:[0-9a-f]{64}$/.test(value);
const hash = (value) => text(value) && /^[0-9a-f]{64}$/.test(value);
export const isKey = (value) => text(value) && /^ed25519:[0-9a-f]{64}$/.test(value);
const number = (value) => typeof value === 'bigint' || typeof value === 'number';
const count = (value) => typeof value === 'bigint' && value >= 0n && value < 2n ** 63n;
const time = (value) => typeof value === 'bigint' && value >= -(2n ** 63n) && value < 2n ** 63n;
const anyOf = (...words) => (value) => words.includes(value);
const optional = (test) => Object.assign((value) => test(value), { optional: true });
const map = (value) => value instanceof Map;
const cids = (value) => Array.isArray(value) && value.every((name, i) => isCid(name) && (i === 0 || value[i - 1] < name));

const cidList = (value) => Array.isArray(value) && value.every(isCid);

function demand(what, members, shape) {
  if (!map(members)) refuse(`${what} is no object`);
  for (const name of members.keys()) {
    if (!Object.hasOwn(shape, name)) refuse(`${what} has a member ${JSON.stringify(name)}, which none has`);
  }
  for (const [name, test] of Object.entries(shape)) {
    if (!members.has(name) ? !test.optional : !test(members.get(name))) {
      refuse(`${what}: "${name}" is missing or malformed`);
    }
  }
}

const kThought = { cid: isCid, type: text, content: map, created_by: isCid, created_at: time,
  source: optional(isCid), because: Array.isArray, signature: text, covered: optional(text),
  again: optional((value) => Array.isArray(value) && value.length > 0 && value.every(text)) };
const kRef = { thought_cid: isCid, segment_cid: optional(isCid), anchor: optional(map), path: optional(text),
  temporal: optional((value) => Array.isArray(value) && value.length === 2 && value.every(number)) };
const kAnchor = { exact: text, prefix: text, suffix: text };
const box = (value) => {  // nonce (24 bytes), ciphertext and tag (16), in base64's one spelling
  const sealed = text(value) && /^xc20p:[0-9a-f]{16}:(.*)$/s.exec(value)?.[1];
  const bytes = fromBase64(sealed || '');
  return bytes !== undefined && bytes.length >= 24 + 16;
};

export const kVersion = 2n;  // the newest version of checkpoints that this file knows

// What structure holds, to the member. The content of all else is its family's business.
const kContents = {
  identity: { kind: anyOf('human', 'model', 'tool'), name: text, provider: optional(text),
    model_family: optional(text), tool_type: optional(text), pubkey: isKey,
    provenance: anyOf('claimed', 'verified') },
  connection: { relation: text, from: isCid, to: isCid, label: optional(text), index: optional(count) },
  checkpoint: { conversation: isCid, previous: optional(isCid), root: hash, blocks: count, head: hash,
    leaves: (value) => count(value) && value > 0n, version: optional((value) => value === kVersion) },
  conversation: { format: text, session_id: text, source: text },
  turn: { conversation: isCid, role: anyOf('human', 'assistant', 'system'), sequence: count,
    source_id: optional(text), parent: optional(isCid) },
  tombstone: { conversations: cids, forgotten: cids, thoughts: count, sealed_as: optional(cidList),
    version: optional((value) => value === 2n) },
  joining: { conversation: isCid, kept: isCid, given_up: (value) => cidList(value) && value.length > 0 },
};
// Version 1 is of conversations that were forgotten, version 2 of thoughts that were sealed.
function checkTombstone(content) {
  const sealed = content.get('sealed_as');
  const holds = content.has('version')
    ? sealed?.length > 0 && sealed.length === content.get('forgotten').length && content.get('conversations').length === 0
    : sealed === undefined && content.get('conversations').length > 0;
  if (!holds) refuse('a tombstone names neither conversations that were forgotten nor thoughts that were sealed');
}
// It is because of its conversation, and does not give up what it keeps.
function checkJoining({ because, content, source }) {
  const [ref] = because;
  const isAboutIt = because.length === 1 && ref.size === 1 && ref.get('thought_cid') === content.get('conversation');
  if (!isAboutIt || source !== undefined) refuse('a joining is because of its conversation and nothing else');
  if (content.get('given_up').includes(content.get('kept'))) refuse('a joining gives up what it keeps');
}
// Structure is because of nothing; it, and what belongs to no moment, is the owner's to say;
// and a block is what stands in a place of its own.
const kGroundless = ['identity', 'schema', 'connection', 'checkpoint', 'conversation', 'turn', 'web_resource', 'tombstone'];
export const kOwners = ['schema', 'connection', 'checkpoint', 'conversation', 'turn', 'web_resource', 'conversation_facts',
  'usage', 'tombstone', 'joining'];
export const kBlocks = ['thinking', 'redacted_thinking', 'response', 'tool_request', 'tool_result', 'human_input',
  'system_input', 'attachment', 'compaction', 'summary', 'failure', 'unknown'];

const kBare = ['identity', 'schema', 'connection', 'checkpoint', 'tombstone', 'joining', 'resumption', 'attestation'];

// "turn" for "anthropic/turn". Kinds of ours without a family mean themselves only when bare.
function kindOf(type) {
  if (kBare.includes(type)) return type;
  if (type === 'external/web_resource') return 'web_resource';
  const kind = /^[^/]+\/([^/]+)$/.exec(type)?.[1] ?? refuse(`its type ${JSON.stringify(type)} is none`);
  return kBare.includes(kind) || kind === 'web_resource' ? refuse(`its type ${JSON.stringify(type)} is none`) : kind;
}

function parseLeaf(written, what) {
  const tree = /^tree:(cid:blake3:[0-9a-f]{64}):(0|[1-9][0-9]{0,18}):((?:[0-9a-f]{64}){0,64})$/.exec(written);
  if (!tree) refuse(`its ${what} is malformed`);
  return { checkpoint: tree[1], index: BigInt(tree[2]), path: (tree[3].match(/.{64}/g) ?? []).map(fromHex) };
}
function parseSignature(written) {
  const single = /^ed25519:([0-9a-f]{128})$/.exec(written);
  return single ? { bytes: fromHex(single[1]) } : parseLeaf(written, 'signature');
}
// The leaves that a thought is beside the one that signs it. The first of a thought that is signed
// alone has its path; of the others the whole tree is the proof.
function parseCovers({ sign, covered, again = [] }) {
  if (covered !== undefined && !sign.bytes) refuse('structure has a member "covered"');
  if (covered === undefined && sign.bytes && again.length) refuse('its "again" follows no "covered"');
  const further = again.map((written) => parseLeaf(written, '"again"'));
  if (further.some(({ path }) => path.length)) refuse('its "again" has a path');
  return covered === undefined ? further : [parseLeaf(covered, '"covered"'), ...further];
}

// A line of an export: a thought, or a leaf whose thought was sealed, which is only its CID and the
// leaves that it is.
const kLeaf = { cid: isCid, covered: text, again: kThought.again };
export function readLine(json) {
  if (!map(json) || json.has('type') || !json.has('covered')) return readThought(json);
  demand('a leaf without its thought', json, kLeaf);
  const leaf = { ...Object.fromEntries(json), kind: 'gone', because: [], content: new Map(), sign: { bytes: true } };
  return { ...leaf, covers: parseCovers(leaf) };
}

export function readThought(json) {
  demand('a thought', json, kThought);
  const thought = Object.fromEntries(json);
  // A reference may be written as a bare CID; it is hashed as what it stands for.
  thought.because = thought.because.map((ref) => (isCid(ref) ? new Map([['thought_cid', ref]]) : ref));
  for (const ref of thought.because) {
    demand('a reference', ref, kRef);
    if (ref.has('anchor')) demand('an anchor', ref.get('anchor'), kAnchor);
  }
  const layers = thought.content.get('$layers');
  if (layers !== undefined) {
    demand('$layers', layers, { metadata: optional(box), content: optional(box) });
    if (layers.size === 0) refuse('$layers is empty');
  }
  thought.kind = kindOf(thought.type);
  const version = thought.kind === 'checkpoint' && thought.content.get('version');
  if (typeof version === 'bigint' && version > kVersion) {
    refuse(`it was made by a newer weft: version ${version}; this verifier knows ${kVersion}`);
  }
  if (Object.hasOwn(kContents, thought.kind)) demand(`a ${thought.kind}`, thought.content, kContents[thought.kind]);
  if (thought.kind === 'tombstone') checkTombstone(thought.content);
  if (thought.kind === 'joining') checkJoining(thought);
  if (kGroundless.includes(thought.kind) && (thought.because.length || thought.source !== undefined)) {
    refuse(`a ${thought.kind} has no because and no source`);
  }
  thought.sign = parseSignature(thought.signature);
  thought.covers = parseCovers(thought);
  return thought;
}

// --- signatures ------------------------------------------------------------------------

// Under a key of small order one signature holds for every message. These are the points of
// small order, the sign bit left out, in every encoding; none but canonical ones are accepted.
const kSmallOrder = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);
function isSound(point) {
  const y = Uint8Array.from(point);
  y[31] &= 0x7f;
  const isBelowP = y[31] < 0x7f || y.subarray(1, 31).some((byte) => byte < 0xff) || y[0] < 0xed;
  return isBelowP && !kSmallOrder.has(toHex(y));
}

export function signatureHolds(pubkey, signature, message) {
  const bytes = fromHex(pubkey.slice('ed25519:'.length));
  if (!isSound(bytes) || !isSound(signature.subarray(0, 32))) return false;
  const x = toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
  const jwk = { kty: 'OKP', crv: 'Ed25519', x };
  return verifyEd25519(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature);
}

// The tree has the shape of RFC 6962, with BLAKE3; this is the check of RFC 9162, 2.1.3.2.
export const leafHash = (cid) => blake3(concat(Uint8Array.of(0), digestOf(cid)));
export const nodeHash = (left, right) => blake3(concat(Uint8Array.of(1), left, right));

// The root of the tree with these leaves.
export function rootOf(cids) {
  let level = cids.map(leafHash);
  while (level.length > 1) {
    const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, i) => level.slice(2 * i, 2 * i + 2));
    level = pairs.map(([left, right]) => (right ? nodeHash(left, right) : left));
  }
  return toHex(level[0]);
}

export function pathHolds(leaf, index, size, path, root) {
  if (index >= size) return false;
  let node = index, last = size - 1n, hash = leafHash(leaf);
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
  return last === 0n && toHex(hash) === root;
}
