// Where the reader gets a conversation from: one interface, two sources. The server answers one piece at a time; a
// document holds everything and needs no request, so the reader runs from a file, too.
import type { Blocks, Block, Conversation, Found, Outline, Thought } from './types.ts';
import { ask } from './server.ts';

export interface Scope { branch?: string; all?: boolean }

export interface ReaderSource {
  conversation(signal?: AbortSignal): Promise<Conversation>;
  outline(scope: Scope, limit: number | undefined, signal?: AbortSignal): Promise<Outline>;
  blocks(from: number, limit: number, cut: number, scope: Scope, signal?: AbortSignal): Promise<Blocks>;
  thought(cid: string, signal?: AbortSignal): Promise<Thought>;
  find(query: string, signal?: AbortSignal): Promise<Found>;
  isServer: boolean;  // whether links to other screens lead anywhere
}

export function serverSource(conversation: string): ReaderSource {
  const base = `/conversations/${encodeURIComponent(conversation)}`;
  return {
    isServer: true,
    conversation: (signal) => ask<Conversation>(base, {}, signal),
    outline: (scope, limit, signal) => ask<Outline>(`${base}/outline`, { ...scope, limit }, signal),
    blocks: (from, limit, cut, scope, signal) => ask<Blocks>(`${base}/blocks`, { from: String(from), limit, cut, ...scope }, signal),
    thought: (cid, signal) => ask<Thought>(`/thoughts/${encodeURIComponent(cid)}`, {}, signal),
    find: (query, signal) => ask<Found>(`${base}/find`, { q: query }, signal),
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
