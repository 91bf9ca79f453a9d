// The texts of a block: what is there, and how long the whole is if it was cut.
import type { Block, Content, Json } from '../data/types.ts';
import type { ReaderState } from './state.ts';

export interface LongText { text: string; whole: number; more: () => void }

function at(content: Content, names: string[]): Json | undefined {
  let value: Json | undefined = content;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = value[name];
  }
  return value;
}

// The text at a path of a block's content: the whole, if it was fetched.
export function textAt(state: ReaderState, block: Block, ...names: string[]): LongText {
  const full = state.full.value.get(block.cid);
  const value = at(full?.content ?? block.content, names);
  const text = typeof value === 'string' ? value : '';
  const whole = full ? text.length : block.lengths?.[`/content/${names.join('/')}`] ?? text.length;
  return { text, whole, more: () => void state.wantFull(block.cid) };
}

// The content as it is: whole if it was fetched.
export function contentOf(state: ReaderState, block: Block): Content {
  return state.full.value.get(block.cid)?.content ?? block.content;
}
export function isCut(state: ReaderState, block: Block): boolean {
  return block.lengths !== undefined && !state.full.value.has(block.cid);
}
