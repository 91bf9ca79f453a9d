// The pane beside the reader with the files that one prompt changed. An edit leads to its block in this conversation.
import { useEffect, useRef } from 'preact/hooks';
import { ask } from '../data/server.ts';
import { digits } from '../model/format.ts';
import { ChangesView } from '../parts/changed_files.tsx';
import { Icon } from '../parts/icon.tsx';
import type { ReaderState } from './state.ts';

export function ChangesPane({ state, block, jump }: { state: ReaderState; block: string; jump: (ordinal: number) => void }) {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => { pane.current?.focus(); }, [block]);
  const conversation = state.conversation.value?.cid;
  if (!conversation) return null;
  const onClick = (event: MouseEvent) => {
    const anchor = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-block]') : null;
    if (!anchor || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const cid = anchor.dataset.block!;
    event.preventDefault();
    event.stopPropagation();
    void ask('/api/thoughts/{cid}/places', { cid }).then(({ places }) => {
      const here = places.find((place) => place.cid === conversation)?.ordinal;
      const other = places.find((place) => place.cid !== conversation)?.cid;  // of a subagent: it opens in its place
      if (here !== undefined && here !== null) jump(here);
      else if (other) state.beside.value = other;
    }, () => { /* the reader stays where it is */ });
  };
  return (
    <aside ref={pane} class="inspector changes-pane" aria-label="files that this prompt changed" tabIndex={-1} onClickCapture={onClick}>
      <div class="inspector-head">
        <a href={`/c/${digits(conversation)}/files?block=${digits(block)}`} class="quiet">open it alone</a>
        <button type="button" class="tool-button" title="Close (Escape)" onClick={() => { state.changes.value = undefined; }}><Icon name="cross" label="close the files" /></button>
      </div>
      <h2>Files that this prompt changed</h2>
      <ChangesView key={block} conversation={conversation} block={block} />
    </aside>
  );
}
