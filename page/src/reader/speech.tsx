// What is read as text: prompts, answers, inputs of programs, summaries, failures, attachments.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Block } from '../data/types.ts';
import { bytes, count, kindOf } from '../model/format.ts';
import { visible } from '../model/signs.ts';
import { languageOf } from '../model/tools.ts';
import { Code, Folded } from '../parts/code.tsx';
import { Icon } from '../parts/icon.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { textAt } from './texts.ts';
import type { ReaderState } from './state.ts';

interface Props { state: ReaderState; block: Block }

const asMarkdown = (text: string) => <Markdown text={text} />;
const asText = (text: string) => <div class="plain">{visible(text)}</div>;

export function Prompt({ state, block }: Props) {
  const long = textAt(state, block, 'text');
  return <div class="prompt"><Folded text={long.text} whole={long.whole} more={long.more} render={asText} isOpen={long.whole < 1200} /></div>;
}

// Models begin some answers with line breaks, and then call a tool. The row has a line for it, and no more.
export function isBlank(state: ReaderState, block: Block): boolean {
  const { text, whole } = textAt(state, block, 'text');
  return kindOf(block.type) === 'response' && whole <= text.length && text.trim() === '';
}

// An answer is read to its end: it is folded only if it is very long.
const kWholeAnswer = 30_000;
export function Answer({ state, block }: Props) {
  const long = textAt(state, block, 'text');
  const isRead = long.whole <= kWholeAnswer;
  useEffect(() => { if (isRead && long.text.length < long.whole) long.more(); }, [block.cid]);
  if (isBlank(state, block)) return null;
  return <div class="answer"><Folded text={long.text} whole={long.whole} more={long.more} render={asMarkdown} isOpen={isRead} /></div>;
}

export function ProgramInput({ state, block }: Props) {
  const long = textAt(state, block, 'text');
  return <div class="input"><Folded text={long.text} whole={long.whole} more={long.more} render={asText} /></div>;
}

export function Summary({ state, block }: Props) {
  const long = textAt(state, block, typeof block.content.text === 'string' ? 'text' : 'summary');
  return <div class="input"><Folded text={long.text} whole={long.whole} more={long.more} render={asMarkdown} /></div>;
}

export function Compaction({ state, block }: Props) {
  const long = textAt(state, block, typeof block.content.summary === 'string' ? 'summary' : 'text');
  return (
    <div class="compaction">
      <p class="divider"><Icon name="compaction" /> Compaction: the model no longer saw what is above, only this summary</p>
      {long.text && <Folded text={long.text} whole={long.whole} more={long.more} render={asMarkdown} />}
    </div>
  );
}

export function Failure({ state, block }: Props) {
  const long = textAt(state, block, 'text');
  return <div class="failure"><Folded text={long.text || 'The request failed; the source does not say why.'} whole={long.whole} more={long.more} render={asText} isOpen /></div>;
}

export function Attachment({ state, block }: Props) {
  const { content } = block;
  const name = typeof content.name === 'string' ? content.name : '';
  const kind = typeof content.kind === 'string' ? content.kind : 'file';
  const type = typeof content.mime === 'string' ? content.mime : '';
  const data = textAt(state, block, 'data');
  const text = textAt(state, block, 'text');
  return (
    <div class="attachment">
      <p><Icon name={kind === 'image' ? 'image' : 'file'} /> {visible(name || kind)}{type && `, ${visible(type)}`}{data.whole > 0 && `, about ${bytes(data.whole * 0.75)}`}</p>
      {text.text && <Folded text={text.text} whole={text.whole} more={text.more} render={(shown) => (name.includes('.') ? <Code text={shown} language={languageOf(name)} /> : asText(shown))} />}
      {data.whole > 0 && (type.startsWith('image/') || kind === 'image') && <Picture state={state} cid={block.cid} name={name || 'attached image'} />}
    </div>
  );
}

// The bytes are fetched by their CID and shown as a blob: the server finds out what they are, whatever they say, and
// only what every browser shows without running anything becomes an image.
function Picture({ state, cid, name }: { state: ReaderState; cid: string; name: string }) {
  const image = useRef<HTMLImageElement>(null);
  const [words, setWords] = useState<string | undefined>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    let address: string | undefined;
    state.source.image(cid, abort.signal).then((blob) => {
      if (abort.signal.aborted) return;
      if (!blob) { setWords('These bytes are no image that can be shown.'); return; }
      address = URL.createObjectURL(blob);
      if (image.current) image.current.src = address;
    }, (error: unknown) => { if (!abort.signal.aborted) setWords(error instanceof Error ? error.message : String(error)); });
    return () => { abort.abort(); if (address) URL.revokeObjectURL(address); };
  }, [cid]);
  return words ? <p class="quiet">{words}</p> : <img class="picture" ref={image} alt={visible(name)} />;
}

export function Unknown({ state, block }: Props) {
  const text = JSON.stringify(block.content, null, 2);
  return <div class="input"><p class="quiet">A block of a kind that weft does not know ({count(text.length)} characters)</p><Folded text={text} whole={text.length} more={() => void state.wantFull(block.cid)} render={asText} /></div>;
}
