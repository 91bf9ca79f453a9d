// The screen of a conversation: finds out where to begin, then reads. `t` names a thought, `at` an ordinal,
// `main` one of the main branch.
import { useEffect, useMemo } from 'preact/hooks';
import { ask } from '../data/server.ts';
import { serverSource } from '../data/source.ts';
import { go, place, settings } from '../data/state.ts';
import { useAnswer } from '../data/use_answer.ts';
import { digits } from '../model/format.ts';
import type { Level } from '../model/rows.ts';
import { Reader } from '../reader/reader.tsx';

export function ConversationScreen({ conversation }: { conversation: string }) {
  const { query } = place.value;
  const source = useMemo(() => serverSource(conversation), [conversation]);
  const thought = query.get('t');
  const found = useAnswer(thought ?? undefined, (signal) => ask('/api/thoughts/{cid}/places', { cid: thought! }, signal));
  const asked = Number(query.get('level'));
  const level: Level = asked === 1 || asked === 2 || asked === 3 ? asked : settings.value.level;
  // A thought that stands elsewhere, as an edit by a subagent does, is read there.
  const places = found.data?.places ?? [];
  const here = places.find((one) => digits(one.cid).startsWith(digits(conversation)));
  const elsewhere = thought && !here ? places[0] : undefined;
  useEffect(() => { if (elsewhere) go(`/c/${digits(elsewhere.cid)}?t=${digits(thought!)}`, 'replace'); }, [elsewhere?.cid]);
  if (elsewhere || (thought && !found.data && !found.error)) return <main class="screen" id="main" />;
  // A thought that is on another branch, or was superseded, stands in the outline of all of them.
  const isOff = here !== undefined && here.ordinal === null && here.ordinal_in_all !== undefined;
  const scope = { all: query.has('all') || isOff || undefined, branch: query.get('branch') ?? undefined };
  const at = query.get('at');
  const numberIn = (text: string | null) => (text !== null && /^\d+$/.test(text) ? Number(text) : undefined);
  const main = here?.ordinal ?? numberIn(query.get('main'));  // counts blocks of the main branch
  const start = isOff ? here.ordinal_in_all : at === 'end' ? -1 : main ?? numberIn(at);
  return (
    <main class="reader-screen" id="main">
      <Reader key={`${conversation} ${scope.all} ${scope.branch}`} source={source} level={level} scope={scope} start={start} isStartMain={Boolean(scope.all) && !isOff && main !== undefined} />
    </main>
  );
}
