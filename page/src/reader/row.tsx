// One row of the reader: gutter, head, body. A row that waits for its block keeps its place with an empty line.
import type { ComponentChild } from 'preact';
import type { Block } from '../data/types.ts';
import { clock, count, digits, duration, fullTime, isoTime, kindName, kindOf } from '../model/format.ts';
import { isSpeech, kFlag, kindAt } from '../model/rows.ts';
import { oneLine } from '../model/signs.ts';
import { toolCall } from '../model/tools.ts';
import { Code } from '../parts/code.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Masked } from '../parts/masked.tsx';
import { Gutter } from './gutter.tsx';
import { Answer, Attachment, isBlank, Compaction, Failure, ProgramInput, Prompt, Summary, Unknown } from './speech.tsx';
import { Thinking, thinkingFacts, thinkingIcon, thinkingIn, thinkingName } from './thinking.tsx';
import { LoneResult, ToolBody, ToolHead, toolIcon } from './tool.tsx';
import type { ReaderState } from './state.ts';

const kIcons: Record<string, IconName> = {
  human_input: 'human', response: 'answer', system_input: 'input', attachment: 'image', compaction: 'compaction', summary: 'list',
  thinking_summary: 'eye', failure: 'alert', tool_result: 'tool', unknown: 'alert',
};

interface Head { icon: IconName; words: ComponentChild; facts: string; tone: string }

function stepHead(state: ReaderState, block: Block, result: Block | undefined): Head {
  const kind = kindOf(block.type);
  if (kind === 'thinking' || kind === 'redacted_thinking') {
    const value = thinkingIn(state, block);
    const line = value.text ? oneLine(value.text.replace(/^\s*\*\*(.+?)\*\*/, '$1'), 200) : '';  // a heading without its stars
    return { icon: thinkingIcon(value), words: <><b>{thinkingName(value)}</b> <span class="tool-line">{line}</span></>, facts: thinkingFacts(value), tone: 'thinking' };
  }
  if (kind === 'tool_request') {
    const call = toolCall(block.content, state.conversation.value?.cwd ?? '');
    const took = state.outline.value?.columns.duration_ms[result?.ordinal ?? -1];
    return { icon: toolIcon(call), words: <ToolHead call={call} />, facts: duration(took), tone: 'tool' };
  }
  if (kind === 'tool_result') {
    return { icon: 'tool', words: <><b>Result of a call that is not here</b> <span class="tool-line">{oneLine(String(block.content.result_text ?? ''), 160)}</span></>, facts: '', tone: 'tool' };
  }
  const text = typeof block.content.text === 'string' ? block.content.text : typeof block.content.summary === 'string' ? block.content.summary : '';
  const facts = text ? `${count(block.lengths?.['/content/text'] ?? text.length)} characters` : '';
  return { icon: kIcons[kind] ?? 'alert', words: <><b>{kindName(kind)}</b> <span class="tool-line">{oneLine(text, 160)}</span></>, facts, tone: 'other' };
}

function Body({ state, block, result }: { state: ReaderState; block: Block; result: Block | undefined }) {
  switch (kindOf(block.type)) {
    case 'human_input': return <Prompt state={state} block={block} />;
    case 'response': return <Answer state={state} block={block} />;
    case 'thinking': case 'redacted_thinking': return <Thinking state={state} block={block} />;
    case 'tool_request': return <ToolBody state={state} block={block} result={result} />;
    case 'tool_result': return <LoneResult state={state} block={block} />;
    case 'system_input': return <ProgramInput state={state} block={block} />;
    case 'summary': case 'thinking_summary': return <Summary state={state} block={block} />;
    case 'compaction': return <Compaction state={state} block={block} />;
    case 'failure': return <Failure state={state} block={block} />;
    case 'attachment': return <Attachment state={state} block={block} />;
    default: return <Unknown state={state} block={block} />;
  }
}

function Actions({ state, block, ordinal }: { state: ReaderState; block: Block; ordinal: number }) {
  const isRaw = state.raw.value.has(ordinal);
  const isMain = state.source.isServer && !state.prefix;
  return (
    <span class="actions">
      {isMain && <button type="button" title="Why: what this rests on (w)" onClick={() => state.show({ cid: block.cid, tab: 'why' })}><Icon name="why" label="why" /></button>}
      {isMain && <button type="button" title="What came of it (e)" onClick={() => state.show({ cid: block.cid, tab: 'effects' })}><Icon name="effect" label="what came of it" /></button>}
      {isMain && kindOf(block.type) === 'human_input' && <button type="button" title="Files that this prompt changed (F)" onClick={() => state.show({ changes: block.cid })}><Icon name="file" label="files that this prompt changed" /></button>}
      <button type="button" title="As it is stored (r)" aria-pressed={isRaw} onClick={() => state.toggleRaw(ordinal)}>{'{ }'}<span class="hidden"> as it is stored</span></button>
      {state.source.isServer ? <a href={`/t/${digits(block.cid)}`} title={`${block.cid}\nThe thought: identity, connections, check`}><Icon name="link" label="the thought" /></a>
        : !state.prefix && <a href={`#${digits(block.cid)}`} title={`${block.cid}\nA link to this thought in this file`}><Icon name="link" label="link to this thought" /></a>}
    </span>
  );
}

