// The reader: a conversation as a document. Rows are blocks; the list mounts those near the view; the ribbon is its
// scrollbar; the inspector opens beside it.
import type { VNode } from 'preact';
import { useSignal, useSignalEffect } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { refreshed, useGrown } from '../data/live.ts';
import type { ReaderSource, Scope } from '../data/source.ts';
import { choose, place, say, setQuery } from '../data/state.ts';
import { plural } from '../model/format.ts';
import { isContinued, isSpeech, kindAt, nearestRow, ordinalInAll, type Level, type Rows } from '../model/rows.ts';
import { useListControl, VirtualList } from '../parts/virtual_list.tsx';
import { late } from '../parts/late.tsx';
import { Problem, Waiting } from '../parts/states.tsx';
import { Beside } from './beside.tsx';
import { FindBar } from './find.tsx';
import { ReaderHead } from './head.tsx';
import { markWords } from './highlights.ts';
import { Inspector } from './inspector.tsx';
import { useReaderKeys } from './keys.ts';
import { Ribbon } from './ribbon.tsx';
import { Row } from './row.tsx';
import { ReaderState } from './state.ts';

const LateChanges = late(() => import('../screens/late_parts.ts').then(({ ChangesPane }) => ChangesPane), 'the changes');

const kListId = 'conversation';
const kJumpAt = 90;  // pixels from the top of the view to the row that a jump leads to

// A guess from what the outline knows; the row is measured once it is mounted.
function estimate(state: ReaderState, row: number): number {
  const outline = state.outline.peek()!;
  const ordinal = state.rows.peek()!.ordinals[row]!;
  const kind = kindAt(outline, ordinal);
  if (!isSpeech(kind) && state.level.peek() < 3) return 34;
  const characters = Math.min(outline.columns.length[ordinal] ?? 200, isSpeech(kind) ? 4000 : 1600);
  return 64 + Math.ceil(characters / 78) * 24;
}

