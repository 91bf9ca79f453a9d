// The verifier of proofs, against the worked example of docs/formats/proof.md and changed copies of it.
import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseJson, canonical } from './exact_json.mjs';
import { looksLikeProof, verifyProof, verifyShown } from './proof.mjs';
import { keyPair, smallWeb, write } from './test_web.mjs';

const page = readFileSync(new URL('../formats/proof.md', import.meta.url), 'utf8');
const block = (kind) => new RegExp('^```' + kind + '\\n([^]*?)\\n```$', 'm').exec(page)[1];
const example = block('proof example') + '\n';
const check = (text, options) => verifyProof(Buffer.from(text), options);
// A change of each byte, seeded; with WEFT_LONG every other value of it.
let seed = 20261118;
const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;

test('the example holds, and says what the page says', () => {
  const report = check(example);
  assert.deepEqual(report.bad, []);
  assert.ok(report.ok && looksLikeProof(example));
  assert.equal(report.selection, 'signed');
  const values = new Map(block('values proof').split('\n').map((line) => line.split(': ')));
  assert.equal(report.subject, values.get('subject'));
  assert.equal(report.owner.cid, values.get('owner'));
  const payload = Buffer.from(JSON.parse(example).payload, 'base64');
  assert.equal(String(payload.length), values.get('payload bytes'));
  assert.equal(String(JSON.parse(payload).predicate.thoughts.length), values.get('thoughts'));
  assert.deepEqual([report.whole, report.sealed, report.stubs, report.edges], [1, 1, 0, 3]);
  assert.ok(check(example, { owner: report.owner.pubkey }).ok);
  assert.equal(check(example, { owner: keyPair(9).pubkey }).ok, false);
  assert.ok(verifyShown(example).proof.thoughts.length > 0);
});

test('every single changed byte is refused', () => {
  const bytes = Buffer.from(example);
  for (let at = 0; at < bytes.length; at++) {
    for (let change = 1; change < 256; change++) {
      const by = process.env.WEFT_LONG ? change : 1 + Math.floor(random() * 255);
      const changed = Buffer.from(bytes);
      changed[at] ^= by;
      assert.equal(verifyProof(changed).ok, false, `byte ${at} xor ${by}`);
      if (!process.env.WEFT_LONG) break;
    }
  }
});

// The statement with `change` made to it, as an unsigned selection.
function unsigned(change = () => {}) {
  const statement = parseJson(Buffer.from(JSON.parse(example).payload, 'base64').toString());
  const predicate = statement.get('predicate');
  predicate.set('selection', 'unsigned');
  change(predicate, statement);
  const payload = Buffer.from(canonical(statement)).toString('base64');
  return JSON.stringify({ payload, payloadType: 'application/vnd.in-toto+json', signatures: [] }) + '\n';
}
const hide = (type, forge = () => {}) => (predicate) => {
  const thoughts = predicate.get('thoughts');
  const at = thoughts.findIndex((thought) => thought.get('type') === type);
  const [gone] = thoughts.splice(at, 1);
  // Nobody speaks through its input any more.
  const input = thoughts.find((thought) => thought.get('cid') === gone.get('source'));
  predicate.set('thoughts', thoughts.filter((thought) => thought !== input && thought.get('cid') !== input.get('content').get('to')));
  const stub = new Map(['cid', 'created_by', 'signature'].map((name) => [name, gone.get(name)]));
  forge(stub, predicate);
  predicate.get('stubs').push(stub);
};

test('an unsigned selection holds, says so, and may be a smaller one', () => {
  const report = check(unsigned());
  assert.ok(report.ok);
  assert.equal(report.selection, 'unsigned');
  const hidden = check(unsigned(hide('anthropic/human_input')));
  assert.deepEqual(hidden.bad, []);
  assert.deepEqual([hidden.whole, hidden.sealed, hidden.stubs], [0, 1, 1]);
});

