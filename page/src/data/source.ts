// Where the reader gets a conversation from: one interface, two sources. The server answers one piece at a time; a
// document holds everything and needs no request, so the reader runs from a file, too.
import type { Blocks, Block, Conversation, Found, Outline, Thought } from './types.ts';
import { ask, askImage } from './server.ts';

export interface Scope { branch?: string; all?: boolean }

export interface ReaderSource {
  conversation(signal?: AbortSignal): Promise<Conversation>;
  outline(scope: Scope, limit: number | undefined, signal?: AbortSignal): Promise<Outline>;
  blocks(from: number, limit: number, cut: number, scope: Scope, signal?: AbortSignal): Promise<Blocks>;
  thought(cid: string, reveal?: boolean): Promise<Thought>;  // with `reveal`, secrets are not masked
  find(query: string, scope: Scope, signal?: AbortSignal): Promise<Found>;
  image(cid: string, signal?: AbortSignal): Promise<Blob | undefined>;
  spawned(call: string, signal?: AbortSignal): Promise<Spawned[]>;  // the conversations that a call started
  inner(conversation: string): ReaderSource | undefined;            // one of those; undefined if it is not here
  badge?: (cid: string) => BadgeState | undefined;                  // of a file: what its check found
  isServer: boolean;  // whether links to other screens lead anywhere
}

// Of a conversation that was left out of a file, only its name is known.
export type Spawned = Pick<Conversation, 'cid'> & Partial<Conversation>;
export interface BadgeState { verdict: 'holds' | 'bad' | 'masked' | 'opened'; why: string }

export function serverSource(conversation: string): ReaderSource {
  return {
    isServer: true,
    conversation: (signal) => ask('/api/conversations/{conversation}', { conversation }, signal),
    outline: (scope, limit, signal) => ask('/api/conversations/{conversation}/outline', { conversation, ...scope, limit }, signal),
    blocks: (from, limit, cut, scope, signal) => ask('/api/conversations/{conversation}/blocks', { conversation, from, limit, cut, ...scope }, signal),
    thought: (cid, reveal) => ask('/api/thoughts/{cid}', { cid, reveal }),
    image: askImage,
    find: (query, scope, signal) => ask('/api/conversations/{conversation}/find', { conversation, q: query, ...scope }, signal),
    async spawned(cid, signal) {
      const { connections } = await ask('/api/thoughts/{cid}/connections', { cid, relation: 'spawns' }, signal);
      const spawned = connections.filter((edge) => edge.from === cid);
      return Promise.all(spawned.map((edge) => ask('/api/conversations/{conversation}', { conversation: edge.to }, signal)));
    },
    inner: serverSource,
  };
}

// Everything of one conversation, as `weft` can write it into a file.
export interface ConversationDocument { conversation: Conversation; outline: Outline; blocks: Block[] }

function textsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textsOf).join('\n');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(textsOf).join('\n');
  return '';
}

// The types that every browser shows as an image, by their first bytes.
function imageType(bytes: Uint8Array): string | undefined {
  const begin = (...wanted: number[]) => wanted.every((byte, at) => bytes[at] === byte);
  if (begin(0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (begin(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (begin(0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  return begin(0x52, 0x49, 0x46, 0x46) && String.fromCharCode(...bytes.subarray(8, 12)) === 'WEBP' ? 'image/webp' : undefined;
}
export function imageIn(base64: unknown): Blob | undefined {
  if (typeof base64 !== 'string') return undefined;
  let raw: string;
  try { raw = atob(base64.replace(/\s/g, '')); } catch { return undefined; }
  const bytes = Uint8Array.from(raw, (character) => character.charCodeAt(0));
  const type = imageType(bytes);
  return type ? new Blob([bytes], { type }) : undefined;
}

export function documentSource(document: ConversationDocument): ReaderSource {
  const { conversation, outline, blocks } = document;
  return {
    isServer: false,
    conversation: () => Promise.resolve(conversation),
    outline: () => Promise.resolve(outline),
    blocks: (from, limit) => Promise.resolve({ conversation_cid: conversation.cid, count: blocks.length, from, blocks: blocks.slice(from, from + limit) }),
    thought(cid) {
      const found = blocks.find((block) => block.cid === cid);
      return found ? Promise.resolve(found) : Promise.reject(new Error(`${cid} is not in this file`));
    },
    image: (cid) => Promise.resolve(imageIn(blocks.find((block) => block.cid === cid)?.content.data)),
    spawned: () => Promise.resolve([]),
    inner: () => undefined,
    find(query) {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const ordinals = words.length === 0 ? [] : blocks.filter((block) => {
        const text = textsOf(block.content).toLowerCase();
        return words.every((word) => text.includes(word));
      }).map((block) => block.ordinal);
      return Promise.resolve({ ordinals, total: ordinals.length });
    },
  };
}