// `start`: the ordinal to begin at; -1 for the end, as of a session that is still running. With `isStartMain` it counts
// blocks of the main branch, whatever the outline has besides.
// `prefix`: of a reader inside another one, which leaves the URL, the keys and the settings to that.
export function Reader({ source, level, scope, start, isStartMain = false, prefix = '' }: {
  source: ReaderSource; level: Level; scope: Scope; start: number | undefined; isStartMain?: boolean; prefix?: string;
}) {
  const state = useMemo(() => new ReaderState(source, level, scope, prefix), [source, scope.all, scope.branch]);
  const listId = prefix + kListId;
  const moved = useSignal(0);  // read by the ribbon alone: a list that moves draws no row again
  const frame = useRef(0);
  const onMove = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => { moved.value++; });
  }, []);
  const { control, range } = useListControl(onMove);

  useEffect(() => {
    const abort = new AbortController();
    void state.load(!start, abort.signal);
    return () => { abort.abort(); state.close(); };
  }, [state]);

  // Rows came, or other ones: the row that is held stays where it is on the screen. A jump to a block that is not here
  // yet, for only the beginning of the outline is, is made when its row comes.
  const awaited = useRef<number | undefined>(undefined);
  const shown = useRef<{ state: ReaderState; rows: Rows; level: Level } | undefined>(undefined);
  const rows = state.rows.value;
  const outline = state.outline.value;
  useLayoutEffect(() => {
    if (!rows || !outline) return;
    const before = shown.current;
    const now = { state, rows, level: state.level.peek() };
    shown.current = now;
    const guess = (row: number) => estimate(state, row);
    if (before?.state !== state) {
      const ordinal = start === undefined ? 0 : start < 0 ? outline.count - 1 : isStartMain ? ordinalInAll(outline, start) : Math.min(start, outline.count - 1);
      if (start !== undefined && start >= 0) state.marked.value = ordinal;
      state.current.value = ordinal;
      control.reset(rows.ordinals.length, guess, nearestRow(rows, ordinal), start === undefined ? 0 : kJumpAt);
      if (start !== undefined && start < 0) control.scrollToEnd();
    } else if (isContinued(before.rows, rows)) {
      if (rows.ordinals.length > before.rows.ordinals.length) control.append(rows.ordinals.length - before.rows.ordinals.length, guess);
    } else {
      const oldRow = (row: number) => (before.level === now.level ? before.rows.rowOf[rows.ordinals[row]!] ?? -1 : -1);
      control.replace(rows.ordinals.length, guess, oldRow, (row) => nearestRow(rows, before.rows.ordinals[row] ?? 0));
    }
    const target = awaited.current;
    if (target !== undefined && target < outline.count) {
      awaited.current = undefined;
      control.scrollTo(nearestRow(rows, target), kJumpAt);
    }
  }, [rows, outline, state]);

  useEffect(() => {
    if (!rows || range.last < 0) return;
    const from = rows.ordinals[range.first] ?? 0;
    const last = rows.ordinals[Math.min(range.last, rows.ordinals.length - 1)] ?? 0;
    state.cache.value.want(from, Math.max(last, rows.resultOf[last] ?? 0) + 1);
  }, [rows, outline, range, state]);

  const jump = useCallback((ordinal: number) => {
    const all = state.rows.peek();
    state.current.value = ordinal;
    state.marked.value = ordinal;
    awaited.current = all && ordinal < state.outline.peek()!.count ? undefined : ordinal;
    if (all && awaited.current === undefined) control.scrollTo(nearestRow(all, ordinal), kJumpAt);
  }, [state]);

  // A link within the conversation that is open already.
  const wanted = prefix ? null : place.value.query.get('at');
  const lastWanted = useRef(wanted);
  useEffect(() => {
    if (wanted !== lastWanted.current && wanted !== null && /^\d+$/.test(wanted)) jump(Number(wanted));
    lastWanted.current = wanted;
  }, [wanted]);

  const grow = useCallback(() => {
    const wasAtEnd = control.isAtEnd;
    state.grow().then((count) => {
      if (count && !wasAtEnd) { state.unseen.value += count; say(`${count} new`); }
    }, () => { /* the server is gone: the bar says so, and its return asks again */ });
  }, [state]);
  useGrown(({ conversation }) => { if (conversation === state.conversation.peek()?.cid) grow(); });
  const round = refreshed.value;
  const firstRound = useRef(round);
  useEffect(() => { if (round !== firstRound.current && outline) grow(); }, [round]);
  useSignalEffect(() => {
    if (moved.value && control.isAtEnd && state.unseen.peek()) state.unseen.value = 0;
  });

  const words = state.finding.value ?? '';
  const version = state.cache.value.version.value;
  useEffect(() => {
    if (prefix) return undefined;
    markWords(document.getElementById(listId), words);
    return () => markWords(null, '');
  }, [words, range, version, state.hits.value]);

  const setLevel = useCallback((next: Level) => {
    const all = state.rows.peek();
    if (all) {  // the current row is kept if it is on the screen, otherwise the first one there
      const row = nearestRow(all, state.current.peek());
      control.hold(row >= control.topRow() && row <= control.bottomRow() ? row : Math.max(0, control.topRow()));
    }
    state.level.value = next;
    state.toggled.value = new Set();
    if (prefix) return;
    choose({ level: next });
    if (state.source.isServer) setQuery({ level: String(next) });
  }, [state]);
  useReaderKeys(state, control, setLevel);

  // A row that was drawn is handed out again as it is; it draws itself again when a signal that it reads changes.
  const drawn = useMemo(() => new Map<number, VNode>(), [state, rows]);
  const drawRow = useCallback((row: number) => {
    let node = drawn.get(row);
    if (!node) drawn.set(row, node = <Row state={state} row={row} />);
    if (drawn.size > 400) for (const old of [...drawn.keys()].slice(0, 200)) drawn.delete(old);
    return node;
  }, [drawn]);
  if (state.error.value && !outline) return <Problem message={state.error.value} again={() => void state.load(!start, new AbortController().signal)} />;
  return (
    <div class={state.hasPane ? 'reader has-inspector' : 'reader'}>
      <div class="reading">
        <ReaderHead state={state} setLevel={setLevel} />
        {state.finding.value !== undefined && <FindBar state={state} jump={jump} />}
        {!outline && <Waiting what="the conversation" />}
        {outline?.count === 0 && <p class="nothing">This conversation has no blocks.</p>}
        <div class="reading-body">
          <VirtualList id={listId} control={control} range={range} role="feed" label="conversation" class="conversation"
            keyOf={(row) => rows?.ordinals[row] ?? row} row={drawRow} />
          {outline && <Ribbon state={state} control={control} controls={listId} moved={moved} />}
        </div>
        {state.unseen.value > 0 && <button type="button" class="unseen" onClick={() => { state.unseen.value = 0; control.scrollToEnd(); }}>{plural(state.unseen.value, 'new block')}, go to the end</button>}
        {state.cache.value.failed.value && <p class="failed" role="alert">Some blocks could not be read: {state.cache.value.failed.value}</p>}
      </div>
      {state.beside.value && <Beside state={state} conversation={state.beside.value} />}
      {state.inspected.value && !state.beside.value && state.source.isServer && <Inspector state={state} jump={jump} />}
      {state.changes.value && !state.beside.value && state.source.isServer && <LateChanges state={state} block={state.changes.value} jump={jump} />}
    </div>
  );
}