test('every changed byte of what an unsigned selection says is refused', () => {
  const text = unsigned(hide('anthropic/human_input'));
  const payload = Buffer.from(JSON.parse(text).payload, 'base64');
  for (let at = 0; at < payload.length; at += process.env.WEFT_LONG ? 1 : 5) {
    const changed = Buffer.from(payload);
    changed[at] = '0123456789abcdef,:{}[]"xyz'.charCodeAt(Math.floor(random() * 26));
    if (changed[at] === payload[at]) continue;
    const report = check(JSON.stringify({ ...JSON.parse(text), payload: changed.toString('base64') }) + '\n');
    assert.equal(report.ok, false, `byte ${at}`);
  }
});

test('stubs, strangers, and what is not there', () => {
  const refuses = (change, reason) => {
    const report = check(unsigned(change));
    assert.equal(report.ok, false);
    assert.match(report.bad.map((one) => one.reason).join('\n'), reason);
  };
  refuses(hide('anthropic/human_input', (stub) => stub.set('signature', stub.get('signature').replace(/.$/, (digit) => (digit === '0' ? '1' : '0')))), /signature/);
  refuses(hide('anthropic/human_input', (stub, predicate) => stub.set('created_by', predicate.get('thoughts').find((one) => one.get('type') === 'anthropic/thinking').get('created_by'))), /signature/);
  refuses(hide('anthropic/human_input', (stub) => stub.set('more', 'x')), /which none has/);
  for (const type of ['identity', 'schema', 'checkpoint', 'anthropic/turn', 'anthropic/conversation']) {
    refuses((predicate) => predicate.set('thoughts', predicate.get('thoughts').filter((one) => one.get('type') !== type)), /./);
  }
  refuses((predicate, statement) => {
    const human = predicate.get('thoughts').find((one) => one.get('type') === 'anthropic/human_input').get('cid');
    statement.get('subject')[0].set('name', human).get('digest').set('blake3', human.slice(11));
  }, /nothing leads to it/);
  refuses((predicate) => predicate.get('thoughts').reverse(), /order/);
  refuses((predicate) => predicate.set('version', 2n), /version/);
});

test('what says that it is signed is, and the other way round', () => {
  const { payload, payloadType, signatures } = JSON.parse(example);
  assert.equal(check(JSON.stringify({ payload, payloadType, signatures: [] }) + '\n').ok, false);
  assert.equal(check(JSON.stringify({ ...JSON.parse(unsigned()), signatures }) + '\n').ok, false);
});

// A proof of thoughts of a small web; those of `hidden` are stubs. Signed by the web's owner, if it is to be.
function proofOf(web, subject, thoughts, { hidden = [], isSigned = true } = {}) {
  const byCid = (a, b) => (a.cid < b.cid ? -1 : 1);
  const shown = thoughts.map(({ key, again, covered, ...thought }) =>
    ({ ...thought, ...(covered && (thought.type === 'identity' && thought.cid !== web.owner.cid) ? { covered } : {}) })).sort(byCid);
  const stubs = hidden.map(({ cid, created_by, signature }) => ({ cid, created_by, signature })).sort(byCid);
  const payload = Buffer.from(write({ _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: subject.cid, digest: { blake3: subject.cid.slice(11) } }], predicateType: 'urn:weft:proof:v1',
    predicate: { version: 1, owner: web.owner.cid, selection: isSigned ? 'signed' : 'unsigned', thoughts: shown, stubs } }));
  const type = 'application/vnd.in-toto+json';
  const said = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload]);
  const signatures = isSigned ? [{ keyid: web.key.pubkey, sig: sign(null, said, web.key.secret).toString('base64') }] : [];
  return check(write({ payload: payload.toString('base64'), payloadType: type, signatures }) + '\n');
}
// The question, and what it takes to check that; with the model, whose thinking rests on it.
function aboutThinking(web) {
  const edge = (to) => web.thoughts.find(({ type, content }) => type === 'connection' && content.relation === 'contains' && content.to === to.cid);
  const voice = ({ source }) => [source, web.thoughts.find(({ cid }) => cid === source.content.to)];
  const model = [web.model, ...voice(web.modelVoice), web.answering, web.thinkingHolds, web.second];
  const person = [web.owner, ...voice(web.ownerVoice), web.asking, web.askingHolds, web.first, web.question];
  return { edge, model, person, all: [...person, ...model, web.thinking, web.talk] };
}