const kFileVerdicts = { holds: 'holds', bad: 'bad', masked: 'signed; text masked, not checkable here', opened: 'signed sealed; text opened, not checkable here' };

// Of a conversation in a file: what the check of it found. A masked text is not what was signed, so it is never checked.
function FileBadge({ state, block }: { state: ReaderState; block: Block }) {
  const badge = state.source.badge?.(block.cid);
  if (!badge) return null;
  const { verdict, why } = badge;
  return <span class={`file-badge badge ${verdict === 'holds' ? 'good' : verdict === 'bad' ? 'bad' : ''}`} title={why}><Icon name={verdict === 'holds' ? 'check' : verdict === 'bad' ? 'alert' : 'closed'} /> {kFileVerdicts[verdict]}</span>;
}

function Raw({ block, result }: { block: Block; result: Block | undefined }) {
  return <Code text={JSON.stringify(result ? [block, result] : block, null, 2)} language="json" />;
}

export function Row({ state, row }: { state: ReaderState; row: number }) {
  const outline = state.outline.value!;
  const rows = state.rows.value!;
  const ordinal = rows.ordinals[row]!;
  const kind = kindAt(outline, ordinal);
  const resultAt = rows.resultOf[ordinal]!;
  const block = state.block(ordinal);
  const result = resultAt >= 0 ? state.block(resultAt) : undefined;
  const flags = outline.columns.flags[ordinal]! | (resultAt >= 0 ? outline.columns.flags[resultAt]! : 0);
  const isOpen = state.isOpen(ordinal);
  const isHit = state.hitSet.value.has(ordinal) || (resultAt >= 0 && state.hitSet.value.has(resultAt));
  const classes = ['entry', `kind-${kind}`, isSpeech(kind) ? 'speech' : 'step', isOpen ? 'open' : '', flags & kFlag.error ? 'has-error' : '',
    flags & kFlag.superseded ? 'superseded' : '', flags & kFlag.branch ? 'other-branch' : '', isHit ? 'hit' : '',
    state.isMoved.value && rows.rowOf[state.current.value] === row ? 'current' : '', rows.rowOf[state.marked.value] === row ? 'marked' : ''].filter(Boolean).join(' ');
  const time = outline.columns.time[ordinal]!;
  return (
    <article id={`${state.prefix}b${ordinal}`} class={classes} tabIndex={-1} aria-posinset={row + 1} aria-setsize={rows.ordinals.length} aria-label={`${kindName(kind)}, ${fullTime(time)}`}
      onMouseEnter={() => state.pointAt(row)} onMouseLeave={() => state.pointAt(-1)}
      onFocusIn={() => { state.current.value = ordinal; state.isMoved.value = true; }}>
      <Gutter state={state} row={row} />
      <div class="content">
        {!block ? <p class="waiting"><span class="hidden">loading</span></p> : (
          <>
            <Line state={state} block={block} result={result} ordinal={ordinal} kind={kind} flags={flags} isOpen={isOpen} time={time} />
            {isOpen && [block, result].map((one) => one?.masked && <Masked key={one.cid} secrets={one.masked} isShown={state.revealed.value.has(one.cid)} toggle={() => void state.reveal(one.cid)} />)}
            {state.raw.value.has(ordinal) ? <Raw block={block} result={result} /> : isOpen && <Body state={state} block={block} result={result} />}
          </>
        )}
      </div>
    </article>
  );
}

function Line({ state, block, result, ordinal, kind, flags, isOpen, time }: {
  state: ReaderState; block: Block; result: Block | undefined; ordinal: number; kind: string; flags: number; isOpen: boolean; time: number;
}) {
  const when = <time dateTime={isoTime(time)} title={fullTime(time)}>{clock(time)}</time>;
  const marks = (
    <>
      {Boolean(flags & kFlag.superseded) && <span class="badge">superseded</span>}
      {Boolean(flags & kFlag.branch) && <span class="badge"><Icon name="branch" /> another branch</span>}
      {state.source.badge && <FileBadge state={state} block={block} />}
    </>
  );
  if (isSpeech(kind)) {
    return (
      <div class="line speech-line">
        <span class="kind"><Icon name={kIcons[kind] ?? 'answer'} /> {kindName(kind)}</span>
        {when}{marks}
        {isBlank(state, block) && <span class="quiet">no words</span>}
        <Actions state={state} block={block} ordinal={ordinal} />
      </div>
    );
  }
  const head = stepHead(state, block, result);
  return (
    <div class={`line step-line tone-${head.tone}`}>
      <button type="button" class="fold" aria-expanded={isOpen} onClick={() => state.toggle(ordinal)}>
        <span class="chevron"><Icon name={isOpen ? 'down' : 'right'} /></span><Icon name={head.icon} /> <span class="words">{head.words}</span>
      </button>
      {Boolean(flags & kFlag.error) && <span class="badge bad"><Icon name="alert" /> error</span>}
      {marks}
      {Boolean(block.masked ?? result?.masked) && <span class="badge"><Icon name="closed" /> text masked</span>}
      <span class="facts">{head.facts}</span>
      {when}
      <Actions state={state} block={block} ordinal={ordinal} />
    </div>
  );
}
