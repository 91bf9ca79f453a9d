// A session as one row of a list, and what stands in its place once it was forgotten.
import type { Conversation, Forgotten } from '../data/types.ts';
import { ago, clock, digits, fullTime, isoTime, plural } from '../model/format.ts';
import { oneLine } from '../model/signs.ts';
import { Icon } from '../parts/icon.tsx';

// `withDay`: in a list that has no headings of days.
export function SessionRow({ row, isLive = false, withDay = false }: { row: Conversation; isLive?: boolean; withDay?: boolean }) {
  return (
    <a class="session" href={`/c/${digits(row.cid)}`}>
      <span class="session-title">{isLive && <span class="pulse" title="growing"><span class="hidden">growing: </span></span>}{oneLine(row.title ?? 'Untitled', 160)}</span>
      <time dateTime={isoTime(row.updated_at)} title={fullTime(row.updated_at)}>{withDay ? ago(row.updated_at, Date.now()) : clock(row.updated_at)}</time>
      <span class="session-facts">
        {row.project && <span>{oneLine(row.project, 50)}</span>}
        <span>{row.format}</span>
        {row.models[0] && <span>{oneLine(row.models[0], 40)}{row.models.length > 1 && ` and ${row.models.length - 1} more`}</span>}
        <span>{plural(row.turn_count, 'turn')}</span>
        {row.subagents ? <span><Icon name="agent" /> {plural(row.subagents, 'subagent')}</span> : null}
        {row.fork && <span title={`${row.fork.shared} of ${row.fork.blocks} blocks stand in the session that it continues, too`}><Icon name="branch" /> fork, {Math.round(row.fork.shared / Math.max(1, row.fork.blocks) * 100)} % in common</span>}
        {row.parent && <span><Icon name="agent" /> subagent</span>}
      </span>
    </a>
  );
}

const kVerdicts: Record<Forgotten['verdict'], string> = { valid: 'signed by you', consistent: 'well signed', foreign: 'signed by somebody else', bad: 'the signature does not hold' };

export function TombstoneRow({ row }: { row: Forgotten }) {
  return (
    <a class="session tombstone" href={`/t/${digits(row.cid)}`}>
      <span class="session-title">Forgotten: {plural(row.conversations.length, 'conversation')}</span>
      <time dateTime={isoTime(row.created_at)} title={fullTime(row.created_at)}>{clock(row.created_at)}</time>
      <span class="session-facts"><span>{plural(row.thoughts, 'thought')} removed</span><span class={row.verdict === 'bad' ? 'badge bad' : ''}>{kVerdicts[row.verdict]}</span></span>
    </a>
  );
}