test('checkpoints of version 1 prove, and who signed a stub is the owner’s word', () => {
  for (const versions of [[1, 1], [1, 2], [2, 2]]) {
    const web = smallWeb(1, 'Ada', undefined, versions);
    const { all } = aboutThinking(web);
    for (const isSigned of [true, false]) {
      const report = proofOf(web, web.thinking, all, { isSigned });
      assert.deepEqual(report.bad, []);
      assert.deepEqual([report.whole, report.sealed], [1, 1]);
    }
    // The model's words as a stub: no checkpoint of version 1 covers its identity.
    const onlyModel = smallWeb(1, 'Ada', undefined, versions);
    const rest = aboutThinking(onlyModel);
    const answer = onlyModel.add('test/response', { text: 'mine' }, { because: [{ thought_cid: onlyModel.thinking.cid }] });
    const holds = onlyModel.place(onlyModel.answering, answer, 2);
    const third = onlyModel.commit(onlyModel.talk, onlyModel.second, {}, versions[1]);
    const [source, schema] = rest.model.slice(1, 3);
    const vouching = versions[0] === 2 ? [onlyModel.first] : [];
    const shown = [...rest.model, ...vouching, onlyModel.owner, onlyModel.talk, answer, holds, third].filter((one) => one !== source && one !== schema);
    const options = { hidden: [onlyModel.thinking] };
    assert.deepEqual(proofOf(onlyModel, answer, shown, options).bad, []);
    const unsigned = proofOf(onlyModel, answer, shown, { ...options, isSigned: false });
    assert.equal(unsigned.ok, versions[1] === 2);
    if (!unsigned.ok) assert.match(unsigned.bad[0].reason, /nothing that the owner signed leads to it/);
  }
});

test('a cause that was forgotten is named by a tombstone of the owner’s, and of nobody else', () => {
  const forgotten = ({ by, key, lists = true }) => {
    const web = smallWeb();
    const { all, person } = aboutThinking(web);
    const gone = [web.question, web.asking, web.askingHolds, ...person.slice(1, 3)];
    const stone = web.add('tombstone', { conversations: ['cid:blake3:' + '0'.repeat(64)], forgotten: lists ? [web.question.cid] : [], thoughts: 1 },
      by ? { by: web.model, key: web.modelVoice.key } : {});
    return proofOf(web, web.thinking, [...all.filter((one) => !gone.includes(one)), stone]);
  };
  assert.deepEqual(forgotten({}).bad, []);
  assert.match(forgotten({ lists: false }).bad[0].reason, /is not in the proof/);
  assert.match(forgotten({ by: 'model' }).bad.map((one) => one.reason).join(), /by somebody who is not the owner/);
});

test('what record heard is said by the owner alone, about what is in the proof', () => {
  const heard = ({ on = (web) => [web.thinking.cid, 'cid:blake3:' + '0'.repeat(64)], by, via = 'record' } = {}) => {
    const web = smallWeb();
    const cids = on(web);
    const statement = web.add('attestation', { on: cids, via, level: 'witnessed' },
      { because: cids.map((cid) => ({ thought_cid: cid })), ...(by ? { by: web.model, key: web.modelVoice.key } : {}) });
    return proofOf(web, web.thinking, [...aboutThinking(web).all, statement]);
  };
  assert.deepEqual(heard().bad, []);
  assert.equal(heard().witnessed, 1);
  assert.equal(heard({ via: 'hearsay' }).witnessed, 0);
  assert.match(heard({ by: 'model' }).bad[0].reason, /not the owner/);
  assert.match(heard({ on: () => ['cid:blake3:' + '0'.repeat(64)] }).bad[0].reason, /is not in the proof/);
  assert.match(heard({ on: () => [] }).bad[0].reason, /malformed/);
});
