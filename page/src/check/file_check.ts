// The check of a conversation in a file: every whole thought, by the code of docs/verify, in this browser. It works in
// slices, so that the page stays alive.
import { signal } from '@preact/signals';
import { checkPart, readOne } from '../../../docs/verify/part.mjs';
import { fromHex, toHex } from '../../../docs/verify/bytes.mjs';
import type { Lines, Origin } from '../data/file_document.ts';
import type { BadgeState } from '../data/source.ts';
import { signatureHolds } from './thought.ts';

interface Read { cid: string; kind: string; created_by: string; signature: string; content: Map<string, unknown> }
export interface FileReport {
  whole: number;   // thoughts that were checked, structure included
  masked: number;  // stubs: their text is masked
  bad: { cid: string; reason: string }[];
  owner?: { name: string; pubkey: string };
}
export type FileCheck = { state: 'not yet' } | { state: 'running'; done: number; all: number } | { state: 'done'; report: FileReport };

export const fileCheck = signal<FileCheck>({ state: 'not yet' });

const kSlice = 50;
const pause = () => new Promise((resolve) => setTimeout(resolve));

export async function checkFile(owner: string, lines: Lines): Promise<FileReport> {
  const thoughts: Read[] = [];
  const stubs: { cid: string; created_by: string; signature: Uint8Array }[] = [];
  const early: FileReport['bad'] = [];
  const all = 2 * lines.size;
  let done = 0;
  const step = async () => { if (++done % kSlice === 0) { fileCheck.value = { state: 'running', done, all }; await pause(); } };
  for (const [cid, line] of lines) {
    await step();
    if (line.includes('"masked"')) {
      const stub = JSON.parse(line) as { cid: string; created_by: string; signature: string; masked?: string[] };
      if (stub.masked) { stubs.push({ ...stub, signature: fromHex(stub.signature.replace('ed25519:', '')) }); continue; }
    }
    const { thought, reason } = readOne(line) as { thought?: Read; reason?: string };
    if (reason || thought?.cid !== cid) early.push({ cid, reason: reason ?? 'it is another thought than its line says' });
    if (thought) thoughts.push(thought);
  }
  // Signatures by the browser's own Ed25519, where it has one: the rules then look the answers up.
  const keys = new Map(thoughts.filter(({ kind }) => kind === 'identity').map(({ cid, content }) => [cid, String(content.get('pubkey'))]));
  const holding = new Set<string>();
  const nameOf = (cid: string, key: string, signature: string) => `${cid} ${key} ${signature}`;
  const signatureOf = (bytes: Uint8Array) => `ed25519:${toHex(bytes)}`;
  for (const { cid, created_by: by, signature } of [...thoughts, ...stubs.map((stub) => ({ ...stub, signature: signatureOf(stub.signature) }))]) {
    await step();
    const key = keys.get(by);
    if (key && signature.startsWith('ed25519:') && await signatureHolds(key, signature, cid)) holding.add(nameOf(cid, key, signature));
  }
  const holds = (key: string, signature: Uint8Array, digest: Uint8Array) => holding.has(nameOf(`cid:blake3:${toHex(digest)}`, key, signatureOf(signature)));
  const part = checkPart({ thoughts, stubs, owner, subject: undefined, holds }) as { bad: FileReport['bad']; owner?: { name: string; pubkey: string } };
  return { whole: thoughts.length, masked: stubs.length, bad: [...early, ...part.bad], ...(part.owner ? { owner: part.owner } : {}) };
}

// What is to be said of one block. A text that is not that of the signed thought is never said to hold.
export function badgeOf(cid: string, origin: Origin, masked: string[]): BadgeState | undefined {
  const check = fileCheck.value;
  const bad = check.state === 'done' ? check.report.bad.find((one) => one.cid === cid) : undefined;
  if (bad) return { verdict: 'bad', why: bad.reason };
  if (origin === 'masked') return { verdict: 'masked', why: `Masked: ${masked.join(', ')}. Its CID is signed; the text that it names is not in this file.` };
  if (check.state !== 'done') return undefined;
  if (origin === 'foreign') return { verdict: 'bad', why: 'What is shown is not what was signed.' };
  if (origin === 'opened') return { verdict: 'opened', why: 'It is signed sealed, and holds. What is shown was opened with a key by whoever wrote this file.' };
  return { verdict: 'holds', why: 'Its hash and its signature hold, and the owner of the file put it here.' };
}
