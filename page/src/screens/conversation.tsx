// The screen of a conversation: finds out where to begin, then reads. `t` names a thought, `at` an ordinal.
import { useMemo } from 'preact/hooks';
import { ask } from '../data/server.ts';
import { serverSource } from '../data/source.ts';
import { place, settings } from '../data/state.ts';
import { useAnswer } from '../data/use_answer.ts';
import type { Level } from '../model/rows.ts';
import { Reader } from '../reader/reader.tsx';

interface Places { places: { cid: string; ordinal: number | null }[] }

export function ConversationScreen({ conversation }: { conversation: string }) {
  const { query } = place.value;
  const source = useMemo(() => serverSource(conversation), [conversation]);
  const thought = query.get('t');
  const found = useAnswer(thought ?? undefined, (signal) => ask<Places>(`/thoughts/${encodeURIComponent(thought!)}/places`, {}, signal));
  const asked = Number(query.get('level'));
  const level: Level = asked === 1 || asked === 2 || asked === 3 ? asked : settings.value.level;
  if (thought && !found.data && !found.error) return <main class="screen" id="main" />;
  const here = found.data?.places.find((one) => one.cid.slice(11).startsWith(conversation.replace(/^cid:blake3:/, '')))?.ordinal ?? found.data?.places[0]?.ordinal;
  const at = query.get('at');
  const start = here ?? (at === 'end' ? -1 : at !== null && /^\d+$/.test(at) ? Number(at) : undefined);
  return (
    <main class="reader-screen" id="main">
      <Reader key={conversation} source={source} level={level} scope={{ all: query.has('all') || undefined, branch: query.get('branch') ?? undefined }} start={start ?? undefined} />
    </main>
  );
}
