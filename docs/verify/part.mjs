// A part of a web on its own: each thought is what its creator signed, the owner put it into a conversation, and
// all of it is there because of the subject. The rules are those of docs/formats/proof.md; weft holds them in
// src/weft/query/proof/part_checker.cpp, and shares no code with this.
//
// It runs in Node and, in proof.html and in exported pages, in a browser.
import { blake3 } from '@noble/hashes/blake3';
import { toUtf8 } from './bytes.mjs';
import { Refused, parseJson } from './exact_json.mjs';
import { canonicalForm, digestOf, kVersion, pathHolds, readThought, signatureHolds, toHex } from './thought.mjs';

const kOwners = ['schema', 'connection', 'checkpoint', 'conversation', 'turn', 'web_resource', 'tombstone'];
const kCid = /^cid:blake3:[0-9a-f]{64}$/;
const isInput = (thought) => thought.kind === 'connection' && thought.content.get('relation') === 'uses_input';
const isEdge = (thought) => thought.kind === 'connection' && !isInput(thought);

// One thought from its JSON, read exactly. `reason` says why it is none, or why its content is not what its CID names.
export function readOne(json) {
  try {
    const thought = readThought(typeof json === 'string' ? parseJson(json) : json);
    const cid = 'cid:blake3:' + toHex(blake3(toUtf8(canonicalForm(thought))));
    return { thought, reason: cid === thought.cid ? undefined : 'its content does not hash to its CID' };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { reason: error.message };
  }
}

