// A small web for the tests, made by means of its own: nothing of the verifier is used here.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { blake3 } from '@noble/hashes/blake3';

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const hash = (...parts) => Buffer.from(blake3(Buffer.concat(parts)));
const digest = (cid) => Buffer.from(cid.slice('cid:blake3:'.length), 'hex');

// Canonical JSON of plain values; a BigInt stands for an integer that a double cannot hold.
export function write(value) {
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (typeof value === 'bigint') return String(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${write(value[key])}`).join(',')}}`;
}

// Ed25519 from a seed of 32 equal bytes.
export function keyPair(byte) {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, byte)]);
  const secret = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const x = createPublicKey(secret).export({ format: 'jwk' }).x;
  return { secret, pubkey: 'ed25519:' + hex(Buffer.from(x, 'base64url')) };
}

// RFC 6962, 2.1 and 2.1.1, word for word.
const split = (size) => 2 ** Math.ceil(Math.log2(size) - 1);
export function root(cids) {
  if (cids.length === 1) return hash(Buffer.of(0), digest(cids[0]));
  const k = split(cids.length);
  return hash(Buffer.of(1), root(cids.slice(0, k)), root(cids.slice(k)));
}
export function path(index, cids) {
  if (cids.length === 1) return [];
  const k = split(cids.length);
  return index < k ? [...path(index, cids.slice(0, k)), root(cids.slice(k))]
    : [...path(index - k, cids.slice(k)), root(cids.slice(0, k))];
}

export class Web {
  thoughts = [];
  alone = [];  // since the last commit: what is signed on its own,
  leaves = [];  // and structure
  blocks = 0;
  head = Buffer.alloc(32);

  constructor(byte = 1, name = 'Ada') {
    this.key = keyPair(byte);
    this.owner = this.identity({ kind: 'human', name, provenance: 'verified' }, this.key);
    this.ownerVoice = this.voice(this.owner, 'input/human_chat');
  }

  // A thought by `key`, or, where there is none, a leaf of the next checkpoint.
  add(type, content, { by = this.owner, key = this.key, at = 1000, source, because = [] } = {}) {
    const thought = { type, content, created_by: by?.cid ?? 'SELF', created_at: at, because };
    if (source) thought.source = source.cid;
    thought.cid = 'cid:blake3:' + hex(hash(Buffer.from(write(thought))));
    if (type === 'identity') thought.created_by = thought.cid;
    thought.signature = key ? 'ed25519:' + hex(sign(null, digest(thought.cid), key.secret)) : undefined;
    this.thoughts.push(thought);
    if (!key) this.leaves.push(thought);
    else if (!['checkpoint', 'tombstone'].includes(type)) this.alone.push(thought);
    return thought;
  }
  identity(facts, key) {
    const identity = this.add('identity', { ...facts, pubkey: key.pubkey }, { by: null, key });
    return Object.assign(identity, { key: undefined });
  }
  voice(identity, input, key = this.key) {
    const schema = this.add('schema', { name: input });
    const source = this.add('connection', { relation: 'uses_input', from: identity.cid, to: schema.cid }, { by: identity, key });
    return { by: identity, key, source };
  }
  edge(relation, from, to, more = {}) {
    return this.add('connection', { relation, from: from.cid, to: to.cid, ...more }, { key: null });
  }
  conversation(session) {
    return this.add('test/conversation', { format: 'test', session_id: session, source: 'primary' });
  }
  turn(conversation, role, sequence) {
    const turn = this.add('test/turn', { conversation: conversation.cid, role, sequence }, { key: null });
    this.edge('contains', conversation, turn, { index: sequence });
    return turn;
  }
  place(turn, block, index) {
    this.blocks++;
    this.head = hash(this.head, digest(block.cid));
    return this.edge('contains', turn, block, { index });
  }
  // Signs all structure so far and, from version 2 on, covers all else. `more` overrides what the
  // checkpoint says.
  commit(conversation, previous, more = {}, version = 2) {
    const covered = version === 1 ? [] : this.alone;
    const leaves = [...covered, ...this.leaves];
    const cids = leaves.map((leaf) => leaf.cid);
    const content = { conversation: conversation.cid, leaves: cids.length, root: hex(root(cids)),
      blocks: this.blocks, head: hex(this.head), ...(previous ? { previous: previous.cid } : {}),
      ...(version === 1 ? {} : { version }), ...more };
    const checkpoint = this.add('checkpoint', content, { at: 2000 });
    for (const [i, leaf] of leaves.entries()) {
      const written = `tree:${checkpoint.cid}:${i}:${path(i, cids).map(hex).join('')}`;
      if (i >= covered.length) leaf.signature = written;
      else if (!leaf.covered) leaf.covered = written;
      else leaf.again = [...(leaf.again ?? []), `tree:${checkpoint.cid}:${i}:`];
    }
    this.alone = [];
    this.leaves = [];
    return checkpoint;
  }
  lines() {
    return this.thoughts.map(({ key, ...thought }) => write(thought));
  }
  bytes() {
    return Buffer.from(this.lines().join('\n') + '\n');
  }
  without(...thoughts) {
    const rest = Object.assign(Object.create(Web.prototype), this);
    rest.thoughts = this.thoughts.filter((thought) => !thoughts.includes(thought));
    return rest;
  }
}

// Two turns, a citation, facts, a sealed thought and an edge with a label, in two commits.
export function smallWeb(byte = 1, name = 'Ada', answer = 'Because of scattering.', [first, second] = [2, 2]) {
  const web = new Web(byte, name);
  const modelKey = keyPair(100 + byte);
  web.model = web.identity({ kind: 'model', name: 'm', provider: 'p', provenance: 'claimed' }, modelKey);
  web.modelVoice = web.voice(web.model, 'input/test_model', modelKey);
  web.talk = web.conversation('s1');
  web.asking = web.turn(web.talk, 'human', 0);
  web.question = web.add('test/human_input', { text: 'Why is the sky blue?' }, web.ownerVoice);
  web.askingHolds = web.place(web.asking, web.question, 0);
  web.first = web.commit(web.talk, undefined, {}, first);

  web.answering = web.turn(web.talk, 'assistant', 1);
  const box = 'xc20p:0123456789abcdef:' + Buffer.alloc(48, 7).toString('base64');
  web.thinking = web.add('test/thinking', { $layers: { content: box } },
    { ...web.modelVoice, because: [{ thought_cid: web.question.cid }] });
  web.thinkingHolds = web.place(web.answering, web.thinking, 0);
  web.edge('causes', web.question, web.thinking, { label: 'prompt triggered reasoning' });
  web.resource = web.add('external/web_resource', { url: 'https://example.org/sky' });
  web.answer = web.add('test/response', { text: answer, duration_ms: 12 }, { ...web.modelVoice,
    because: [{ thought_cid: web.thinking.cid },
      { thought_cid: web.resource.cid, anchor: { exact: 'scattering', prefix: 'of ', suffix: '.' } }] });
  web.answerHolds = web.place(web.answering, web.answer, 1);
  web.citation = web.add('test/citation', { url: 'https://example.org/sky' },
    { ...web.modelVoice, because: [{ thought_cid: web.resource.cid }] });
  web.facts = web.add('test/conversation_facts', { title: 'Sky' }, { because: [{ thought_cid: web.talk.cid }] });
  web.alone.unshift(web.model);  // the second commit carries it again
  web.second = web.commit(web.talk, web.first, {}, second);
  return web;
}
