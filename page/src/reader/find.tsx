// Find in this conversation. The server searches all of it, mounted or not; a hit is unfolded, and ticks on the ribbon
// show where the others are.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { count } from '../model/format.ts';
import { Icon } from '../parts/icon.tsx';
import type { ReaderState } from './state.ts';

export function FindBar({ state, jump }: { state: ReaderState; jump: (ordinal: number) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [at, setAt] = useState(0);
  const words = state.finding.value ?? '';
  const { ordinals, total, notes } = state.hits.value;

  useLayoutEffect(() => { field.current?.focus(); field.current?.select(); }, []);
  useEffect(() => {
    if (words.trim() === '') {
      state.hits.value = { ordinals: [], total: 0, notes: [] };
      return undefined;
    }
    const abort = new AbortController();
    state.source.find(words, state.scope.peek(), abort.signal).then((found) => {
      if (abort.signal.aborted) return;
      state.hits.value = { ordinals: found.ordinals, total: found.total, notes: found.notes ?? [] };
      const here = found.ordinals.findIndex((ordinal) => ordinal >= state.current.peek());
      const next = here < 0 ? 0 : here;
      setAt(next);
      if (found.ordinals.length) jump(found.ordinals[next]!);
    }, (error: unknown) => {
      if (!abort.signal.aborted) state.hits.value = { ordinals: [], total: 0, notes: [error instanceof Error ? error.message : String(error)] };
    });
    return () => abort.abort();
  }, [words]);

  const close = () => {
    state.finding.value = undefined;
    state.hits.value = { ordinals: [], total: 0, notes: [] };
  };
  const step = (by: number) => {
    if (!ordinals.length) return;
    const next = (at + by + ordinals.length) % ordinals.length;
    setAt(next);
    jump(ordinals[next]!);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') { event.preventDefault(); step(event.shiftKey ? -1 : 1); }
    if (event.key === 'Escape') { event.preventDefault(); close(); }
  };
  return (
    <div class="find" role="search">
      <Icon name="search" />
      <input ref={field} type="search" aria-label="find in this conversation" placeholder="Find in this conversation" value={words}
        onInput={(event) => { state.finding.value = event.currentTarget.value; }} onKeyDown={onKey} />
      <span class="quiet" role="status">{words.trim() === '' ? '' : ordinals.length ? `${at + 1} of ${count(total)}` : 'nothing found'}</span>
      {notes.map((note, index) => <span key={index} class="quiet">{note}</span>)}
      <button type="button" class="tool-button" title="Previous (Shift+Enter)" onClick={() => step(-1)}><Icon name="why" label="previous hit" /></button>
      <button type="button" class="tool-button" title="Next (Enter)" onClick={() => step(1)}><Icon name="effect" label="next hit" /></button>
      <button type="button" class="tool-button" title="Close (Escape)" onClick={close}><Icon name="cross" label="close" /></button>
    </div>
  );
}
