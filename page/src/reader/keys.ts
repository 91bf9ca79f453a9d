// The reader's keys. They work on the current row, which is the one last moved to or focused.
import { useEffect } from 'preact/hooks';
import { ask } from '../data/server.ts';
import { digits } from '../model/format.ts';
import { nearestRow, stepTo, type Level } from '../model/rows.ts';
import { changedPaths, changesFile, toolCall } from '../model/tools.ts';
import type { ListControl } from '../parts/list_control.ts';
import { go, hello, isHelpOpen, isPaletteOpen, say, settings } from '../data/state.ts';
import { isTyping } from '../parts/keyboard.ts';
import { printConversation } from './print.ts';
import type { ReaderState } from './state.ts';

const kPrompts = new Set(['human_input']);

// The session before or after this one in the list of all.
async function otherSession(state: ReaderState, by: 1 | -1): Promise<void> {
  if (!state.source.isServer) return;
  const { conversations } = await ask('/api/conversations', { limit: 1000, fold: true });
  const at = conversations.findIndex((row) => row.cid === state.conversation.peek()?.cid);
  const other = at < 0 ? undefined : conversations[at + by];
  if (other) go(`/c/${digits(other.cid)}`);
  else say(by > 0 ? 'no older session' : 'no newer session');
}

// A row is mounted a moment after it was scrolled to; the focus follows then.
function focusRow(ordinal: number): void {
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(`b${ordinal}`)?.focus({ preventScroll: true })));
}

export function useReaderKeys(state: ReaderState, control: ListControl, setLevel: (level: Level) => void): void {
  useEffect(() => {
    const currentRow = () => nearestRow(state.rows.peek()!, state.current.peek());
    const moveTo = (row: number, at: number | 'nearest' = 'nearest') => {
      const rows = state.rows.peek();
      if (!rows || row < 0 || row >= rows.ordinals.length) return;
      const ordinal = rows.ordinals[row]!;
      state.current.value = ordinal;
      state.isMoved.value = true;
      state.hover.value = row;
      control.scrollTo(row, at);
      focusRow(ordinal);
    };
    const prompt = (by: 1 | -1) => {
      const row = stepTo(state.outline.peek()!, state.rows.peek()!, currentRow(), by, kPrompts);
      if (row >= 0) moveTo(row, 24);
    };
    // The next row whose tool changes a file, unfolded.
    const change = (by: 1 | -1) => {
      const outline = state.outline.peek()!;
      const rows = state.rows.peek()!;
      for (let row = currentRow() + by; row >= 0 && row < rows.ordinals.length; row += by) {
        const ordinal = rows.ordinals[row]!;
        if (!changesFile(outline.tools[outline.columns.tool[ordinal] ?? -1])) continue;
        moveTo(row, 90);
        if (!state.isOpen(ordinal)) state.toggle(ordinal);
        return;
      }
      say(by > 0 ? 'no further change of a file' : 'no earlier change of a file');
    };
    const block = () => state.cache.peek().find(state.current.peek());
    const copy = (text: string, what: string) => { void navigator.clipboard.writeText(text).then(() => say(`copied ${what}`), () => say('the browser did not let the page copy')); };
    const inspect = (tab: 'why' | 'effects' | 'thought') => {
      const here = block();
      if (here && state.source.isServer) state.show({ cid: here.cid, tab });
    };
    const fold = (open: boolean) => { if (state.isOpen(state.current.peek()) !== open) state.toggle(state.current.peek()); };
    const keys: Record<string, () => void> = {
      j: () => moveTo(currentRow() + 1), k: () => moveTo(currentRow() - 1), J: () => prompt(1), K: () => prompt(-1),
      h: () => fold(false), l: () => fold(true), ArrowLeft: () => fold(false), ArrowRight: () => fold(true),
      1: () => setLevel(1), 2: () => setLevel(2), 3: () => setLevel(3),
      w: () => inspect('why'), e: () => inspect('effects'), v: () => inspect('thought'),
      u: () => {
        const here = currentRow();
        const lanes = state.lanes.peek();
        if (lanes && lanes.causesAt[here + 1]! > lanes.causesAt[here]!) moveTo(lanes.causes[lanes.causesAt[here]!]!, 90);
      },
      r: () => state.toggleRaw(state.current.peek()),
      y: () => { const here = block(); if (here) copy(`${location.origin}/t/${digits(here.cid)}`, 'the link'); },
      c: () => { const here = block(); if (here) copy(String(here.content.text ?? here.content.reasoning ?? here.content.result_text ?? JSON.stringify(here.content)), 'the text'); },
      f: () => { const row = state.conversation.peek(); if (row && state.source.isServer) go(`/c/${digits(row.cid)}/files`); },
      F: () => { const here = block(); if (here && state.source.isServer) state.show({ changes: here.cid }); },
      b: () => {
        const here = block();
        const file = here && hello.peek()?.files && state.source.isServer ? changedPaths(toolCall(here.content).card)[0] : undefined;
        if (file) go(`/t/${digits(here!.cid)}/file${file.number ? `?file=${file.number}` : ''}`);
        else say('this changed no file');
      },
      d: () => change(1), D: () => change(-1),
      '[': () => void otherSession(state, -1), ']': () => void otherSession(state, 1),
      '.': () => control.scrollToEnd(),
      '\\': () => state.show(undefined),
      Home: () => moveTo(0, 0), End: () => control.scrollToEnd(),
      Enter: () => { const here = block(); if (here && state.source.isServer) go(`/t/${digits(here.cid)}`); },
    };
    const onKey = (event: KeyboardEvent) => {
      if (state.prefix || !state.rows.peek() || isPaletteOpen.peek() || isHelpOpen.peek()) return;
      if ((event.ctrlKey || event.metaKey) && event.key === 'f') {
        event.preventDefault();
        state.finding.value = '';
        return;
      }
      if ((event.ctrlKey || event.metaKey) && event.key === 'p') {
        event.preventDefault();
        void printConversation(state, control);
        return;
      }
      if (event.key === 'Escape' && state.beside.peek()) { state.beside.value = undefined; return; }
      if (event.key === 'Escape' && (state.inspected.peek() || state.changes.peek())) { state.show(undefined); return; }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key.length === 1 && settings.peek().keys === 'off') return;
      // Enter and arrows belong to the button, link or field that has the focus.
      const isOnRow = !(event.target instanceof Element) || event.target.closest('button, a, [role=scrollbar], .inspector') === null;
      if (event.key.length > 1 && !isOnRow) return;
      const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [state, control, setLevel]);
}
