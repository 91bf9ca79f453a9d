#!/usr/bin/env node
// Checks a conversation or a proof of weft's without any code, key or store of weft's.
//
//   weft export CONV --as thoughts | node verify.mjs [--owner ed25519:HEX] [--json]
//   node verify.mjs FILE          thoughts, proof.json or proof.html
//
// Exit: 0 all holds, 1 something does not, 2 wrong usage. The rules are those of
// docs/formats/thought.md and docs/formats/proof.md, and these files hold them, to be read in this order:
//
//   exact_json.mjs   JSON read exactly, and its canonical form
//   thought.mjs      one thought: shape, CID, Ed25519, the path through a tree
//   verify.mjs       a conversation: who said what, what leads where, in which order
//   part.mjs         a part of a web, which is not a whole conversation
//   proof.mjs        the envelope of a part that was handed on as a proof
//
// What it trusts: Node's Ed25519, BLAKE3 of @noble/hashes, and nothing else. What it cannot
// know: whether the owner in the file is the person you think (pin the key with --owner), and
// whether newer checkpoints were cut off (compare the head it prints with one kept elsewhere).
import { readFileSync, realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { blake3 } from '@noble/hashes/blake3';
import { Refused, parseJson, refuse } from './exact_json.mjs';
import { looksLikeProof, verifyProof } from './proof.mjs';
import { cidOf, digestOf, isCid, isKey, kBlocks, kOwners, pathHolds, readLine, rootOf, signatureHolds, toHex } from './thought.mjs';

// --- the whole file ---------------------------------------------------------------------

// `bytes`: JSON lines. Returns {ok, checked, bad: [{cid?, line, reason}], owner, conversations}.
export function verify(bytes, { owner: pinned } = {}) {
  const bad = [];
  const say = (thought, reason) => bad.push({ cid: thought.cid, line: thought.line, reason });
  const web = readLines(bytes, bad);
  const lines = [...web.values()];
  const all = lines.filter(({ kind }) => kind !== 'gone');
  const find = (name, kind) => (web.get(name)?.kind === kind ? web.get(name) : undefined);

  // A conversation with turns is what was exported; others are only pointed at.
  const turns = all.filter((thought) => thought.kind === 'turn');
  const exported = all.filter((thought) => thought.kind === 'conversation' &&
    turns.some((turn) => turn.content.get('conversation') === thought.cid));
  const owner = find(exported[0]?.created_by, 'identity');
  const forgotten = forgottenBy(owner, all);
  checkLinks(all, web, forgotten, say);
  for (const leaf of lines) {
    if (leaf.kind === 'gone' && !forgotten.has(leaf.cid)) say(leaf, 'a leaf without its thought, and no tombstone says that it was sealed');
  }
  // A file for WoT peers: no thought is signed through a tree, so trees prove nothing in it.
  const form = all.some(isBulk) && all.every((thought) => thought.sign.bytes) ? 'wot' : 'thoughts';
  for (const thought of all) checkSignature(thought, form, find, say);
  for (const line of lines) checkCovers(line, find, say);

  const report = { ok: false, form, checked: all.length, owner: undefined, conversations: [], bad };
  if (!owner) {
    bad.push({ reason: 'the file holds no conversation with turns and the identity that created it' });
    return report;
  }
  report.owner = { cid: owner.cid, name: owner.content.get('name'), pubkey: owner.content.get('pubkey') };
  if (owner.content.get('kind') !== 'human') say(owner, 'the owner of a conversation is human');
  if (pinned && owner.content.get('pubkey') !== pinned) say(owner, `the owner's key is not ${pinned}`);
  checkRoles(all, web, owner, exported, form, say);
  checkPlaced(all, find, say);
  for (const conversation of form === 'wot' ? [] : exported) {
    report.conversations.push(checkConversation(conversation, all, lines, find, say));
  }
  report.ok = bad.length === 0;
  return report;
}

// Each line on its own: JSON, shape, CID. What is well-formed is kept even under a wrong CID, so
// that one fault is not told once more by everything that points there.
function readLines(bytes, bad) {
  const web = new Map();
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let from = 0, line = 1; from < bytes.length; line++) {
    const end = bytes.indexOf(10, from) < 0 ? bytes.length : bytes.indexOf(10, from);
    let name;
    try {
      let words;
      try { words = utf8.decode(bytes.subarray(from, end)); } catch { refuse('not UTF-8'); }
      const json = parseJson(words);
      name = json instanceof Map && isCid(json.get('cid')) ? json.get('cid') : undefined;
      const thought = readLine(json);
      if (web.has(thought.cid)) refuse('it is in the file twice');
      web.set(thought.cid, Object.assign(thought, { line }));
      if (thought.kind !== 'gone' && cidOf(thought) !== thought.cid) refuse('its content does not hash to its CID');
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      bad.push({ cid: name, line, reason: error.message });
    }
    from = end + 1;
  }
  return web;
}

