// node --test verify.test.mjs: a small web verifies, and breaks in every way that it can be broken.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { canonical, parseJson } from './exact_json.mjs';
import { Web, keyPair, path, root, smallWeb } from './test_web.mjs';
import { canonicalForm, cidOf, leafHash, nodeHash, pathHolds, readThought, signatureHolds } from './thought.mjs';
import { verify } from './verify.mjs';

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const holds = (web, options) => assert.deepEqual(verify(web.bytes(), options).bad, []);
// The report of a web that must not pass; `reason` has to be among the reasons.
function breaks(web, reason, options) {
  const report = verify(Buffer.isBuffer(web) ? web : web.bytes(), options);
  assert.equal(report.ok, false, `not caught: ${reason}`);
  const said = report.bad.map((bad) => `${bad.cid ?? ''} ${bad.reason}`);
  assert.ok(said.some((one) => reason.test(one)), `${reason} is not among:\n${said.join('\n')}`);
  return report;
}
// The web with some lines written otherwise.
function rewritten(web, change) {
  return Buffer.from(web.lines().map((line) => change(line)).join('\n') + '\n');
}

test('a whole web holds, whatever the order of its lines', () => {
  const web = smallWeb();
  holds(web);
  holds(web, { owner: web.key.pubkey });
  web.thoughts.reverse();
  holds(web);
});

test('it says whose the web is, how far it goes and where it ends', () => {
  const web = smallWeb();
  const report = verify(web.bytes());
  assert.deepEqual(report.owner, { cid: web.owner.cid, name: 'Ada', pubkey: web.key.pubkey });
  assert.deepEqual(report.conversations, [{ cid: web.talk.cid, checkpoints: 2, checkpoint: web.second.cid,
    blocks: 3, head: hex(web.head) }]);
});

// Whether a line fails on its own; then the file fails with it.
function failsAlone(line) {
  try {
    const thought = readThought(parseJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line)));
    return cidOf(thought) !== thought.cid;
  } catch {
    return true;
  }
}

test('a flip of any byte of any line is caught', () => {
  const bytes = smallWeb().bytes();
  for (let i = 0, start = 0; i < bytes.length; i++) {
    const was = bytes[i];
    const end = bytes.indexOf(10, i);
    bytes[i] ^= 1 << (i % 8);
    const caught = (was !== 10 && failsAlone(bytes.subarray(start, end))) || !verify(bytes).ok;
    assert.ok(caught, `byte ${i}, ${String.fromCharCode(was)}, flipped to ${bytes[i]}`);
    bytes[i] = was;
    if (was === 10) start = i + 1;
  }
});

test('a letter of another case is caught in every hash, key and signature', () => {
  const web = smallWeb();
  for (const [i, line] of web.lines().entries()) {
    for (const found of line.matchAll(/[0-9a-f]{64}/g)) {
      const at = found.index + found[0].search(/[a-f]/);
      const changed = line.slice(0, at) + line[at].toUpperCase() + line.slice(at + 1);
      const lines = web.lines();
      lines[i] = changed;
      assert.equal(verify(Buffer.from(lines.join('\n'))).ok, false);
    }
  }
});

test('any line left out is caught', () => {
  const web = smallWeb();
  for (const thought of web.thoughts) {
    assert.equal(verify(web.without(thought).bytes()).ok, false, thought.type + ' ' + thought.cid);
  }
});

// Of version 1 alone, what no edge, because or creator leads to can be left out unseen.
test('checkpoints of both versions stand in one chain', () => {
  for (const versions of [[1, 1], [1, 2], [2, 1]]) {
    const web = smallWeb(1, 'Ada', 'So.', versions);
    holds(web);
    for (const thought of web.thoughts) {
      const unseen = versions[1] === 1 && (thought === web.facts || thought === web.citation);
      assert.equal(verify(web.without(thought).bytes()).ok, unseen, `${versions} ${thought.type} ${thought.cid}`);
    }
  }
});

