// The reader of one conversation in a file: no server, no request. `weft export --as html` writes the file; its two
// documents stand in elements that are no scripts (data/file_document.ts).
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { badgeOf, checkFile, fileCheck } from './check/file_check.ts';
import { linesOf, sourcesOf, type FileDocument, type Lines } from './data/file_document.ts';
import type { ReaderSource } from './data/source.ts';
import { choose, isHelpOpen, notice, settings } from './data/state.ts';
import { count, plural } from './model/format.ts';
import { oneLine } from './model/signs.ts';
import { isTyping } from './parts/keyboard.ts';
import { Icon } from './parts/icon.tsx';
import { Reader } from './reader/reader.tsx';
import { Help } from './screens/help.tsx';

// #b12 is a block by its ordinal, #3f2a91c0… one by its CID: a name that stays.
function startAt({ blocks }: FileDocument['conversations'][number]): number | undefined {
  const ordinal = /^#b(\d+)$/.exec(location.hash);
  if (ordinal) return Math.min(Number(ordinal[1]), blocks.length - 1);
  const digits = /^#([0-9a-f]{8,64})$/.exec(location.hash)?.[1];
  const found = digits ? blocks.findIndex((block) => block.cid.startsWith(`cid:blake3:${digits}`)) : -1;
  return found < 0 ? undefined : found;
}

function Check({ owner, lines }: { owner: string; lines: Lines }) {
  const check = fileCheck.value;
  const start = () => {
    fileCheck.value = { state: 'running', done: 0, all: 1 };
    void checkFile(owner, lines).then((report) => { fileCheck.value = { state: 'done', report }; },
      (error: unknown) => { fileCheck.value = { state: 'done', report: { whole: 0, masked: 0, bad: [{ cid: '', reason: String(error) }] } }; });
  };
  if (check.state === 'not yet') return <button type="button" class="file-check" title="Compute every hash and signature in this browser" onClick={start}><Icon name="check" /> check</button>;
  if (check.state === 'running') return <span class="badge" role="status">checking, {Math.floor(100 * check.done / check.all)} %</span>;
  const { bad, whole, masked, owner: signer } = check.report;
  return (
    <details class="file-verdict">
      <summary role="status"><span class={bad.length ? 'badge bad' : 'badge good'}><Icon name={bad.length ? 'alert' : 'check'} /> {bad.length ? `${count(bad.length)} bad` : 'holds'}</span></summary>
      <div class="file-report">
        <p>{plural(whole, 'thought')} checked in this browser: hashes, signatures, paths to signed checkpoints.{masked > 0 && ` ${count(masked)} masked: signed, not checkable here.`}</p>
        {signer && <p>Owner <b>{oneLine(signer.name, 60)}</b> <span class="cid">{signer.pubkey}</span>. Compare the key with one that you have from them.</p>}
        {bad.slice(0, 20).map(({ cid, reason }, at) => <p key={at} class="bad"><span class="cid">{cid.slice(11, 23)}</span> {reason}</p>)}
        <p class="quiet">Not proven: that nothing else was said, that a model said it, or when; that this page was not changed. Titles are not signed. <code>weft export --as thoughts</code> and <code>weft verify</code> check whole conversations.</p>
      </div>
    </details>
  );
}

function FilePage({ source, document, lines }: { source: ReaderSource; document: FileDocument; lines: Lines }) {
  const [start, setStart] = useState(() => startAt(document.conversations[0]!));
  useEffect(() => {
    choose({});
    const onKey = (event: KeyboardEvent) => { if (event.key === '?' && !isTyping(event.target)) isHelpOpen.value = true; };
    const onHash = () => { if (location.hash !== '#main') setStart(startAt(document.conversations[0]!)); };
    window.addEventListener('keydown', onKey);
    window.addEventListener('hashchange', onHash);
    return () => { window.removeEventListener('keydown', onKey); window.removeEventListener('hashchange', onHash); };
  }, []);
  return (
    <>
      <header class="bar">
        <a class="skip" href="#main">skip to the content</a>
        <span class="sign"><Icon name="sign" /> <span>weft</span></span>
        <span class="quiet">a conversation in a file</span>
        <span class="bar-state">
          <Check owner={document.owner} lines={lines} />
          <button type="button" class="tool-button" title="Keys and settings (?)" onClick={() => { isHelpOpen.value = true; }}><Icon name="settings" label="keys and settings" /></button>
        </span>
      </header>
      <main class="reader-screen" id="main"><Reader key={start} source={source} level={settings.peek().level} scope={{}} start={start} /></main>
      <p class={notice.value ? 'notice shown' : 'notice'} role="status" aria-live="polite">{notice.value}</p>
      {isHelpOpen.value && <Help />}
    </>
  );
}

const textIn = (id: string) => document.getElementById(id)?.textContent ?? '';
const read = JSON.parse(textIn('weft-document')) as FileDocument;
const lines = linesOf(textIn('weft-thoughts'));
document.title = `${oneLine(read.conversations[0]?.conversation.title ?? 'Conversation', 200)} · weft`;
render(<FilePage source={sourcesOf(read, lines, badgeOf)} document={read} lines={lines} />, document.getElementById('page')!);
