// The reader of one conversation in a file: no server, no request. The file has the conversation as JSON in an element
// that is no script (tools/file.mjs writes it).
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { documentSource, type ConversationDocument, type ReaderSource } from './data/source.ts';
import { choose, isHelpOpen, notice, settings } from './data/state.ts';
import { isTyping } from './parts/keyboard.ts';
import { Icon } from './parts/icon.tsx';
import { Reader } from './reader/reader.tsx';
import { Help } from './screens/help.tsx';

function startAt(count: number): number | undefined {
  const found = /^#b(\d+)$/.exec(location.hash);
  return found ? Math.min(Number(found[1]), count - 1) : undefined;
}

function FilePage({ source, start }: { source: ReaderSource; start: number | undefined }) {
  useEffect(() => {
    choose({});
    const onKey = (event: KeyboardEvent) => { if (event.key === '?' && !isTyping(event.target)) isHelpOpen.value = true; };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <header class="bar">
        <a class="skip" href="#main">skip to the content</a>
        <span class="sign"><Icon name="sign" /> <span>weft</span></span>
        <span class="quiet">a conversation in a file</span>
        <span class="bar-state"><button type="button" class="tool-button" title="Keys and settings (?)" onClick={() => { isHelpOpen.value = true; }}><Icon name="settings" label="keys and settings" /></button></span>
      </header>
      <main class="reader-screen" id="main"><Reader source={source} level={settings.peek().level} scope={{}} start={start} /></main>
      <p class={notice.value ? 'notice shown' : 'notice'} role="status" aria-live="polite">{notice.value}</p>
      {isHelpOpen.value && <Help />}
    </>
  );
}

const element = document.getElementById('weft-document');
const read = JSON.parse(element?.textContent ?? 'null') as ConversationDocument;
document.title = `${read.conversation.title ?? 'Conversation'} · weft`;
render(<FilePage source={documentSource(read)} start={startAt(read.blocks.length)} />, document.getElementById('page')!);