// A web in which there are two of each kind that nothing else counts, each in a commit of its own.
function twoOfEach() {
  const web = smallWeb();
  const modelKey = keyPair(150);
  const model = web.identity({ kind: 'model', name: 'n', provider: 'p', provenance: 'claimed' }, modelKey);
  const voice = web.voice(model, 'input/test_thinking', modelKey);
  const resource = web.add('external/web_resource', { url: 'https://example.org/sea' });
  const other = { facts: web.add('test/conversation_facts', { title: 'Sea' }, { because: [{ thought_cid: web.talk.cid }] }),
    citation: web.add('test/citation', { url: 'u' }, { ...web.modelVoice, because: [{ thought_cid: resource.cid }] }),
    resource, identity: model, uses_input: voice.source,
    summary: web.add('test/thinking_summary', { text: 'b' }, { ...voice, because: [{ thought_cid: web.thinking.cid }] }),
    schema: web.thoughts.find((thought) => thought.content.name === 'input/test_thinking') };
  web.third = web.commit(web.talk, web.second);
  const one = { facts: web.facts, citation: web.citation, resource: web.resource, identity: web.model,
    uses_input: web.modelVoice.source, schema: web.thoughts.find((thought) => thought.content.name === 'input/test_model'),
    summary: web.add('test/thinking_summary', { text: 'a' }, { ...web.modelVoice, because: [{ thought_cid: web.thinking.cid }] }) };
  web.fourth = web.commit(web.talk, web.third);
  return { web, one, other };
}

test('what a checkpoint of version 2 covers is missed, by kind', () => {
  for (const kind of Object.keys(twoOfEach().one)) {
    const { web, one } = twoOfEach();
    holds(web);
    breaks(web.without(one[kind]), /it covers \d+ thoughts; \d+ of them are in the file; leaf \d+ is missing/);
  }
});

test('what a checkpoint of version 2 covers is not exchanged, by kind', () => {
  for (const kind of Object.keys(twoOfEach().one)) {
    const { web, one: { [kind]: one }, other: { [kind]: other } } = twoOfEach();
    [one.covered, other.covered] = [other.covered, one.covered];
    breaks(web, new RegExp(`${one.cid} the path of its cover does not lead`));
    breaks(web.without(one), new RegExp(`${other.cid} the path of its cover does not lead`));
    delete other.covered;
    breaks(web.without(one), /it covers \d+ thoughts/);
  }
});

test('a leaf that is stated again is proven by its whole tree', () => {
  const web = smallWeb();
  assert.match(web.model.again[0], new RegExp(`^tree:${web.second.cid}:0:$`));
  holds(web);
  web.model.again = [web.model.again[0].replace(/:0:$/, ':1:')];
  breaks(web, /it covers \d+ thoughts/);
  delete web.model.again;
  breaks(web, /leaf 0 is missing/);
  const moved = smallWeb();
  [moved.owner.again, moved.model.again] = [moved.model.again, undefined];
  delete moved.model.again;
  breaks(moved, /the thoughts that it covers do not lead to its root/);
});

test('a cover is of a checkpoint of version 2 that is in the file', () => {
  const web = smallWeb(1, 'Ada', 'So.', [2, 1]);
  web.facts.covered = web.question.covered.replace(web.first.cid, web.second.cid);
  breaks(web, /covered by a checkpoint of version 1/);
  const gone = smallWeb();
  gone.facts.covered = gone.facts.covered.replace(gone.second.cid, gone.talk.cid);
  breaks(gone, /the checkpoint .* that covers it is not in the file/);
  for (const [thought, wrong] of [['askingHolds', { covered: 'x' }], ['facts', { covered: 'ed25519:00' }],
    ['facts', { again: [] }], ['facts', { again: ['x'] }], ['model', { again: [gone.model.covered] }]]) {
    const malformed = smallWeb();
    Object.assign(malformed[thought], wrong);
    breaks(malformed, /covered|again/);
  }
});

test('a checkpoint of a newer version is named as such', () => {
  for (const version of [3, 4n]) {
    const web = smallWeb();
    web.edge('causes', web.answer, web.question);
    web.commit(web.talk, web.second, { version, more: true });
    breaks(web, new RegExp(`made by a newer weft: version ${version}; this verifier knows 2`));
  }
  for (const version of [1, 0, '2', 2.5]) {
    const web = smallWeb();
    web.edge('causes', web.answer, web.question);
    web.commit(web.talk, web.second, { version });
    breaks(web, /a checkpoint: "version" is missing or malformed/);
  }
});

