// The conversation that a call started: a subagent, by the edge from this very call.
import { ask } from '../data/server.ts';
import type { Connections, Conversation } from '../data/types.ts';
import { useAnswer } from '../data/use_answer.ts';
import { digits, plural } from '../model/format.ts';
import { oneLine } from '../model/signs.ts';
import { Icon } from '../parts/icon.tsx';

interface Child { cid: string; row: Conversation }

async function childrenOf(cid: string, signal: AbortSignal): Promise<Child[]> {
  const { connections } = await ask<Connections>(`/thoughts/${digits(cid)}/connections`, {}, signal);
  const spawned = connections.filter((edge) => edge.relation === 'spawns' && edge.from === cid);
  return Promise.all(spawned.map(async (edge) => ({ cid: edge.to, row: await ask<Conversation>(`/conversations/${digits(edge.to)}`, {}, signal) })));
}

export function Spawned({ cid }: { cid: string }) {
  const { data } = useAnswer(cid, (signal) => childrenOf(cid, signal));
  if (!data?.length) return null;
  return (
    <ul class="spawned">
      {data.map((child) => (
        <li key={child.cid}>
          <a href={`/c/${digits(child.cid)}`}><Icon name="agent" /> {oneLine(child.row.title ?? 'subagent', 120)}</a>
          <span class="quiet"> {plural(child.row.turn_count, 'turn')}, {plural(child.row.thought_count, 'thought')}</span>
        </li>
      ))}
    </ul>
  );
}
