// A proof: an envelope (DSSE) around an in-toto statement around a part of a web, as docs/formats/proof.md says. Every
// byte has one spelling: what is read is written again, and anything else than the same bytes is refused.
//
// It runs in Node and in the browser that shows proof.html.
import { blake3 } from '@noble/hashes/blake3';
import { concat, fromBase64, fromHex, fromUtf8, toHex, toUtf8 } from './bytes.mjs';
import { Refused, canonical, parseJson, refuse } from './exact_json.mjs';
import { checkPart, readOne } from './part.mjs';
import { isCid, isKey, signatureHolds } from './thought.mjs';

const kPayloadType = 'application/vnd.in-toto+json';
const kMark = '{{' + 'PROOF}}';
const kOpens = '<script type="application/json" id="weft-proof">';
const kCloses = '</script>';

export const looksLikeProof = (text) => text.startsWith('{"payload":') || text.includes(kOpens);

// The object `value` with exactly these members; `optional` ones may be missing.
function members(what, value, names, optional = []) {
  if (!(value instanceof Map)) refuse(`${what} is no object`);
  for (const name of value.keys()) if (!names.includes(name) && !optional.includes(name)) refuse(`${what} has a member ${JSON.stringify(name)}, which none has`);
  for (const name of names) if (!value.has(name)) refuse(`${what} has no member "${name}"`);
  return Object.fromEntries(value);
}

function readStub(json) {
  const stub = members('a stub', json, ['cid', 'created_by', 'signature']);
  const signature = /^ed25519:([0-9a-f]{128})$/.exec(stub.signature)?.[1];
  if (!isCid(stub.cid) || !isCid(stub.created_by) || !signature) refuse('a stub is malformed');
  return { ...stub, signature: fromHex(signature) };
}
const inOrder = (list) => list.every(({ cid }, at) => at === 0 || list[at - 1].cid < cid);

// The statement in a payload; thoughts as readOne gives them.
function readStatement(text) {
  const json = parseJson(text);
  if (canonical(json) !== text) refuse('its payload is not canonical JSON');
  const statement = members('its statement', json, ['_type', 'subject', 'predicateType', 'predicate']);
  if (statement._type !== 'https://in-toto.io/Statement/v1' || statement.predicateType !== 'urn:weft:proof:v1') refuse('its payload is not the statement of a proof');
  if (!Array.isArray(statement.subject) || statement.subject.length !== 1) refuse('it has not one subject');
  const subject = members('its subject', statement.subject[0], ['name', 'digest']);
  const digest = members('the digest of its subject', subject.digest, ['blake3']);
  if (!isCid(subject.name) || subject.name !== `cid:blake3:${digest.blake3}`) refuse('its subject and the digest of that disagree');
  const predicate = members('its predicate', statement.predicate, ['version', 'owner', 'selection', 'thoughts', 'stubs'], ['page']);
  if (predicate.version !== 1n) refuse('it is of a version that this verifier does not know');
  if (!isCid(predicate.owner)) refuse('its owner is malformed');
  if (!['signed', 'unsigned'].includes(predicate.selection)) refuse('it does not say whether its selection is signed');
  if (!Array.isArray(predicate.thoughts) || !Array.isArray(predicate.stubs)) refuse('it has no thoughts or no stubs');
  if (predicate.page !== undefined && !/^[0-9a-f]{64}$/.test(predicate.page)) refuse('the hash of its page is malformed');
  const bad = [];
  const thoughts = predicate.thoughts.map((one) => {
    const { thought, reason } = readOne(one);
    if (!thought) refuse(`a thought is malformed: ${reason}`);
    if (reason) bad.push({ cid: thought.cid, reason });
    if (thought.because.some((ref, at) => ref !== one.get('because')[at])) refuse('a reference is not spelled as weft writes it');
    return thought;
  });
  const stubs = predicate.stubs.map(readStub);
  if (!inOrder(thoughts) || !inOrder(stubs)) refuse('its thoughts or stubs are not in the order of their CIDs, each once');
  return { subject: subject.name, owner: predicate.owner, page: predicate.page, isSigned: predicate.selection === 'signed', thoughts, stubs, bad };
}

