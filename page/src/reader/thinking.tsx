// Reasoning, in its five states. Each has a sign, a word and, where something is closed, a sentence on who closed it.
import type { Block } from '../data/types.ts';
import { count, duration, kindOf } from '../model/format.ts';
import { kStateWords, thinkingOf, type Thinking as Value, type ThinkingState } from '../model/thinking.ts';
import { Folded } from '../parts/code.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { contentOf } from './texts.ts';
import type { ReaderState } from './state.ts';

const kIcons: Record<ThinkingState, IconName> = { open: 'thinking', summary: 'eye', sealed: 'lock', withheld: 'closed', redacted: 'sealed' };

export function thinkingIn(state: ReaderState, block: Block): Value {
  const beside = (block as Block & { summary?: { text?: string } }).summary?.text ?? '';
  const next = state.block(block.ordinal + 1);
  const own = next && kindOf(next.type) === 'thinking_summary' ? next.content.summaries : undefined;
  const summary = beside || (Array.isArray(own) ? own.filter((item) => typeof item === 'string').join('\n\n') : '');
  return thinkingOf(kindOf(block.type), contentOf(state, block), summary);
}

export function thinkingIcon(value: Value): IconName { return kIcons[value.state]; }
export function thinkingName(value: Value): string { return kStateWords[value.state].name; }
export function thinkingFacts(value: Value): string {
  return [value.length ? `${count(value.length)} characters` : '', duration(value.duration)].filter(Boolean).join(', ');
}

const asMarkdown = (text: string) => <Markdown text={text} />;

export function Thinking({ state, block }: { state: ReaderState; block: Block }) {
  const value = thinkingIn(state, block);
  const whole = Math.max(value.text.length, state.full.value.has(block.cid) ? 0 : block.lengths?.['/content/reasoning'] ?? 0);
  const isClosed = value.state !== 'open';
  return (
    <div class={`thinking-text ${value.state}`}>
      {isClosed && <p class="state"><Icon name={kIcons[value.state]} /> {kStateWords[value.state].why}</p>}
      {value.text && <Folded text={value.text} whole={whole} more={() => void state.wantFull(block.cid)} render={asMarkdown} isOpen={whole < 1600} />}
      {!value.text && !isClosed && <p class="quiet">No reasoning was written here.</p>}
    </div>
  );
}
