// What is read as text: prompts, answers, inputs of programs, summaries, failures, attachments.
import { useEffect } from 'preact/hooks';
import type { Block } from '../data/types.ts';
import { bytes, count } from '../model/format.ts';
import { visible } from '../model/signs.ts';
import { Folded } from '../parts/code.tsx';
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

// An answer is read to its end: it is folded only if it is very long.
const kWholeAnswer = 30_000;
export function Answer({ state, block }: Props) {
  const long = textAt(state, block, 'text');
  const isRead = long.whole <= kWholeAnswer;
  useEffect(() => { if (isRead && long.text.length < long.whole) long.more(); }, [block.cid]);
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

const kImageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export function Attachment({ state, block }: Props) {
  const { content } = block;
  const name = typeof content.name === 'string' ? content.name : '';
  const kind = typeof content.kind === 'string' ? content.kind : 'file';
  const type = typeof content.mime === 'string' ? content.mime : '';
  const data = textAt(state, block, 'data');
  const text = textAt(state, block, 'text');
  const isImage = kImageTypes.has(type) && data.text !== '';
  return (
    <div class="attachment">
      <p><Icon name={kind === 'image' ? 'image' : 'file'} /> {visible(name || kind)}{type && `, ${visible(type)}`}{data.whole > 0 && `, about ${bytes(data.whole * 0.75)}`}</p>
      {text.text && <Folded text={text.text} whole={text.whole} more={text.more} render={asText} />}
      {isImage && data.text.length < data.whole && <button type="button" class="more" onClick={data.more}>show the image</button>}
      {isImage && data.text.length >= data.whole && <Picture data={data.text} type={type} name={name || 'attached image'} />}
    </div>
  );
}

// Bytes become a blob of a type from the list above. A browser that finds something else in them shows nothing.
function Picture({ data, type, name }: { data: string; type: string; name: string }) {
  const show = (image: HTMLImageElement | null) => {
    if (!image || image.src) return;
    let raw: string;
    try { raw = atob(data.replace(/\s/g, '')); } catch { image.replaceWith(' (these bytes are no base64)'); return; }
    const address = URL.createObjectURL(new Blob([Uint8Array.from(raw, (character) => character.charCodeAt(0))], { type }));
    image.onload = image.onerror = () => URL.revokeObjectURL(address);
    image.src = address;
  };
  return <img class="picture" ref={show} alt={visible(name)} />;
}

export function Unknown({ state, block }: Props) {
  const text = JSON.stringify(block.content, null, 2);
  return <div class="input"><p class="quiet">A block of a kind that weft does not know ({count(text.length)} characters)</p><Folded text={text} whole={text.length} more={() => void state.wantFull(block.cid)} render={asText} /></div>;
}
