// The check of one thought, step by step: what was computed, from what, and whether it holds. Everything is fetched as
// it is stored and computed here; the server's own verdict is not asked.
//
// Four verdicts:
//   valid       everything holds, and a checkpoint by the owner's key covers the thought
//   consistent  everything holds, but no checkpoint covers it, or it is not known who the owner is
//   foreign     everything holds, and another key than the owner's signs it
//   bad         something does not hold
//
// What a browser cannot know: whether the owner's key, which the server states, is the one you think, and whether newer
// checkpoints were cut off. `weft verify` and a head kept elsewhere answer that.
import { cidOf, pathHolds, readLeaf, readStored, signatureHolds, type Stored } from './thought.ts';

export interface Step { name: string; detail: string; holds: boolean }
export type Verdict = 'valid' | 'consistent' | 'foreign' | 'bad';
export interface Report { verdict: Verdict; steps: Step[] }

// Fetches a thought as it is stored, as text.
export type Fetch = (cid: string) => Promise<string>;

const brief = (cid: string) => cid.slice(11, 23);
const nameOf = (identity: Stored) => String(identity.content.get('name') ?? 'unnamed');

class Checker {
  readonly steps: Step[] = [];
  readonly checkpointKeys = new Set<string>();  // keys that sign checkpoints which hold
  #fetch: Fetch;
  #known = new Map<string, Stored | undefined>();

  constructor(fetch: Fetch) { this.#fetch = fetch; }

  step(name: string, holds: boolean, detail: string): boolean {
    this.steps.push({ name, holds, detail });
    return holds;
  }

  // A thought whose bytes hash to the CID that it was asked for by.
  async get(cid: string, what: string): Promise<Stored | undefined> {
    if (this.#known.has(cid)) return this.#known.get(cid);
    let stored: Stored | undefined;
    try {
      stored = readStored(await this.#fetch(cid));
    } catch (error) {
      this.step(`${what}: readable`, false, error instanceof Error ? error.message : String(error));
    }
    if (stored) {
      const computed = cidOf(stored);
      const holds = computed === cid && stored.cid === cid;
      this.step(`${what}: content`, holds, holds ? `BLAKE3 of its canonical form is its CID, ${brief(cid)}…` : `its content hashes to ${brief(computed)}…, not to ${brief(cid)}…`);
      if (!holds) stored = undefined;
    }
    this.#known.set(cid, stored);
    return stored;
  }

  // An identity says which key is its own, and signs that itself.
  async identity(cid: string, what: string): Promise<Stored | undefined> {
    const isNew = !this.#known.has(cid);
    const identity = await this.get(cid, what);
    if (!identity) return undefined;
    if (identity.type !== 'identity') { this.step(`${what}: identity`, false, 'its creator is no identity'); return undefined; }
    if (isNew) {
      const holds = await signatureHolds(String(identity.content.get('pubkey')), identity.signature, cid);
      this.step(`${what}: signs for itself`, holds, `${nameOf(identity)}, ${String(identity.content.get('provenance'))}`);
      if (!holds) return undefined;
    }
    return identity;
  }

  async signed(thought: Stored, what: string): Promise<boolean> {
    const leaf = readLeaf(thought.signature);
    if (leaf) {
      const checkpoint = await this.checkpoint(leaf.checkpoint);
      if (!checkpoint) return false;
      const holds = checkpoint.createdBy === thought.createdBy &&
        pathHolds(thought.cid, leaf, BigInt(checkpoint.content.get('leaves') as bigint), String(checkpoint.content.get('root')));
      return this.step(`${what}: path`, holds, `${leaf.path.length} hashes from leaf ${leaf.index} to the root of checkpoint ${brief(leaf.checkpoint)}…`);
    }
    const creator = thought.type === 'identity' ? thought : await this.identity(thought.createdBy, 'creator');
    if (!creator) return false;
    const holds = await signatureHolds(String(creator.content.get('pubkey')), thought.signature, thought.cid);
    return this.step(`${what}: signature`, holds, `Ed25519 by ${nameOf(creator)}, key ${String(creator.content.get('pubkey')).slice(8, 20)}…`);
  }

  async checkpoint(cid: string): Promise<Stored | undefined> {
    const isNew = !this.#known.has(cid);
    const checkpoint = await this.get(cid, 'checkpoint');
    if (!checkpoint) return undefined;
    if (checkpoint.type !== 'checkpoint') { this.step('checkpoint: kind', false, 'what signs it is no checkpoint'); return undefined; }
    if (isNew) {
      const owner = await this.identity(checkpoint.createdBy, 'owner');
      if (!owner) return undefined;
      const holds = await signatureHolds(String(owner.content.get('pubkey')), checkpoint.signature, cid);
      this.step('checkpoint: signature', holds, `Ed25519 by ${nameOf(owner)}, over ${String(checkpoint.content.get('leaves'))} leaves and ${String(checkpoint.content.get('blocks'))} blocks so far`);
      if (!holds) return undefined;
      this.checkpointKeys.add(String(owner.content.get('pubkey')));
    }
    return checkpoint;
  }

  // The commit that the thought came with, if it is signed alone.
  async covered(thought: Stored): Promise<void> {
    const leaf = thought.covered === undefined ? undefined : readLeaf(thought.covered);
    if (!leaf) return;
    const checkpoint = await this.checkpoint(leaf.checkpoint);
    if (!checkpoint) return;
    const holds = pathHolds(thought.cid, leaf, BigInt(checkpoint.content.get('leaves') as bigint), String(checkpoint.content.get('root')));
    this.step('commit: path', holds, `${leaf.path.length} hashes from leaf ${leaf.index} to the root of checkpoint ${brief(leaf.checkpoint)}…`);
  }

  // The edge that puts a block into its turn.
  async placed(edgeCid: string, block: string): Promise<void> {
    const edge = await this.get(edgeCid, 'place');
    if (!edge) return;
    const isPlace = edge.content.get('relation') === 'contains' && edge.content.get('to') === block;
    if (this.step('place: leads here', isPlace, isPlace ? `turn ${brief(String(edge.content.get('from')))}… contains it` : 'the edge leads elsewhere')) await this.signed(edge, 'place');
  }
}

// Of a thought that holds: who signs for it. What signs itself or is not covered yet counts by the key of its creator.
async function verdictOn(checker: Checker, thought: Stored, ownerKey: string | undefined): Promise<Verdict> {
  if (ownerKey === undefined) return 'consistent';
  const keys = checker.checkpointKeys;
  if (keys.size > 0) return [...keys].every((key) => key === ownerKey) ? 'valid' : 'foreign';
  const creator = thought.type === 'identity' ? thought : await checker.identity(thought.createdBy, 'creator');
  const isOwners = creator?.content.get('pubkey') === ownerKey || creator?.content.get('provenance') === 'claimed';
  return isOwners ? 'consistent' : 'foreign';
}

// `placeEdge`: the CID of a `contains` edge to it, if it is a block. `ownerKey`: the public key of the owner, if known.
export async function checkThought(cid: string, placeEdge: string | undefined, fetch: Fetch, ownerKey?: string): Promise<Report> {
  const checker = new Checker(fetch);
  const thought = await checker.get(cid, 'thought');
  if (thought && await checker.signed(thought, 'thought')) {
    await checker.covered(thought);
    if (placeEdge) await checker.placed(placeEdge, cid);
  }
  const { steps } = checker;
  if (steps.length === 0 || !steps.every((step) => step.holds)) return { verdict: 'bad', steps };
  return { verdict: await verdictOn(checker, thought!, ownerKey), steps };
}