// DSSE's pre-authentication encoding: what is signed.
const signedBytes = (payload) => concat(toUtf8(`DSSEv1 ${kPayloadType.length} ${kPayloadType} ${payload.length} `), payload);

function readEnvelope(text) {
  if (!text.endsWith('\n')) refuse('its envelope does not end with a line feed');
  const json = parseJson(text);
  if (canonical(json) + '\n' !== text) refuse('its envelope is not canonical JSON');
  const envelope = members('its envelope', json, ['payload', 'payloadType', 'signatures']);
  if (envelope.payloadType !== kPayloadType || !Array.isArray(envelope.signatures)) refuse('its envelope is malformed');
  const payload = typeof envelope.payload === 'string' ? fromBase64(envelope.payload) : undefined;
  if (!payload) refuse('its payload is malformed');
  // Nothing is read of a payload whose signature does not hold.
  const signed = envelope.signatures.map((one) => members('its signature', one, ['keyid', 'sig']));
  for (const { keyid, sig } of signed) {
    const bytes = typeof sig === 'string' ? fromBase64(sig) : undefined;
    if (!isKey(keyid) || bytes?.length !== 64 || !signatureHolds(keyid, bytes, signedBytes(payload))) refuse('the signature over the whole does not hold');
  }
  let words;
  try { words = fromUtf8(payload); } catch { refuse('its payload is not UTF-8'); }
  const proof = readStatement(words);
  if (signed.length !== (proof.isSigned ? 1 : 0)) refuse('its signatures are not those that its selection says');
  const owner = proof.thoughts.find(({ cid, kind }) => cid === proof.owner && kind === 'identity');
  if (signed.some(({ keyid }) => keyid !== owner?.content.get('pubkey'))) refuse('its signature is not by the key of its owner');
  return proof;
}

function readFile(text) {
  const opens = text.indexOf(kOpens);
  if (opens < 0) {
    const proof = readEnvelope(text);
    if (proof.page !== undefined) refuse('it was taken out of its page');
    return proof;
  }
  const begin = opens + kOpens.length, end = text.indexOf(kCloses, begin);
  if (end < 0) refuse('the element of its page does not end');
  const proof = readEnvelope(text.slice(begin, end));
  const page = text.slice(0, begin) + kMark + text.slice(end);
  if (proof.page !== toHex(blake3(toUtf8(page)))) refuse('the page around it was changed');
  return proof;
}

// What holds in a proof that was read. `pinned`: the key that the owner must have.
function report(proof, pinned) {
  const part = checkPart(proof);
  const bad = [...proof.bad, ...part.bad];
  if (pinned && part.owner?.pubkey !== pinned) bad.push({ cid: proof.owner, reason: `the owner's key is not ${pinned}` });
  const { isSigned, subject } = proof;
  return { ...part, ok: bad.length === 0, kind: 'proof', selection: isSigned ? 'signed' : 'unsigned', subject, bad };
}
function refused(error) {
  if (!(error instanceof Refused)) throw error;
  return { ok: false, kind: 'proof', bad: [{ reason: error.message }] };
}

// `bytes`: proof.json or proof.html. Returns {ok, kind: 'proof', bad: [{cid?, reason}]} and, if it could be read,
// {selection, subject, owner, whole, sealed, stubs, witnessed, edges, checkpoints}.
export function verifyProof(bytes, { owner: pinned } = {}) {
  try {
    let text;
    try { text = fromUtf8(bytes); } catch { refuse('not UTF-8'); }
    return report(readFile(text), pinned);
  } catch (error) { return refused(error); }
}

// The same of the envelope within proof.html, in the browser that shows it: that the page around it is what the owner
// signed is for other programs to say. Also returns `proof`, which is what may be shown.
export function verifyShown(envelope) {
  try {
    const proof = readEnvelope(envelope);
    return { ...report(proof), proof };
  } catch (error) { return refused(error); }
}
