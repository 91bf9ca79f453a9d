// A small web made here, with keys of its own: what holds is consistent, and every byte that is changed is noticed.
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { blake3 } from '@noble/hashes/blake3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { checkThought } from './steps.ts';
import { cidOf, digestOf, readStored } from './thought.ts';

interface Key { secret: KeyObject; pubkey: string }
function newKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { secret: privateKey, pubkey: `ed25519:${(publicKey.export({ format: 'der', type: 'spki' }) as Buffer).subarray(-32).toString('hex')}` };
}
const kNone = `cid:blake3:${'0'.repeat(64)}`;

function make(type: string, content: object, createdBy: string, key: Key, more: object = {}): Record<string, unknown> {
  const thought: Record<string, unknown> = { cid: kNone, type, content, created_by: createdBy, created_at: 1, because: [], signature: '', ...more };
  thought.cid = cidOf(readStored(JSON.stringify(thought)));
  if (type === 'identity') thought.created_by = thought.cid;
  thought.signature = `ed25519:${sign(null, digestOf(thought.cid as string), key.secret).toString('hex')}`;
  return thought;
}
const hash = (...parts: Uint8Array[]) => blake3(Buffer.concat(parts));

function web() {
  const ownerKey = newKey();
  const modelKey = newKey();
  const owner = make('identity', { kind: 'human', name: 'Ada', pubkey: ownerKey.pubkey, provenance: 'verified' }, kNone, ownerKey);
  const model = make('identity', { kind: 'model', name: 'm', pubkey: modelKey.pubkey, provenance: 'claimed' }, kNone, modelKey);
  const block = make('anthropic/response', { text: 'hello', big: 1 }, model.cid as string, modelKey);
  const turn = `cid:blake3:${'1'.repeat(64)}`;
  const edge = make('connection', { relation: 'contains', from: turn, to: block.cid, index: 0 }, owner.cid as string, ownerKey);
  const leaves = [block.cid, edge.cid].map((cid) => hash(Uint8Array.of(0), digestOf(cid as string)));
  const root = bytesToHex(hash(Uint8Array.of(1), leaves[0]!, leaves[1]!));
  const checkpoint = make('checkpoint', { conversation: turn, root, blocks: 1, head: '0'.repeat(64), leaves: 2, version: 2 }, owner.cid as string, ownerKey);
  block.covered = `tree:${checkpoint.cid}:0:${bytesToHex(leaves[1]!)}`;
  edge.signature = `tree:${checkpoint.cid}:1:${bytesToHex(leaves[0]!)}`;
  const all = new Map([owner, model, block, edge, checkpoint].map((thought) => [thought.cid as string, JSON.stringify(thought)]));
  return { all, block: block.cid as string, edge: edge.cid as string, model: model.cid as string, ownerKey: ownerKey.pubkey };
}
const fetchFrom = (all: Map<string, string>) => (cid: string) => (all.has(cid) ? Promise.resolve(all.get(cid)!) : Promise.reject(new Error('not stored')));

test('a sound web is consistent, and every step is named', async () => {
  const { all, block, edge } = web();
  const report = await checkThought(block, edge, fetchFrom(all));
  assert.equal(report.verdict, 'consistent', JSON.stringify(report.steps, null, 1));
  assert.deepEqual(report.steps.map((step) => step.name), ['thought: content', 'creator: content', 'creator: signs for itself', 'thought: signature',
    'checkpoint: content', 'owner: content', 'owner: signs for itself', 'checkpoint: signature', 'commit: path', 'place: content', 'place: leads here', 'place: path']);
});
test('who signs is told apart: the owner, somebody else, nobody that is known', async () => {
  const { all, block, edge, model, ownerKey } = web();
  assert.equal((await checkThought(block, edge, fetchFrom(all), ownerKey)).verdict, 'valid');
  assert.equal((await checkThought(block, edge, fetchFrom(all), newKey().pubkey)).verdict, 'foreign');
  assert.equal((await checkThought(block, edge, fetchFrom(all))).verdict, 'consistent');
  assert.equal((await checkThought(model, undefined, fetchFrom(all), ownerKey)).verdict, 'consistent', 'no checkpoint covers it');
  const stranger = newKey();
  const bob = make('identity', { kind: 'human', name: 'Bob', pubkey: stranger.pubkey, provenance: 'verified' }, kNone, stranger);
  const said = make('anthropic/response', { text: 'x' }, bob.cid as string, stranger);
  for (const thought of [bob, said]) all.set(thought.cid as string, JSON.stringify(thought));
  assert.equal((await checkThought(said.cid as string, undefined, fetchFrom(all), ownerKey)).verdict, 'foreign');
  all.set(block, all.get(block)!.replace('hello', 'hullo'));
  assert.equal((await checkThought(block, edge, fetchFrom(all), ownerKey)).verdict, 'bad');
});
test('a changed word, key, signature, path or root is bad', async () => {
  const changes: [RegExp, string][] = [[/hello/, 'hullo'], [/"name":"m"/, '"name":"n"'], [/"blocks":1/, '"blocks":2'], [/"index":0/, '"index":1'], [/"big":1/, '"big":1.5']];
  for (const [from, to] of changes) {
    const { all, block, edge } = web();
    for (const [cid, json] of all) all.set(cid, json.replace(from, to));
    assert.equal((await checkThought(block, edge, fetchFrom(all))).verdict, 'bad', String(from));
  }
  for (const member of ['signature', 'covered']) {
    const { all, block, edge } = web();
    const thought = JSON.parse(all.get(block)!) as Record<string, string>;
    thought[member] = thought[member]!.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    all.set(block, JSON.stringify(thought));
    assert.equal((await checkThought(block, edge, fetchFrom(all))).verdict, 'bad', member);
  }
});
test('a thought of somebody else under this CID, or none, is bad', async () => {
  const { all, block, edge } = web();
  const other = web();
  all.set(block, other.all.get(other.block)!);
  assert.equal((await checkThought(block, edge, fetchFrom(all))).verdict, 'bad');
  assert.equal((await checkThought(kNone, undefined, fetchFrom(all))).verdict, 'bad');
});
test('an edge to another block is no place of this one', async () => {
  const { all, block } = web();
  const other = web();
  for (const [cid, json] of other.all) all.set(cid, json);
  const report = await checkThought(block, other.edge, fetchFrom(all));
  assert.equal(report.verdict, 'bad');
});