test('a line twice is caught', () => {
  const web = smallWeb();
  web.thoughts.push(web.question);
  breaks(web, /twice/);
});

test('a block and its edge left out together are missed by the checkpoint', () => {
  const web = smallWeb();
  breaks(web.without(web.answer, web.answerHolds, web.citation), /it covers 11 thoughts; 8 of them/);
  const old = smallWeb(1, 'Ada', 'So.', [1, 1]);
  breaks(old.without(old.answer, old.answerHolds, old.citation), /it signs 5 thoughts; 4 of them/);
});

test('only the result that a subagent returns to may be in another file', () => {
  for (const relation of ['returns', 'causes']) {
    const web = new Web();
    const talk = web.conversation('s1');
    const said = web.add('test/human_input', { text: 'a' }, web.ownerVoice);
    web.place(web.turn(talk, 'human', 0), said, 0);
    web.edge(relation, said, { cid: `cid:blake3:${'ab'.repeat(32)}` });
    web.commit(talk);
    if (relation === 'returns') assert.equal(verify(web.bytes()).ok, true);
    else breaks(web, /its to .* is not in the file/);
  }
});

test('a commit left out of the middle is missed by the next one', () => {
  const web = smallWeb();
  const commit = web.thoughts.filter((thought) => thought === web.first || thought.signature.includes(web.first.cid));
  breaks(web.without(...commit), /its previous .* is no checkpoint/);
});

test('the last commit left out whole shows in the head alone', () => {
  const web = smallWeb();
  const commit = web.thoughts.filter((thought) => thought === web.second || thought.signature.includes(web.second.cid) ||
    thought.covered?.includes(web.second.cid));
  delete web.model.again;
  const report = verify(web.without(...commit).bytes());
  assert.equal(report.ok, true);
  assert.equal(report.conversations[0].checkpoint, web.first.cid);
});

test('two blocks that change places are caught', () => {
  const web = smallWeb();
  const [a, b] = [web.thinkingHolds, web.answerHolds];
  [a.signature, b.signature] = [b.signature, a.signature];
  breaks(web, new RegExp(`${a.cid} its path does not lead`));

  const ends = smallWeb();
  breaks(rewritten(ends, (line) => (line.includes(`"cid":"${ends.thinkingHolds.cid}"`)
    ? line.replace(ends.thinking.cid, ends.answer.cid) : line)), /does not hash/);
});

test('an index moved in a signature is caught', () => {
  const web = smallWeb();
  web.askingHolds.signature = web.askingHolds.signature.replace(/:(\d+):(?=[0-9a-f]*$)/, (_, index) => `:${index - 1}:`);
  breaks(web, /its path does not lead/);
});

test('a head in another order than the leaves is caught', () => {
  const web = new Web();
  const talk = web.conversation('s1');
  const turn = web.turn(talk, 'human', 0);
  const [a, b] = ['a', 'b'].map((text) => web.add('test/human_input', { text }, web.ownerVoice));
  web.place(turn, a, 0);
  web.place(turn, b, 1);
  web.leaves.reverse();
  web.commit(talk);
  breaks(web, /blocks and head/);
});

test('blocks, head and leaves are held against what is there', () => {
  for (const lie of [{ blocks: 2 }, { head: '00'.repeat(32) }, { leaves: 4 }, { root: '00'.repeat(32) }, { leaves: 0 }]) {
    const web = new Web();
    const talk = web.conversation('s1');
    web.place(web.turn(talk, 'human', 0), web.add('test/human_input', { text: 'a' }, web.ownerVoice), 0);
    web.commit(talk, undefined, lie);
    breaks(web, /blocks and head|it signs|root|leaves/);
  }
});

test('a turn forged through a checkpoint of a stranger is caught', () => {
  for (const claimsOwner of [false, true]) {
    const web = smallWeb();
    const stranger = new Web(9, 'Eve');
    const by = claimsOwner ? web.owner : stranger.owner;
    const turn = stranger.add('test/turn', { conversation: web.talk.cid, role: 'human', sequence: 2 }, { by, key: null });
    const edge = stranger.add('connection', { relation: 'contains', from: web.talk.cid, to: turn.cid, index: 2 }, { by, key: null });
    const checkpoint = stranger.commit(web.talk, web.second, { blocks: 3, head: hex(web.head) });
    web.thoughts.push(stranger.owner, turn, edge, checkpoint);
    breaks(web, claimsOwner ? /checkpoint of somebody else/ : /not the owner of the conversation/);
  }
});

