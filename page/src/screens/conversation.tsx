// The screen of a conversation: finds out where to begin, then reads. `t` names a thought, `at` an ordinal.
import { useMemo } from 'preact/hooks';
import { ask } from '../data/server.ts';
import { serverSource } from '../data/source.ts';
import { place, settings } from '../data/state.ts';
import { useAnswer } from '../data/use_answer.ts';
import type { Level } from '../model/rows.ts';
import { Reader } from '../reader/reader.tsx';

export function ConversationScreen({ conversation }: { conversation: string }) {
  const { query } = place.value;
  const source = useMemo(() => serverSource(conversation), [conversation]);
  const thought = query.get('t');
  const found = useAnswer(thought ?? undefined, (signal) => ask('/api/thoughts/{cid}/places', { cid: thought! }, signal));
  const asked = Number(query.get('level'));
  const level: Level = asked === 1 || asked === 2 || asked === 3 ? asked : settings.value.level;
  if (thought && !found.data && !found.error) return <main class="screen" id="main" />;
  // A thought that is on another branch, or was superseded, stands in the outline of all of them.
  const here = found.data?.places.find((one) => one.cid.slice(11).startsWith(conversation.replace(/^cid:blake3:/, ''))) ?? found.data?.places[0];
  const isOff = here !== undefined && here.ordinal === null && here.ordinal_in_all !== undefined;
  const at = query.get('at');
  const start = (isOff ? here.ordinal_in_all : here?.ordinal) ?? (at === 'end' ? -1 : at !== null && /^\d+$/.test(at) ? Number(at) : undefined);
  return (
    <main class="reader-screen" id="main">
      <Reader key={conversation} source={source} level={level} scope={{ all: query.has('all') || isOff || undefined, branch: query.get('branch') ?? undefined }} start={start ?? undefined} />
    </main>
  );
}