// What the owner's tombstones say is gone. (One whose signature does not hold is bad by itself.)
function forgottenBy(owner, all) {
  const tombstones = all.filter((thought) => thought.kind === 'tombstone' && thought.created_by === owner?.cid);
  return new Set(tombstones.flatMap(({ content }) => [...content.get('conversations'), ...content.get('forgotten')]));
}

// Every creator, source, because and edge leads to a thought in the file, or to one that was
// forgotten. The result that a subagent `returns` to stands in its caller's conversation, which
// need not be in the file.
function checkLinks(all, web, forgotten, say) {
  for (const thought of all) {
    for (const [what, name] of linksOf(thought)) {
      const isForgotten = ['because', 'from', 'to'].includes(what) && forgotten.has(name);
      const isElsewhere = what === 'to' && thought.content.get('relation') === 'returns';
      if (!web.has(name) && !isForgotten && !isElsewhere) say(thought, `its ${what} ${name} is not in the file`);
    }
  }
}
function linksOf(thought) {
  const links = [['creator', thought.created_by], ...thought.because.map((ref) => ['because', ref.get('thought_cid')])];
  if (thought.source !== undefined) links.push(['source', thought.source]);
  const ends = { connection: ['from', 'to'], turn: ['conversation', 'parent'] }[thought.kind] ?? [];
  for (const end of ends) if (thought.content.has(end)) links.push([end, thought.content.get(end)]);
  return links;
}

const isUsesInput = (thought) => thought.kind === 'connection' && thought.content.get('relation') === 'uses_input';

// Structure, which weft signs through trees.
const isBulk = (thought) => thought.kind === 'turn' || (thought.kind === 'connection' && !isUsesInput(thought));

function checkSignature(thought, form, find, say) {
  const { cid: name, sign } = thought;
  if ((thought.kind === 'identity') !== (thought.created_by === name)) {
    return say(thought, 'an identity, and nothing else, is its own creator');
  }
  const inBulk = form !== 'wot' && isBulk(thought);
  if (inBulk !== (sign.checkpoint !== undefined)) {
    return say(thought, `a ${thought.kind} like this is ${inBulk ? '' : 'not '}signed through a tree`);
  }
  if (!inBulk) {
    const creator = find(thought.created_by, 'identity');
    if (!creator) return say(thought, 'its creator is no identity in the file');
    const holds = signatureHolds(creator.content.get('pubkey'), sign.bytes, digestOf(name));
    return holds || say(thought, 'its signature does not hold');
  }
  const checkpoint = find(sign.checkpoint, 'checkpoint');
  if (!checkpoint) return say(thought, `its checkpoint ${sign.checkpoint} is not in the file`);
  if (checkpoint.created_by !== thought.created_by) return say(thought, 'it is signed through a checkpoint of somebody else');
  const { content } = checkpoint;
  return pathHolds(name, sign.index, content.get('leaves'), sign.path, content.get('root')) ||
    say(thought, "its path does not lead to its checkpoint's root");
}

const versionOf = (checkpoint) => checkpoint.content.get('version') ?? 1n;

// A checkpoint of version 2 covers what is signed alone, too. The first leaf is proven by its path,
// further ones where the whole tree is checked.
function checkCovers(thought, find, say) {
  for (const [i, { checkpoint: name, index, path }] of thought.covers.entries()) {
    const checkpoint = find(name, 'checkpoint');
    if (!checkpoint) {
      say(thought, `the checkpoint ${name} that covers it is not in the file`);
    } else if (versionOf(checkpoint) === 1n) {
      say(thought, 'it is covered by a checkpoint of version 1, which covers structure alone');
    } else if (i === 0 && thought.sign.bytes &&
        !pathHolds(thought.cid, index, checkpoint.content.get('leaves'), path, checkpoint.content.get('root'))) {
      say(thought, "the path of its cover does not lead to its checkpoint's root");
    }
  }
}