test('a forged checkpoint in the owner’s name is caught', () => {
  const web = smallWeb();
  const stranger = new Web(9, 'Eve');
  const turn = stranger.add('test/turn', { conversation: web.talk.cid, role: 'human', sequence: 2 }, { by: web.owner, key: null });
  stranger.owner = web.owner;
  web.thoughts.push(turn, stranger.commit(web.talk, web.second, { blocks: 3, head: hex(web.head) }));
  breaks(web, /its signature does not hold/);
});

test('an identity in another’s name is caught', () => {
  const web = smallWeb();
  const eve = new Web(9, 'Ada').owner;  // same name, another key
  web.thoughts.push(eve);
  breaks(web, /nothing that the owner signed leads/);

  const renamed = smallWeb();
  renamed.model.created_by = renamed.owner.cid;  // its CID holds: it is hashed with SELF
  breaks(renamed, /is its own creator/);

  const rekeyed = smallWeb();
  rekeyed.model.content.pubkey = keyPair(9).pubkey;
  breaks(rekeyed, /does not hash/);
});

test('words in a model’s name, by a key that nobody led to, are caught', () => {
  const web = smallWeb();
  const eveKey = keyPair(9);
  const eve = web.identity({ kind: 'model', name: 'm', provider: 'p', provenance: 'claimed' }, eveKey);
  web.add('test/citation', { url: 'https://example.org' }, { by: eve, key: eveKey });
  breaks(web, /nothing that the owner signed leads/);

  const unplaced = smallWeb();
  unplaced.add('test/response', { text: 'No.' }, unplaced.modelVoice);
  breaks(unplaced, /no turn contains it/);
});