// `thoughts`: as readThought gives them, their CIDs checked. `stubs`: {cid, created_by, signature: 64 bytes}.
// `subject`: where everything starts; undefined for a part that is a list, and not the causes of one thought.
// `isSigned`: whether the owner signed the whole, and so who signed each stub.
// `holds`: whether an Ed25519 signature holds; by default it is computed here.
// Returns {bad: [{cid, reason}], owner: {cid, name, pubkey}, whole, sealed, stubs, witnessed, edges, checkpoints}.
export function checkPart({ thoughts, stubs, owner: ownerCid, subject, isSigned = false, holds = signatureHolds }) {
  const bad = [];
  const say = (cid, reason) => bad.push({ cid, reason });
  const web = new Map(thoughts.map((thought) => [thought.cid, thought]));
  const stubOf = new Map(stubs.map((stub) => [stub.cid, stub]));
  const find = (cid, kind) => (web.get(cid)?.kind === kind ? web.get(cid) : undefined);
  const isThere = (cid) => web.has(cid) || stubOf.has(cid);
  for (const { cid } of stubs) if (web.has(cid)) say(cid, 'it is there whole and as a stub');

  const owner = find(ownerCid, 'identity');
  if (!owner) say(ownerCid, 'the identity of its owner is not in it');
  else if (owner.content.get('kind') !== 'human') say(ownerCid, 'an owner is human');
  if (subject !== undefined && !isThere(subject)) say(subject, 'its subject is not in it');

  const edgesTo = new Map(), placed = new Set();
  for (const thought of thoughts.filter(isEdge)) {
    const to = thought.content.get('to');
    edgesTo.set(to, [...(edgesTo.get(to) ?? []), thought.cid]);
    if (thought.content.get('relation') === 'contains' && find(thought.content.get('from'), 'turn')) placed.add(to);
  }
  const creators = new Set(thoughts.filter(({ cid }) => placed.has(cid)).map((thought) => thought.created_by));
  const witnessed = new Set();
  if (isSigned) for (const stub of stubs) creators.add(stub.created_by);
  const forgotten = new Set(thoughts.filter(({ kind, created_by: by }) => kind === 'tombstone' && by === ownerCid)
    .flatMap(({ content }) => [...content.get('conversations'), ...content.get('forgotten')]));

  // The thoughts that stand for those that were sealed, as the owner says.
  const sealedAs = new Map(thoughts.filter(({ kind, created_by: by, content }) => kind === 'tombstone' && by === ownerCid && content.has('sealed_as'))
    .flatMap(({ content }) => content.get('forgotten').map((cid, i) => [cid, content.get('sealed_as')[i]])));

  function checkSignature(thought) {
    const { cid, kind, sign } = thought;
    if ((kind === 'identity') !== (thought.created_by === cid)) return say(cid, 'an identity, and nothing else, is its own creator');
    const inBulk = kind === 'turn' || isEdge(thought);
    if (inBulk !== (sign.checkpoint !== undefined)) return say(cid, `a ${kind} like this is ${inBulk ? '' : 'not '}signed through a tree`);
    if (inBulk) {
      const checkpoint = find(sign.checkpoint, 'checkpoint');
      if (!checkpoint) return say(cid, 'the checkpoint that signs it is not in the proof');
      if (checkpoint.created_by !== thought.created_by) return say(cid, 'it is signed through a checkpoint of somebody else');
      return leads(cid, sign, checkpoint) || say(cid, "its path does not lead to its checkpoint's root");
    }
    const creator = find(thought.created_by, 'identity');
    if (!creator) return say(cid, 'its creator is no identity in the proof');
    return holds(creator.content.get('pubkey'), sign.bytes, digestOf(cid)) || say(cid, 'its signature does not hold');
  }
  const leads = (cid, { index, path }, checkpoint) =>
    pathHolds(cid, index, checkpoint.content.get('leaves'), path, checkpoint.content.get('root'));

  function checkCovers({ cid, sign, covers }) {
    if (covers.length === 0) return;
    if (subject !== undefined && (!sign.bytes || covers.length > 1)) return say(cid, 'it has covers that no proof has');
    if (!sign.bytes) return;
    const checkpoint = find(covers[0].checkpoint, 'checkpoint');
    if (!checkpoint) return say(cid, 'the checkpoint that covers it is not in the proof');
    if ((checkpoint.content.get('version') ?? 1n) < kVersion) return say(cid, 'it is covered by a checkpoint of version 1');
    if (!leads(cid, covers[0], checkpoint)) say(cid, "the path of its cover does not lead to its checkpoint's root");
  }

  function checkRole(thought) {
    const { cid, kind } = thought;
    if (kind === 'identity') {
      if (cid !== ownerCid && !thought.covers.length && !creators.has(cid)) say(cid, 'nothing that the owner signed leads to it');
    } else if (isInput(thought)) {
      if (thought.content.get('from') !== thought.created_by) say(cid, "an input of somebody else's");
    } else if (kOwners.includes(kind)) {
      if (thought.created_by !== ownerCid) say(cid, `a ${kind} by somebody who is not the owner`);
    } else if (kind === 'attestation' && subject !== undefined) {
      checkAttestation(thought);
    } else if (!placed.has(cid) && !thought.covers.length) {
      say(cid, 'no turn contains it, and no checkpoint covers it');
    }
    const source = web.get(thought.source);
    if (thought.source !== undefined && !(source && isInput(source) && source.created_by === thought.created_by)) {
      say(cid, "its source is no input of its creator's");
    }
  }

  // A statement of the owner's about thoughts of the part. What else it is about may be elsewhere.
  function checkAttestation({ cid, created_by: by, content }) {
    const isText = (name) => typeof content.get(name) === 'string';
    const on = content.get('on');
    if (!Array.isArray(on) || !on.length || !on.every((one) => kCid.test(one)) || !isText('via') || !isText('level')) {
      return say(cid, 'attestation: malformed content');
    }
    if (by !== ownerCid) say(cid, 'an attestation by somebody who is not the owner');
    if (!on.some(isThere)) say(cid, 'what it attests is not in the proof');
    if (content.get('via') === 'record' && content.get('level') === 'witnessed') for (const one of on) witnessed.add(one);
  }

  function checkLinks(thought) {
    const demand = (what, cid) => { if (!isThere(cid) && !forgotten.has(cid)) say(thought.cid, `its ${what} ${cid} is not in the proof`); };
    const isStatement = thought.kind === 'attestation' && subject !== undefined;
    for (const ref of isStatement ? [] : thought.because) demand('because', ref.get('thought_cid'));
    if (thought.kind === 'connection') for (const end of ['from', 'to']) {
      // The result that a subagent returned to stands in the caller's conversation, which a list need not have.
      const isElsewhere = subject === undefined && end === 'to' && thought.content.get('relation') === 'returns';
      if (!isElsewhere) demand(end, thought.content.get(end));
    }
    if (thought.kind === 'turn' && !find(thought.content.get('conversation'), 'conversation')) say(thought.cid, 'its conversation is not in the proof');
  }

  // Everything is led to from the subject: by what a thought names, and by an edge from where it leads to where it comes from.
  function checkReach() {
    const queue = [subject, ownerCid], reached = new Set(queue);
    const go = (cid) => {
      if (cid === undefined || !isThere(cid) || reached.has(cid)) return;
      reached.add(cid);
      queue.push(cid);
    };
    while (queue.length) {
      const cid = queue.pop();
      for (const edge of edgesTo.get(cid) ?? []) go(edge);
      go(stubOf.get(cid)?.created_by);
      const thought = web.get(cid);
      if (!thought) continue;
      for (const next of [thought.created_by, thought.source, thought.sign.checkpoint]) go(next);
      for (const ref of thought.because) {
        go(ref.get('thought_cid'));
        go(sealedAs.get(ref.get('thought_cid')));
      }
      for (const { checkpoint } of thought.covers) go(checkpoint);
      if (thought.kind === 'turn') go(thought.content.get('conversation'));
      if (thought.kind === 'connection') for (const end of ['from', 'to']) go(thought.content.get(end));
    }
    for (const { cid, kind } of [...thoughts, ...stubs]) {
      if (kind !== 'tombstone' && kind !== 'attestation' && !reached.has(cid)) say(cid, 'nothing leads to it from the subject');
    }
  }

  for (const thought of thoughts) {
    checkSignature(thought);
    checkCovers(thought);
    checkRole(thought);
    checkLinks(thought);
  }
  for (const { cid, created_by: by, signature } of stubs) {
    const creator = find(by, 'identity');
    if (!creator) say(cid, 'its creator is no identity in the proof');
    else if (!holds(creator.content.get('pubkey'), signature, digestOf(cid))) say(cid, 'its signature does not hold');
  }
  if (subject !== undefined) checkReach();

  const shown = thoughts.filter(({ kind }) => kind === 'web_resource' || (kind !== 'identity' && kind !== 'attestation' && !kOwners.includes(kind)));
  const sealed = shown.filter(({ content }) => content.has('$layers')).length;
  return { bad, owner: owner && { cid: owner.cid, name: owner.content.get('name'), pubkey: owner.content.get('pubkey') },
    whole: shown.length - sealed, sealed, stubs: stubs.length, witnessed: shown.filter(({ cid }) => witnessed.has(cid)).length, edges: thoughts.filter(isEdge).length,
    checkpoints: thoughts.filter(({ kind }) => kind === 'checkpoint').length };
}
