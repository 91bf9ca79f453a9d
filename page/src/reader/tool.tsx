// A tool call and its result as one card. The head says what was done; the body is drawn by what the tool does, and
// everything is there as it is stored, one key away (r).
import type { ComponentChild } from 'preact';
import { hello } from '../data/state.ts';
import type { Block, Content } from '../data/types.ts';
import { digits } from '../model/format.ts';
import { pathParts } from '../model/hunks.ts';
import { changedPaths, languageOf, toolCall, type Card, type Todo, type ToolCall } from '../model/tools.ts';
import { oneLine, visible } from '../model/signs.ts';
import { Code, Folded, Output } from '../parts/code.tsx';
import { DiffView, PatchView } from '../parts/diff_view.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { ExternalLink, Markdown } from '../parts/markdown.tsx';
import { Spawned } from './spawned.tsx';
import { contentOf, isCut, textAt } from './texts.ts';
import type { ReaderState } from './state.ts';

const kIcons: Record<Card['shape'], IconName> = {
  command: 'command', read: 'file', edit: 'edit', patch: 'edit', write: 'edit', find: 'search', task: 'agent', todo: 'list', web: 'globe',
  question: 'human', other: 'tool',
};
export function toolIcon(call: ToolCall): IconName { return kIcons[call.card.shape]; }

const kTodoWords: Record<Todo['state'], string> = { open: 'to do', doing: 'doing', done: 'done' };

function Todos({ items }: { items: Todo[] }) {
  return (
    <ul class="todos">
      {items.map((item, at) => (
        <li key={at} class={`todo-${item.state}`}><span class="todo-state">{kTodoWords[item.state]}</span> {visible(item.text)}</li>
      ))}
    </ul>
  );
}

// Whether the head says it all.
const isOneLine = (text: string) => text.length <= 200 && !text.includes('\n');

function Request({ call, content }: { call: ToolCall; content: Content }): ComponentChild {
  const { card } = call;
  switch (card.shape) {
    case 'command': return isOneLine(card.command) ? null : <Code text={card.command} language="bash" />;
    case 'edit': return <>{card.edits.map((edit, at) => <DiffView key={at} before={edit.before} after={edit.after} label={`change of ${visible(edit.path)}`} />)}</>;
    case 'patch': return <PatchView patch={card.patch} label="patch" />;
    case 'write': return <Folded text={card.text} whole={card.text.length} more={() => {}} render={(text) => <Code text={text} language={languageOf(card.path)} />} />;
    case 'task': return <div class="task-prompt"><Folded text={card.prompt} whole={card.prompt.length} more={() => {}} render={(text) => <Markdown text={text} />} /></div>;
    case 'todo': return <Todos items={card.items} />;
    case 'web': return <p class="address"><ExternalLink address={card.address} />{card.prompt && <span class="quiet"> {visible(card.prompt)}</span>}</p>;
    case 'question': return <Markdown text={card.prompt} />;
    case 'read': case 'find': return null;  // the head says it all
    case 'other': {
      if (typeof content.input === 'string') {
        const text = content.input;
        return isOneLine(text) ? null : <Folded text={text} whole={text.length} more={() => {}} render={(shown) => <Code text={shown} />} />;
      }
      const text = JSON.stringify(content.input ?? {}, null, 2);
      return text === '{}' ? null : <Folded text={text} whole={text.length} more={() => {}} render={(shown) => <Code text={shown} language="json" />} />;
    }
  }
}

// Claude Code numbers the lines that it reads: numbers and file apart.
function numbered(text: string): { numbers: string; file: string } | undefined {
  const lines = text.replace(/\n$/, '').split('\n').map((line) => /^\s*(\d+)[→\t](.*)$/s.exec(line));
  const isNumbered = lines.slice(0, 3).every(Boolean);
  if (!isNumbered) return undefined;
  const last = lines.findLastIndex(Boolean);  // what the tool adds below is not of the file
  const end = text.split('\n').slice(last + 1).join('\n').trim();
  const file = lines.slice(0, last + 1);
  return { numbers: file.map((line) => line?.[1] ?? '').join('\n'), file: file.map((line) => line?.[2] ?? '').join('\n') + (end ? `\n\n${end}` : '') };
}

function Result({ state, block, call }: { state: ReaderState; block: Block; call?: ToolCall }) {
  const long = textAt(state, block, 'result_text');
  const isError = block.content.is_error === true;
  const card = call?.card;
  const isRead = card?.shape === 'read' && !isError;
  const render = (text: string) => {
    if (isRead) {
      const apart = numbered(text);
      if (apart) return <Code text={apart.file} language={languageOf(card.path)} numbers={apart.numbers} />;
    }
    if (card?.shape === 'task' || card?.shape === 'web') return <div class="result-text"><Markdown text={text} /></div>;
    return <Output text={text} isError={isError} />;
  };
  if (!long.text && !long.whole) return <p class="quiet">{isError ? 'It failed and wrote nothing.' : 'It wrote nothing.'}</p>;
  return <Folded text={long.text} whole={long.whole} more={long.more} render={render} />;
}

export function ToolBody({ state, block, result }: { state: ReaderState; block: Block; result: Block | undefined }) {
  const call = toolCall(contentOf(state, block));
  const hasFailed = result?.content.is_error === true;
  const blamed = state.source.isServer && hello.value?.files && !hasFailed ? changedPaths(call.card) : [];
  return (
    <div class="tool-body">
      <Request call={call} content={contentOf(state, block)} />
      {isCut(state, block) && <button type="button" class="more" onClick={() => void state.wantFull(block.cid)}>show the whole call</button>}
      {blamed.length > 0 && (
        <p class="tool-links">{blamed.map(({ number, path }) => <a key={number} class="chip quiet" href={`/t/${digits(block.cid)}/file${number ? `?file=${number}` : ''}`} title="The file as it is today, and who wrote each line (b)"><Icon name="file" /> who wrote the lines of {oneLine(pathParts(path).name, 60)}</a>)}</p>
      )}
      {call.card.shape === 'task' && <Spawned state={state} cid={block.cid} />}
      {result && <Result state={state} block={result} call={call} />}
    </div>
  );
}

// A result whose call is not in this conversation.
export function LoneResult({ state, block }: { state: ReaderState; block: Block }) {
  return <div class="tool-body"><Result state={state} block={block} /></div>;
}

export function ToolHead({ call }: { call: ToolCall }) {
  return <>{call.server && <span class="quiet">{call.server} · </span>}<b class="tool-name">{call.name}</b> <span class="tool-line">{call.line}</span></>;
}
