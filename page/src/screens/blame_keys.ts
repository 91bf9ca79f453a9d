// The keys of blame. They work on the current run: the one with the line last moved to or focused.
import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { FileLines } from '../data/file_lines.ts';
import { go, isHelpOpen, isPaletteOpen, place, say, settings } from '../data/state.ts';
import { isTyping } from '../parts/keyboard.ts';
import type { ListControl } from '../parts/list_control.ts';
import { editOf, whyOf } from './blame_panel.tsx';

const kAt = 66;  // pixels from the top of the view to the run that is moved to, if it was not in view

export function useBlameKeys(lines: FileLines, control: ListControl, current: Signal<number>): void {
  const isMoving = useRef(false);  // the focus follows, once the line is here and mounted
  // After each render: pages and rows come later than the key.
  useEffect(() => {
    const run = lines.runOf(current.peek());
    if (!isMoving.current || !run) return;
    // Backwards one comes to the last line of a run.
    if (run.first !== current.peek()) {
      current.value = run.first;
      control.scrollTo(run.first - 1, 'nearest');
    }
    const element = document.getElementById(`run-${run.first}`);
    if (!element) return;
    isMoving.current = false;
    element.focus({ preventScroll: true });
  });

  useEffect(() => {
    const moveTo = (line: number) => {
      const total = lines.head.peek()?.lines ?? 0;
      if (line < 1 || line > total) return;
      const isSeen = line - 1 >= control.topRow() && line - 1 <= control.bottomRow();
      current.value = line;
      isMoving.current = true;
      control.scrollTo(line - 1, isSeen ? 'nearest' : kAt);
    };
    const after = (line: number) => (lines.runOf(line)?.last ?? line) + 1;
    const before = (line: number) => (lines.runOf(line)?.first ?? line) - 1;
    // The next run that a session wrote; as far as lines are here, for more of them come with the move.
    const answered = (by: 1 | -1) => {
      const total = lines.head.peek()?.lines ?? 0;
      const next = by > 0 ? after : before;
      let line = next(current.peek());
      if (line < 1 || line > total) return say(by > 0 ? 'no further line of a session' : 'no earlier line of a session');
      for (;;) {
        const run = lines.runOf(line);
        const beyond = next(line);
        if (!run || run.rule || beyond < 1 || beyond > total) break;
        line = beyond;
      }
      moveTo(line);
    };
    const open = (address: string | undefined) => { if (address) go(address); else say('these lines have no answer'); };
    const run = () => lines.runOf(current.peek());
    const copy = () => {
      const query = new URLSearchParams(place.peek().query);
      query.set('line', String(current.peek()));
      void navigator.clipboard.writeText(`${location.origin}${place.peek().path}?${query}`).then(() => say('copied the link'), () => say('the browser did not let the page copy'));
    };
    const keys: Record<string, () => void> = {
      j: () => moveTo(after(current.peek())), k: () => moveTo(before(current.peek())), J: () => answered(1), K: () => answered(-1),
      w: () => { const here = run(); open(here && whyOf(here)); }, Enter: () => { const here = run(); open(here && editOf(here)); },
      y: copy, Home: () => moveTo(1), End: () => moveTo(lines.head.peek()?.lines ?? 1),
    };
    const onKey = (event: KeyboardEvent) => {
      if (isPaletteOpen.peek() || isHelpOpen.peek() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key.length === 1 && settings.peek().keys === 'off') return;
      // Enter belongs to the link or button that has the focus.
      if (event.key.length > 1 && event.target instanceof Element && event.target.closest('button, a')) return;
      const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [lines, control]);
}