// Who may say what. The owner makes all structure; an identity counts if something of the
// owner's leads to it (a block in its place, a request, a checkpoint that covers it); a source is
// the speaker's own input.
// Without trees nothing says that a citation, say, is of this web: then any creator may be in it.
function checkRoles(all, web, owner, exported, form, say) {
  const covered = all.filter(({ covers }) => covers.some(({ checkpoint }) => web.get(checkpoint)?.created_by === owner.cid));
  const queue = [...all.filter((thought) => thought.created_by === owner.cid), ...covered];
  const reached = new Set([owner.cid, ...covered.map((thought) => thought.cid)]);
  while (queue.length) {
    for (const [, name] of linksOf(queue.pop())) {
      if (reached.has(name) || !web.has(name)) continue;
      reached.add(name);
      queue.push(web.get(name));
    }
  }
  for (const thought of all) {
    const { content, kind } = thought;
    const isPointedAt = kind === 'conversation' && !exported.includes(thought) && reached.has(thought.cid);
    if (isUsesInput(thought)) {
      if (content.get('from') !== thought.created_by) say(thought, "an input of somebody else's");
    } else if (kOwners.includes(kind) && !isPointedAt && thought.created_by !== owner.cid) {
      say(thought, `a ${kind} by somebody who is not the owner of the conversation`);
    }
    if (form !== 'wot' && !reached.has(thought.created_by)) say(thought, 'nothing that the owner signed leads to its creator');
    const source = web.get(thought.source);
    if (source && !(isUsesInput(source) && source.created_by === thought.created_by)) {
      say(thought, "its source is no input of its creator's");
    }
  }
}

// A block stands somewhere: a turn contains it.
function checkPlaced(all, find, say) {
  const placed = new Set(all.filter((thought) => isPlace(thought, find)).map((edge) => edge.content.get('to')));
  for (const thought of all) {
    if (kBlocks.includes(thought.kind) && !placed.has(thought.cid)) say(thought, 'no turn contains it');
  }
}
function isPlace(thought, find, conversation) {
  const { content } = thought;
  if (thought.kind !== 'connection' || content.get('relation') !== 'contains') return false;
  const turn = find(content.get('from'), 'turn');
  return turn !== undefined && (!conversation || turn.content.get('conversation') === conversation.cid);
}

// All leaves of a checkpoint are in the file: of version 1 those that it signs, of version 2
// everything that it covers, and together they lead to its root.
function checkLeaves(checkpoint, leaves, say) {
  const count = checkpoint.content.get('leaves');
  if (versionOf(checkpoint) === 1n) {
    const signed = leaves.filter((leaf) => leaf.isSigned).length;
    if (BigInt(signed) !== count) say(checkpoint, `it signs ${count} thoughts; ${signed} of them are in the file`);
    return;
  }
  const byIndex = new Map(leaves.map((leaf) => [leaf.index, leaf.thought.cid]));
  if (BigInt(leaves.length) !== count || byIndex.size !== leaves.length) {
    let first = 0n;
    while (byIndex.has(first)) first++;
    const which = first < count ? `; leaf ${first} is missing` : '';
    return say(checkpoint, `it covers ${count} thoughts; ${leaves.length} of them are in the file${which}`);
  }
  const cids = leaves.map((_, i) => byIndex.get(BigInt(i)));
  if (cids.includes(undefined) || rootOf(cids) !== checkpoint.content.get('root')) {
    say(checkpoint, 'the thoughts that it covers do not lead to its root');
  }
}

// Where two chains became one, the chain in the file is the one that stays: what was given up is in
// no export.
function checkJoinings(conversation, all, leaves, say) {
  const joinings = all.filter(({ kind, content }) => kind === 'joining' && content.get('conversation') === conversation.cid);
  for (const joining of joinings) {
    if (!leaves.has(joining.content.get('kept'))) say(joining, 'the checkpoint that it keeps is not in the file');
    for (const name of joining.content.get('given_up')) {
      if (leaves.has(name)) say(joining, `it gives up the checkpoint ${name}, which is in the file`);
    }
  }
}

// Its checkpoints are one chain; each has all of its leaves in the file; and the places, in the
// order of the leaves, give the count and the running hash that each checkpoint states.
function checkConversation(conversation, all, lines, find, say) {
  const checkpoints = all.filter((thought) => thought.kind === 'checkpoint' &&
    thought.content.get('conversation') === conversation.cid);
  const leaves = new Map(checkpoints.map((checkpoint) => [checkpoint.cid, []]));
  for (const thought of lines) {
    leaves.get(thought.sign.checkpoint)?.push({ thought, index: thought.sign.index, isSigned: true });
    for (const { checkpoint, index } of thought.covers) leaves.get(checkpoint)?.push({ thought, index, isSigned: false });
  }
  for (const thought of all) {
    if (isPlace(thought, find, conversation) && !leaves.has(thought.sign.checkpoint)) {
      say(thought, "a place that no checkpoint of its conversation's signs");
    }
  }

  checkJoinings(conversation, all, leaves, say);
  const next = new Map();  // by previous; undefined before the first
  for (const checkpoint of checkpoints) {
    const previous = checkpoint.content.get('previous');
    if (previous !== undefined && !leaves.has(previous)) {
      say(checkpoint, `its previous ${previous} is no checkpoint of its conversation's in the file`);
    }
    if (next.has(previous)) say(checkpoint, `the chain forks: ${next.get(previous).cid} has the same previous`);
    next.set(previous, checkpoint);
  }
  let blocks = 0n, head = Buffer.alloc(32), last, walked = 0;
  for (let checkpoint = next.get(undefined); checkpoint; checkpoint = next.get(checkpoint.cid)) {
    const own = leaves.get(checkpoint.cid).sort((a, b) => (a.index < b.index ? -1 : 1));
    checkLeaves(checkpoint, own, say);
    const signed = own.filter((leaf) => leaf.isSigned).map((leaf) => leaf.thought);
    for (const edge of signed.filter((leaf) => isPlace(leaf, find, conversation))) {
      blocks++;
      head = blake3(Buffer.concat([head, digestOf(edge.content.get('to'))]));
    }
    if (blocks !== checkpoint.content.get('blocks') || toHex(head) !== checkpoint.content.get('head')) {
      say(checkpoint, 'its blocks and head are not those of the places up to it');
    }
    last = checkpoint;
    walked++;
  }
  if (walked !== checkpoints.length) say(conversation, 'its checkpoints are no single chain with one beginning');
  return { cid: conversation.cid, checkpoints: walked, checkpoint: last?.cid, blocks: Number(blocks), head: toHex(head) };
}

