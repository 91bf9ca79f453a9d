// The files of a conversation: what it changed, or what one prompt of it changed (`block`).
import { ask } from '../data/server.ts';
import { useAnswer } from '../data/use_answer.ts';
import { digits } from '../model/format.ts';
import { oneLine } from '../model/signs.ts';
import { ChangesView } from '../parts/changed_files.tsx';
import { Icon } from '../parts/icon.tsx';

export function FilesView({ conversation, block }: { conversation: string; block: string | undefined }) {
  const { data: row } = useAnswer(`row ${conversation}`, (signal) => ask('/api/conversations/{conversation}', { conversation }, signal));
  return (
    <>
      <h1>{block ? 'Files that one prompt changed' : 'Files that this conversation changed'}</h1>
      <p class="facts">
        <a href={`/c/${digits(row?.cid ?? conversation)}${block ? `?t=${digits(block)}` : ''}`}><Icon name="left" /> {row ? oneLine(row.title ?? 'Untitled', 120) : 'the conversation'}</a>
        {block && <a href={`/c/${digits(row?.cid ?? conversation)}/files`}>all files of it</a>}
      </p>
      <ChangesView conversation={conversation} block={block} />
    </>
  );
}