test('a web that a stranger made whole holds, and is not the owner’s', () => {
  const eve = smallWeb(9, 'Ada');
  holds(eve);
  breaks(eve, /the owner's key is not/, { owner: smallWeb().key.pubkey });
});

test('what is signed on its own is not signed through a tree, nor the other way round', () => {
  for (const kind of ['test/human_input', 'test/conversation_facts', 'schema', 'external/web_resource']) {
    const web = smallWeb();
    web.add(kind, { text: 'x' }, { key: null });
    web.commit(web.talk, web.second);
    breaks(web, /is not signed through a tree/);
  }
  const input = smallWeb();
  input.edge('uses_input', input.owner, input.thoughts.find((thought) => thought.type === 'schema'), { label: 'x' });
  input.commit(input.talk, input.second);
  breaks(input, /is not signed through a tree/);

  const turn = smallWeb();
  turn.add('test/turn', { conversation: turn.talk.cid, role: 'human', sequence: 2 });
  breaks(turn, /is signed through a tree/);
  const edge = smallWeb();
  edge.add('connection', { relation: 'contains', from: edge.asking.cid, to: edge.answer.cid });
  breaks(edge, /is signed through a tree/);
});

test('a chain that forks or begins twice is caught', () => {
  for (const previous of ['first', 'none']) {
    const web = smallWeb();
    web.edge('causes', web.answer, web.question);
    web.commit(web.talk, web[previous]);
    breaks(web, /the chain forks/);
  }
});

test('checkpoints of another conversation may sign a shared edge, and are not followed', () => {
  const web = smallWeb();
  const other = web.conversation('s2');
  web.edge('causes', web.thinking, web.answer);
  const checkpoint = web.commit(other, web.talk /* not in its chain, and not asked for */);
  holds(web);
  holds(web.without(other));
  breaks(web.without(checkpoint), /its checkpoint .* is not in the file/);

  const place = smallWeb();
  place.edge('contains', place.answering, place.question, { index: 2 });
  place.commit(place.conversation('s2'));
  breaks(place, /a place that no checkpoint of its conversation's signs/);
});

test('a conversation that is only pointed at needs no turns', () => {
  const web = smallWeb();
  web.edge('continues', web.talk, web.conversation('s0'));
  web.commit(web.talk, web.second);
  holds(web);
});

test('a joining is the owner\'s, keeps the chain in the file, and gives up nothing of it', () => {
  const joined = (content = {}, more = {}) => {
    const web = smallWeb();
    const kept = web.second.cid;
    web.add('joining', { conversation: web.talk.cid, kept, given_up: ['cid:blake3:' + '0'.repeat(64)], ...content },
      { because: [{ thought_cid: web.talk.cid }], ...more });
    web.commit(web.talk, web.second);
    return web;
  };
  holds(joined());
  breaks(joined({ given_up: [] }), /a joining: "given_up" is missing or malformed/);
  breaks(joined({ more: 1 }), /a joining has a member "more"/);
  breaks(joined({ kept: 'cid:blake3:' + '1'.repeat(64) }), /the checkpoint that it keeps is not in the file/);
  breaks(joined({ given_up: [smallWeb().second.cid] }), /it gives up|gives up what it keeps/);
  breaks(joined({}, { because: [] }), /a joining is because of its conversation/);
  const key = keyPair(9);
  const web = smallWeb();
  const eve = web.identity({ kind: 'human', name: 'Eve', provenance: 'verified' }, key);
  web.add('joining', { conversation: web.talk.cid, kept: web.second.cid, given_up: ['cid:blake3:' + '0'.repeat(64)] },
    { because: [{ thought_cid: web.talk.cid }], by: eve, key });
  web.commit(web.talk, web.second);
  breaks(web, /a joining by somebody who is not the owner/);
});

test('what was forgotten needs not be there, if a tombstone of the owner says so', () => {
  const forked = () => {
    const web = smallWeb();
    const origin = web.conversation('s0');
    web.alone = [];  // the commit does not carry it
    web.edge('continues', web.talk, origin);
    web.commit(web.talk, web.second);
    return { web: web.without(origin), stone: { conversations: [origin.cid], forgotten: [], thoughts: 1 } };
  };
  const { web, stone } = forked();
  breaks(web, /its to .* is not in the file/);
  web.add('tombstone', stone);
  holds(web);
  const other = forked().web;
  other.add('tombstone', { conversations: ['cid:blake3:' + '0'.repeat(64)], forgotten: stone.conversations, thoughts: 1 });
  holds(other);
  const strange = forked().web;
  const key = keyPair(9);
  strange.add('tombstone', stone, { by: strange.identity({ kind: 'human', name: 'Eve', provenance: 'verified' }, key), key });
  breaks(strange, /its to .* is not in the file/);
  breaks(strange, /a tombstone by somebody who is not the owner/);
  const forged = forked().web;
  forged.add('tombstone', stone, { key: keyPair(9) });
  breaks(forged, /its signature does not hold/);
  for (const wrong of [{ conversations: [] }, { forgotten: undefined }, { thoughts: -1 }, { more: 1 },
    { forgotten: [stone.conversations[0], stone.conversations[0]] }]) {
    const malformed = forked().web;
    malformed.add('tombstone', JSON.parse(JSON.stringify({ ...stone, ...wrong })));
    breaks(malformed, /a tombstone/);
  }
  // It speaks for what is led to, not for who signed.
  const unsigned = smallWeb();
  unsigned.thoughts = unsigned.thoughts.filter((thought) => thought.cid !== unsigned.model.cid);
  unsigned.add('tombstone', { conversations: [unsigned.model.cid], forgotten: [], thoughts: 1 });
  breaks(unsigned, /its creator/);
});

test('a source is an input of the speaker’s own', () => {
  const web = smallWeb();
  web.add('test/citation', { url: 'u' }, { ...web.modelVoice, source: web.ownerVoice.source });
  breaks(web, /its source is no input of its creator's/);
  const forged = smallWeb();
  const schema = forged.thoughts.find((thought) => thought.type === 'schema');
  forged.add('connection', { relation: 'uses_input', from: forged.model.cid, to: schema.cid });  // by the owner
  breaks(forged, /an input of somebody else's/);
});

test('unknown members are refused wherever weft names them all', () => {
  const web = smallWeb();
  for (const [thought, where] of [[web.question, web.question], [web.asking, web.asking.content],
    [web.askingHolds, web.askingHolds.content], [web.first, web.first.content], [web.talk, web.talk.content],
    [web.owner, web.owner.content], [web.thinking, web.thinking.content.$layers], [web.answer, web.answer.because[1]],
    [web.answer, web.answer.because[1].anchor]]) {
    where.extra = 'x';
    assert.match(breaks(web, /which none has/).bad[0].cid, new RegExp(thought.cid));
    delete where.extra;
  }
  web.add('test/human_input', { text: 'x', extra: 'y' }, web.ownerVoice);
  breaks(web, /no turn contains it/);  // and nothing about its members
});

test('a because written as a bare CID is hashed as a reference', () => {
  const web = smallWeb();
  holds(web);
  web.citation.because = [web.resource.cid];
  holds(web);
});

test('a malformed line is named by its number', () => {
  const lines = smallWeb().lines();
  for (const line of ['', '{', '[]', 'null', '{"cid":1}', '{"a":1,"a":2}', '{"a":"\\ud83d"}', '{"a":1e400}',
    '{"a":1e-400}', '{"a":123456789012345678901}', '{"a":01}', '{"a":"\t"}', '\ufeff{}', '{} {}',
    '['.repeat(2000) + ']'.repeat(2000)]) {
    const report = verify(Buffer.from([...lines.slice(0, 3), line, ...lines.slice(3)].join('\n')));
    assert.equal(report.bad[0].line, 4, line.slice(0, 40));
  }
  const broken = Buffer.from(lines.join('\n'));
  broken[broken.indexOf('sky')] = 0xff;
  assert.equal(verify(broken).bad[0].reason, 'not UTF-8');
});

test('integers of 64 bits are hashed digit for digit', () => {
  const numbers = [9007199254740993n, -9223372036854775808n, 18446744073709551615n];
  const web = smallWeb();
  const said = web.add('test/citation', { numbers }, web.modelVoice);
  assert.match(web.lines().join(), /9007199254740993/);
  holds(web);
  said.content.numbers[0] = 9007199254740992n;  // the same double
  breaks(web, /does not hash/);
});

test('keys are sorted by UTF-16 code units, beyond the BMP too', () => {
  const object = parseJson('{"\ufb33":1,"\u{1f600}":2,"\u00f6":3,"\\u20ac":4,"1":5,"\\r":6,"__proto__":7}');
  assert.equal(canonical(object), '{"\\r":6,"1":5,"__proto__":7,"\u00f6":3,"\u20ac":4,"\u{1f600}":2,"\ufb33":1}');
  const web = smallWeb();
  web.add('test/citation', { '\ufb33': 1, '\u{1f600}': 2 }, web.modelVoice);
  holds(web);
});

test('canonical JSON is that of RFC 8785', () => {
  const numbers = '[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,-0,-0.0,1e2,100000000000000000000]';
  assert.equal(canonical(parseJson(numbers)), '[333333333.3333333,1e+30,4.5,0.002,1e-27,0,0,100,100000000000000000000]');
  assert.equal(canonical(parseJson('"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/\\u2028"')),
    '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u2028"');
  assert.equal(canonical(parseJson(' { "b" : [ true , false , null , { } , [ ] ] , "a" : 1 } ')), '{"a":1,"b":[true,false,null,{},[]]}');
});

test('a path holds at its own index and size, and at no other', () => {
  const cids = Array.from({ length: 33 }, (_, i) => 'cid:blake3:' + Buffer.alloc(32, i + 1).toString('hex'));
  for (let size = 1; size <= cids.length; size++) {
    const leaves = cids.slice(0, size);
    const top = hex(root(leaves));
    for (let i = 0; i < size; i++) {
      const way = path(i, leaves);
      assert.ok(pathHolds(leaves[i], BigInt(i), BigInt(size), way, top), `${i} of ${size}`);
      for (let j = 0; j <= size; j++) {
        if (j !== i) assert.ok(!pathHolds(leaves[i], BigInt(j), BigInt(size), way, top), `${i} as ${j} of ${size}`);
      }
      assert.ok(!pathHolds(leaves[i], BigInt(i), BigInt(size), [...way, Buffer.alloc(32)], top));
      if (way.length) assert.ok(!pathHolds(leaves[i], BigInt(i), BigInt(size), way.slice(1), top));
    }
  }
});

test('a key of small order signs nothing', () => {
  const message = Buffer.from('anything');
  const neutral = '01' + '00'.repeat(31);
  assert.equal(signatureHolds('ed25519:' + neutral, Buffer.from(neutral + '00'.repeat(32), 'hex'), message), false);
  for (const point of ['00'.repeat(32), 'ed' + 'ff'.repeat(30) + '7f', 'ff'.repeat(32)]) {
    assert.equal(signatureHolds('ed25519:' + point, Buffer.alloc(64), message), false);
  }
});

test('the command line says yes, no and how', () => {
  const program = fileURLToPath(new URL('verify.mjs', import.meta.url));
  const run = (input, ...args) => spawnSync(process.execPath, [program, ...args], { input, encoding: 'utf8' });
  const web = smallWeb();
  const yes = run(web.bytes());
  assert.equal(yes.status, 0);
  assert.match(yes.stdout, /consistent: \d+ thoughts/);
  assert.equal(run(web.bytes(), '-', '--owner', web.key.pubkey).status, 0);
  const no = run(web.without(web.question).bytes());
  assert.equal(no.status, 1);
  assert.match(no.stdout, new RegExp(`bad: line \\d+: cid:blake3:\\w+: its to ${web.question.cid} is not in the file`));
  const json = run(web.bytes(), '--json', '--owner', keyPair(9).pubkey);
  assert.equal(json.status, 1);
  assert.equal(JSON.parse(json.stdout).ok, false);
  assert.equal(run('').status, 1);
  for (const wrong of [['--owner'], ['--owner', 'ed25519:00'], ['--what'], ['a', 'b'], ['/no/such/file']]) {
    const usage = run('', ...wrong);
    assert.equal(usage.status, 2, wrong.join(' '));
    assert.equal(usage.stdout, '');
  }
});

// --- the worked examples of docs/formats/thought.md ---------------------------------------

const page = readFileSync(new URL('../formats/thought.md', import.meta.url), 'utf8');
// The text of each block "```LANGUAGE NAME", by name.
function examples(language) {
  const blocks = page.matchAll(new RegExp('^```' + language + ' (.+)\\n([^]*?)\\n```$', 'gm'));
  return new Map([...blocks].map(([, name, body]) => [name, body]));
}
// The lines "name: value" of such a block.
const values = (body) => new Map(body.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));

test('the web on the page verifies, and its examples are its lines', () => {
  const web = Buffer.from(examples('jsonl').get('web') + '\n');
  assert.deepEqual(verify(web, { owner: 'ed25519:03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8' }).bad, []);
  const lines = web.toString().trim().split('\n').map((line) => canonical(parseJson(line)));
  const shown = examples('json');
  assert.ok(shown.size >= 7);
  for (const [name, body] of shown) assert.ok(lines.includes(canonical(parseJson(body))), name);
  for (const [name, body] of examples('canonical')) {
    assert.equal(canonicalForm(readThought(parseJson(shown.get(name)))), body, name);
  }
});

test('the trees and heads on the page are those of its web', () => {
  const web = examples('jsonl').get('web').split('\n').map((line) => JSON.parse(line));
  const checkpoints = web.filter((thought) => thought.type === 'checkpoint');
  for (const [i, checkpoint] of checkpoints.entries()) {
    const tree = values(examples('values').get(`tree ${i + 1}`));
    const leaves = web.filter((thought) => (thought.covered ?? thought.signature).includes(checkpoint.cid));
    for (const leaf of leaves) {
      const index = (leaf.covered ?? leaf.signature).split(':')[4];
      assert.equal(tree.get(`leaf ${index}`), hex(leafHash(leaf.cid)));
    }
    const node = (a, b) => hex(nodeHash(Buffer.from(a, 'hex'), Buffer.from(b, 'hex')));
    const at = (name) => tree.get(name);
    assert.equal(at('node 01'), node(at('leaf 0'), at('leaf 1')));
    if (leaves.length === 3) assert.equal(at('root'), node(at('node 01'), at('leaf 2')));
    else {
      assert.equal(at('node 23'), node(at('leaf 2'), at('leaf 3')));
      assert.equal(at('node 0123'), node(at('node 01'), at('node 23')));
      assert.equal(at('root'), node(at('node 0123'), at('leaf 4')));
    }
    assert.equal(at('root'), checkpoint.content.root);
    assert.equal(values(examples('values').get('head')).get(`h${i + 1}`), checkpoint.content.head);
  }
});
