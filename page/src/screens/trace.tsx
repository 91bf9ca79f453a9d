// Why, and what came of it: one answer in three forms, an outline, lanes in which time goes down, and a picture in layers.
import { useMemo, useState } from 'preact/hooks';
import { ask } from '../data/server.ts';
import type { Reached } from '../data/types.ts';
import { useAnswer } from '../data/use_answer.ts';
import { clock, digits, fullTime, isoTime, kindName, kindOf, plural } from '../model/format.ts';
import { gutterRow, kBundle, kNoLane, makeLanes, type Lanes } from '../model/lanes.ts';
import { makeRows } from '../model/rows.ts';
import { oneLine } from '../model/signs.ts';
import { toolCall } from '../model/tools.ts';
import { lineAbout, traceInTime, traceOutline } from '../model/trace.ts';
import { late } from '../parts/late.tsx';
import { Nothing, Problem, Waiting } from '../parts/states.tsx';

export type Direction = 'why' | 'effects';

export function toneOf(kind: string): string {
  if (kind === 'human_input') return 'human';
  if (kind.includes('thinking')) return 'thinking';
  if (kind.startsWith('tool')) return 'tool';
  return kind === 'response' ? 'answer' : 'other';
}

// What a thought says, in a line, with its kind in front.
export function ThoughtLine({ thought }: { thought: { cid: string; type: string; content: Record<string, unknown>; created_at: number } }) {
  const kind = kindOf(thought.type);
  const call = kind === 'tool_request' ? toolCall(thought.content as never) : undefined;
  return (
    <a class={`thought-line tone-${toneOf(kind)}`} href={`/t/${digits(thought.cid)}`} title={thought.cid}>
      <b>{call ? call.name : kindName(kind)}</b> <span>{call ? call.line : oneLine(lineAbout(thought), 220)}</span>
      <time dateTime={isoTime(thought.created_at)} title={fullTime(thought.created_at)}>{clock(thought.created_at)}</time>
    </a>
  );
}

function OutlineForm({ thoughts }: { thoughts: Reached[] }) {
  const rows = useMemo(() => traceOutline(thoughts), [thoughts]);
  return (
    <ol class="trace-outline">
      {rows.map((row, at) => (
        <li key={at} style={{ paddingInlineStart: `${Math.min(row.indent, 8) * 16}px` }}><ThoughtLine thought={row.thought} /></li>
      ))}
    </ol>
  );
}

const kStep = 11;
const kHeight = 40;
const laneX = (lane: number) => 8 + lane * kStep;
const kDotX = 8 + (kBundle + 1) * kStep;

function LaneRow({ lanes, row, toneAt }: { lanes: Lanes; row: number; toneAt: (row: number) => string }) {
  const drawn = gutterRow(lanes, row);
  const middle = kHeight / 2;
  const own = toneAt(row);
  return (
    <svg class="lane" width={kDotX + 10} height={kHeight} aria-hidden="true">
      {drawn.bundle > 0 && <line class="thread bundle" x1={laneX(kBundle)} y1="0" x2={laneX(kBundle)} y2={kHeight} />}
      {drawn.threads.map(({ owner, lane, joins, ends }) => (
        <g key={lane}>
          <line class={`thread ${toneAt(owner)}`} x1={laneX(lane)} y1="0" x2={laneX(lane)} y2={ends ? middle - 8 : kHeight} />
          {joins && <path class={`thread ${toneAt(owner)}`} d={`M${laneX(lane)} ${middle - 8}Q${laneX(lane)} ${middle} ${laneX(lane) + 8} ${middle}H${kDotX - 4}`} />}
        </g>
      ))}
      {drawn.before >= 0 && <line class={`thread ${toneAt(drawn.before)}`} x1={kDotX} y1="0" x2={kDotX} y2={middle - 4} />}
      {drawn.next && <line class={`thread ${own}`} x1={kDotX} y1={middle + 4} x2={kDotX} y2={kHeight} />}
      {drawn.begins !== kNoLane && <path class={`thread ${drawn.begins === kBundle ? 'bundle' : own}`} d={`M${kDotX - 3} ${middle + 3}H${laneX(drawn.begins) + 8}Q${laneX(drawn.begins)} ${middle + 3} ${laneX(drawn.begins)} ${middle + 11}V${kHeight}`} />}
      <circle class={`dot ${own}`} cx={kDotX} cy={middle} r="4" />
    </svg>
  );
}

function LanesForm({ thoughts, from }: { thoughts: Reached[]; from: string }) {
  const { order, lanes } = useMemo(() => {
    const inTime = traceInTime(thoughts);
    return { order: inTime.order, lanes: makeLanes(inTime.outline, makeRows(inTime.outline, 3)) };
  }, [thoughts]);
  // A result joins its call's row, so rows can be fewer than thoughts: the rows are what is listed.
  const rows = useMemo(() => makeRows(traceInTime(thoughts).outline, 3).ordinals, [thoughts]);
  const toneAt = (row: number) => toneOf(kindOf(order[rows[row]!]!.type));
  return (
    <ol class="trace-lanes">
      {[...rows].map((ordinal, row) => {
        const thought = order[ordinal]!;
        return <li key={thought.cid} class={thought.cid === from ? 'from' : ''}><LaneRow lanes={lanes} row={row} toneAt={toneAt} /><ThoughtLine thought={thought} /></li>;
      })}
    </ol>
  );
}

const LatePicture = late(() => import('./late_parts.ts').then(({ Picture }) => Picture), 'the picture');
const LatePath = late(() => import('./late_parts.ts').then(({ PathForm }) => PathForm), 'paths');

const kForms = { outline: 'Outline', lanes: 'Lanes', picture: 'Picture' } as const;
type Form = keyof typeof kForms;
let lastForm: Form = 'outline';  // the next trace is shown as the last one was

export function TraceView({ cid, direction }: { cid: string; direction: Direction }) {
  const [form, setForm] = useState<Form>(lastForm);
  const chooseForm = (next: Form) => { lastForm = next; setForm(next); };
  const { data, error, again } = useAnswer(`${direction} ${cid}`, (signal) => ask(direction === 'why' ? '/api/thoughts/{cid}/why' : '/api/thoughts/{cid}/effects', { cid }, signal));
  if (error) return <Problem message={error.message} again={again} />;
  if (!data) return <Waiting what="the causes" />;
  const others = data.thoughts.length - 1;
  return (
    <div class="trace">
      <div class="trace-tools">
        <p class="quiet">{direction === 'why' ? `Rests on ${plural(Math.max(0, others), 'thought')}` : `${plural(Math.max(0, others), 'thought')} came of it`}</p>
        <div class="choice" role="group" aria-label="form">
          {(Object.keys(kForms) as Form[]).map((name) => <button key={name} type="button" aria-pressed={form === name} onClick={() => chooseForm(name)}>{kForms[name]}</button>)}
        </div>
      </div>
      {data.truncated && <p class="quiet">There are more: these are the nearest.</p>}
      {others <= 0 && <Nothing title={direction === 'why' ? 'It rests on nothing: this is where it began.' : 'Nothing came of it.'} />}
      {others > 0 && form === 'outline' && <OutlineForm thoughts={data.thoughts} />}
      {others > 0 && form === 'lanes' && <LanesForm thoughts={data.thoughts} from={data.thoughts[0]!.cid} />}
      {others > 0 && form === 'picture' && <LatePicture thoughts={data.thoughts} direction={direction} />}
      <LatePath cid={cid} />
    </div>
  );
}