// --- the command line -------------------------------------------------------------------

const kUsage = 'usage: node verify.mjs [--owner ed25519:HEX] [--json] [FILE]\n' +
  'Checks what `weft export CONV --as thoughts` or `weft prove` wrote, from FILE or from stdin.\n';

async function main(args) {
  let owner, file, asJson = false;
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '--help') return process.stdout.write(kUsage), 0;
    if (args[i] === '--json') asJson = true;
    else if (args[i] === '--owner' && isKey(args[i + 1])) owner = args[++i];
    else if ((args[i] === '-' || !args[i].startsWith('-')) && file === undefined) file = args[i];
    else return process.stderr.write(kUsage), 2;
  }
  let bytes;
  try {
    bytes = file === undefined || file === '-' ? await readStdin() : readFileSync(file);
  } catch (error) {
    process.stderr.write(`verify: cannot read ${file ?? 'stdin'}: ${error.code ?? error.message}\n`);
    return 2;
  }
  const isProof = looksLikeProof(bytes.toString('latin1'));
  const report = isProof ? verifyProof(bytes, { owner }) : verify(bytes, { owner });
  const text = isProof ? proofForPeople(report, owner) : forPeople(report, owner);
  process.stdout.write(asJson ? JSON.stringify(report, null, 2) + '\n' : text);
  return report.ok ? 0 : 1;
}

async function readStdin() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function forPeople({ ok, form, checked, bad, owner, conversations }, pinned) {
  const lines = bad.map(({ cid: name, line, reason }) => `bad: ${line ? `line ${line}: ` : ''}${name ? `${name}: ` : ''}${reason}`);
  for (const { cid: name, checkpoints, blocks, head } of conversations) {
    lines.push(`conversation ${name}: ${blocks} blocks, ${checkpoints} checkpoints, head ${head}`);
  }
  if (owner) lines.push(`owner ${JSON.stringify(owner.name)} ${owner.pubkey}${pinned ? '' : ' (not pinned: --owner)'}`);
  if (form === 'wot') {
    lines.push('a WoT export: each thought is signed by itself; that none is missing and their order are not proven (--as thoughts proves them)');
  }
  lines.push(ok && form === 'wot' ? `consistent: ${checked} thoughts, every CID and signature holds` : ok ? `consistent: ${checked} thoughts, every CID, signature, path and head holds`
    : `NOT consistent: ${bad.length} of the checks on ${checked} thoughts failed`);
  return lines.join('\n') + '\n';
}

function proofForPeople(report, pinned) {
  const lines = report.bad.map(({ cid: name, reason }) => `bad: ${name ? `${name}: ` : ''}${reason}`);
  if (report.owner) lines.push(`owner ${JSON.stringify(report.owner.name)} ${report.owner.pubkey}${pinned ? '' : ' (not pinned: --owner)'}`);
  if (report.subject) lines.push(`about ${report.subject}`, report.selection === 'signed' ? 'the selection is signed by the owner' : 'unsigned selection: anybody may have left thoughts out');
  if (report.witnessed) lines.push(`witnessed by weft record: ${report.witnessed}`);
  lines.push(report.ok ? `holds: ${report.whole} thoughts whole, ${report.sealed} sealed, ${report.stubs} as stubs; ${report.edges} edges, ${report.checkpoints} checkpoints`
    : `does NOT hold: ${report.bad.length} faults`);
  return lines.join('\n') + '\n';
}

// Through a link too: a verifier that does nothing must not look like one that is content.
if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  process.exitCode = await main(process.argv.slice(2));
}
