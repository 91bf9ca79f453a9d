// The five states of reasoning. They look alike in a transcript and mean different things: who keeps it closed, and
// what would open it.
import type { Content, Json } from '../data/types.ts';

export type ThinkingState = 'open' | 'summary' | 'sealed' | 'withheld' | 'redacted';

export interface Thinking {
  state: ThinkingState;
  text: string;          // the reasoning, or its summary
  length: number | null; // characters of the reasoning, where known
  duration: number | null;
}

export const kStateWords: Record<ThinkingState, { name: string; why: string }> = {
  open: { name: 'Thinking', why: 'The reasoning is open.' },
  summary: { name: 'Thinking, summary only', why: 'The summary is open. The reasoning itself is not in this answer.' },
  sealed: { name: 'Thinking, sealed', why: 'Sealed by weft. The content key of this store’s keyring opens it.' },
  withheld: { name: 'Thinking, withheld', why: 'The provider did not give out this reasoning; only its signature is kept.' },
  redacted: { name: 'Thinking, redacted', why: 'The provider encrypted this reasoning. Only the provider can open it.' },
};

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const numberOf = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);
const listOf = (value: Json | undefined): string => (Array.isArray(value) ? value.filter((item) => typeof item === 'string').join('\n\n') : '');

// `summary`: the text of the thinking_summary that belongs to it, if there is one.
export function thinkingOf(kind: string, content: Content, summary = ''): Thinking {
  const length = numberOf(content.chars);
  const duration = numberOf(content.duration_ms);
  const own = textOf(content.reasoning) || textOf(content.text);
  const brief = summary || listOf(content.summaries) || textOf(content.summary);
  const at = (state: ThinkingState, text: string): Thinking => ({ state, text, length, duration });
  if (kind === 'redacted_thinking') return at('redacted', '');
  if (own) return at('open', own);
  if (brief) return at('summary', brief);
  if (content.$layers !== undefined) return at('sealed', '');
  if (content.withheld === true || content.signature !== undefined) return at('withheld', '');
  return at(content.reasoning === undefined ? 'sealed' : 'open', '');
}
