// The files that a conversation, or one prompt in it, changed: each with what was added and removed, its difference, and
// the edits that made it, as links to their blocks.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useGrown } from '../data/live.ts';
import { ask } from '../data/server.ts';
import { hello } from '../data/state.ts';
import type { Changes } from '../data/types.ts';
import { useAnswer } from '../data/use_answer.ts';
import { clock, count, digits, fullTime, isoTime, plural } from '../model/format.ts';
import { pathParts, type ChangedFile } from '../model/hunks.ts';
import { oneLine, visible } from '../model/signs.ts';
import { HunksView } from './diff_view.tsx';
import { Icon } from './icon.tsx';
import { Nothing, Problem, Waiting } from './states.tsx';

const kFirstEdits = 12;
const kOpenLines = 120;  // so many lines are shown without a click

// "+12 −3", with words for those who hear it.
export function AddedRemoved({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="added-removed">
      <span class="added"><span aria-hidden="true">+{count(added)}</span><span class="hidden">{plural(added, 'line')} added, </span></span>
      <span class="removed"><span aria-hidden="true">−{count(removed)}</span><span class="hidden">{plural(removed, 'line')} removed</span></span>
    </span>
  );
}

// Whether the lines of the file can be shown with who wrote them.
const canBlame = (file: ChangedFile) => Boolean(hello.value?.files) && file.status !== 'removed' && file.edits.length > 0;
const fileOf = (edit: ChangedFile['edits'][number]) => `/t/${digits(edit.cid)}/file${edit.file ? `?file=${edit.file}` : ''}`;

function Edits({ file, conversation }: { file: ChangedFile; conversation: string }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? file.edits : file.edits.slice(0, kFirstEdits);
  return (
    <p class="edits">
      <span class="quiet">{file.edits.length === 1 ? 'Edit' : plural(file.edits.length, 'edit')}</span>
      {shown.map((edit) => (
        <a key={edit.cid} class="chip quiet" href={`/c/${digits(conversation)}?t=${digits(edit.cid)}`} data-block={edit.cid} title={`${fullTime(edit.time)}: to the block of this edit`}>
          <Icon name="edit" /> <time dateTime={isoTime(edit.time)}>{clock(edit.time)}</time>{!edit.result_cid && <span> no result</span>}
        </a>
      ))}
      {canBlame(file) && <a class="chip" href={fileOf(file.edits.at(-1)!)} title="The file as it is today, and who wrote each line"><Icon name="file" /> who wrote its lines</a>}
      {shown.length < file.edits.length && <button type="button" class="more" onClick={() => setWhole(true)}>{plural(file.edits.length - shown.length, 'more edit')}</button>}
    </p>
  );
}

function FileEntry({ file, conversation, isFirstOpen }: { file: ChangedFile; conversation: string; isFirstOpen: boolean }) {
  const [isOpen, setOpen] = useState(isFirstOpen);
  const { folder, name } = pathParts(visible(file.path));
  return (
    <li class="changed-file">
      <button type="button" class="file-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="chevron"><Icon name={isOpen ? 'down' : 'right'} /></span>
        <span class="file-path" title={visible(file.path)}><span class="quiet">{folder}</span><b>{name}</b></span>
        {file.status !== 'changed' && <span class={file.status === 'removed' ? 'badge bad' : 'badge'}>{file.status}</span>}
        <AddedRemoved added={file.added} removed={file.removed} />
      </button>
      {isOpen && (
        <div class="file-body">
          <Edits file={file} conversation={conversation} />
          {file.moved_from && <p class="quiet">It was {oneLine(file.moved_from, 200)} before.</p>}
          {!file.whole && <p class="quiet">The conversation never shows the whole file: these are its edits one by one, without line numbers.</p>}
          {file.hunks.length > 0 ? <HunksView hunks={file.hunks} label={`changes of ${visible(file.path)}`} /> : <p class="quiet">In the end no line is different.</p>}
        </div>
      )}
    </li>
  );
}

// j and k go from file to file. The files are buttons, so that Enter and Tab do the rest.
function moveFocus(list: HTMLElement, by: 1 | -1): void {
  const heads = [...list.querySelectorAll<HTMLElement>('.file-head')];
  const here = heads.findIndex((head) => head.parentElement!.contains(document.activeElement));
  const next = heads[here < 0 ? (by > 0 ? 0 : heads.length - 1) : Math.min(heads.length - 1, Math.max(0, here + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

export function ChangedFiles({ conversation, block, changes }: { conversation: string; block: string | undefined; changes: Changes }) {
  const list = useRef<HTMLUListElement>(null);
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== 'j' && event.key !== 'k')) return;
    event.preventDefault();
    event.stopPropagation();
    moveFocus(list.current!, event.key === 'j' ? 1 : -1);
  };
  const { files, sealed } = changes;
  const isShort = changes.added + changes.removed <= kOpenLines;
  return (
    <div class="changed-files" onKeyDown={onKey}>
      {sealed ? <p class="notes"><Icon name="lock" /> {plural(sealed, 'call is', 'calls are')} sealed: what they changed is not shown.</p> : null}
      {files.length === 0 && <Nothing title={block ? 'This prompt changed no file.' : 'This conversation changed no file.'}><p>weft knows what tools that edit files changed, and files that a shell command wrote from its own text. Other changes by commands are not known.</p></Nothing>}
      <ul ref={list}>{files.map((file) => <FileEntry key={file.path} file={file} conversation={conversation} isFirstOpen={isShort || files.length === 1} />)}</ul>
    </div>
  );
}

// The answer, and again when the conversation grows; of several growths during one question, once after it.
export function useChanges(conversation: string, block: string | undefined) {
  const answer = useAnswer(`changes ${conversation} ${block ?? ''}`, (signal) => ask('/api/conversations/{conversation}/diff', { conversation, block }, signal));
  const grew = useRef(false);
  useGrown((grown) => {
    if (grown.conversation !== answer.data?.conversation_cid) return;
    if (answer.isWaiting) grew.current = true;
    else answer.again();
  });
  useEffect(() => {
    if (answer.isWaiting || !grew.current) return;
    grew.current = false;
    answer.again();
  }, [answer.isWaiting]);
  return answer;
}

// "+12 −3 in 4 files", or what stands in its place.
export function ChangesView({ conversation, block }: { conversation: string; block: string | undefined }) {
  const { data, error, again } = useChanges(conversation, block);
  if (error) return <Problem message={error.message} again={again} />;
  if (!data) return <Waiting what="the changes" />;
  return (
    <>
      {data.files.length > 0 && <p class="changes-sum" role="status">{plural(data.files.length, 'file')} <AddedRemoved added={data.added} removed={data.removed} /></p>}
      <ChangedFiles conversation={data.conversation_cid} block={block} changes={data} />
    </>
  );
}
