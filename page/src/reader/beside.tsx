// A subagent's conversation in a pane beside the one that started it: a reader inside the reader.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { digits } from '../model/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Reader } from './reader.tsx';
import type { ReaderState } from './state.ts';

// A conversation to be read within another one. `prefix` keeps its ids apart from all others on the page.
export function InnerReader({ state, conversation, prefix }: { state: ReaderState; conversation: string; prefix: string }) {
  const source = useMemo(() => state.source.inner(conversation), [conversation]);
  return source && <Reader key={conversation} source={source} level={2} scope={{}} start={undefined} prefix={prefix} />;
}

export function Beside({ state, conversation }: { state: ReaderState; conversation: string }) {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => { pane.current?.focus(); }, [conversation]);
  return (
    <aside ref={pane} class="inspector beside" aria-label="subagent" tabIndex={-1}>
      <div class="inspector-head">
        {state.source.isServer ? <a href={`/c/${digits(conversation)}`} class="quiet">open it alone</a> : <span class="quiet">subagent</span>}
        <button type="button" class="tool-button" title="Close (Escape)" onClick={() => { state.beside.value = undefined; }}><Icon name="cross" label="close the subagent" /></button>
      </div>
      <InnerReader state={state} conversation={conversation} prefix="beside-" />
    </aside>
  );
}
