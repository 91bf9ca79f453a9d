// The pane beside the reader: one thought, its causes and effects. A link to a block of this conversation scrolls to
// it instead of leaving.
import { useEffect, useRef } from 'preact/hooks';
import { ask } from '../data/server.ts';
import { digits } from '../model/format.ts';
import { Icon } from '../parts/icon.tsx';
import { ThoughtTabs } from '../screens/thought.tsx';
import type { ReaderState } from './state.ts';

export function Inspector({ state, jump }: { state: ReaderState; jump: (ordinal: number) => void }) {
  const pane = useRef<HTMLElement>(null);
  const inspected = state.inspected.value!;
  const conversation = state.conversation.value?.cid;
  useEffect(() => { pane.current?.focus(); }, []);
  const onClick = (event: MouseEvent) => {
    const anchor = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="/t/"]:not([data-leave])') : null;
    if (!anchor || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    const cid = `cid:blake3:${anchor.getAttribute('href')!.slice(3)}`;
    const tab = inspected.tab;
    state.inspected.value = { cid, tab };
    void ask('/api/thoughts/{cid}/places', { cid }).then(({ places }) => {
      const here = places.find((place) => place.cid === conversation)?.ordinal;
      if (here !== undefined && here !== null) jump(here);
    }, () => { /* the pane shows it; the reader stays where it is */ });
  };
  return (
    <aside ref={pane} class="inspector" aria-label="inspector" tabIndex={-1} onClickCapture={onClick}>
      <div class="inspector-head">
        <a href={`/t/${digits(inspected.cid)}`} data-leave="yes" class="quiet">{digits(inspected.cid).slice(0, 10)}</a>
        <button type="button" class="tool-button" title="Close (Escape)" onClick={() => { state.inspected.value = undefined; }}><Icon name="cross" label="close the inspector" /></button>
      </div>
      <ThoughtTabs cid={inspected.cid} first={inspected.tab} />
    </aside>
  );
}
