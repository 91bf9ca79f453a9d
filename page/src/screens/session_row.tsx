// A session as one row of a list.
import type { Conversation } from '../data/types.ts';
import { ago, clock, digits, fullTime, isoTime, plural, short } from '../model/format.ts';
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
        <span title={`${row.thought_count} thoughts`}>{short(row.thought_count)} thoughts</span>
        {row.subagents ? <span><Icon name="agent" /> {plural(row.subagents, 'subagent')}</span> : null}
        {row.parent && <span><Icon name="agent" /> subagent</span>}
      </span>
    </a>
  );
}
