// The gutter of one row: its dot, and the threads from what it rests on. Curves lie at the top, beside the first
// line; below, threads run straight down, however tall the row is. Drawn for the eye; the same is in words under
// "why", so screen readers skip it.
import { gutterRow, kBundle, kNoLane, type GutterRow } from '../model/lanes.ts';
import { kindAt } from '../model/rows.ts';
import type { ReaderState } from './state.ts';

const kDotX = 46;
const kDotY = 17;
const kTurn = 13;
const laneX = (lane: number) => 37 - lane * 5.5;

function classOf(kind: string): string {
  if (kind === 'human_input') return 'human';
  if (kind.includes('thinking')) return 'thinking';
  if (kind.startsWith('tool')) return 'tool';
  return kind === 'response' ? 'answer' : 'other';
}

function Threads({ drawn, kindOf, isLit }: { drawn: GutterRow; kindOf: (row: number) => string; isLit: (row: number) => boolean }) {
  const lit = (owner: number) => (isLit(owner) ? ' lit' : '');
  return (
    <>
      {drawn.bundle > 0 && <line class="thread bundle" x1={laneX(kBundle)} y1="0" x2={laneX(kBundle)} y2="100%" />}
      {drawn.bundleJoins && <path class="thread bundle" d={`M${laneX(kBundle)} ${kDotY - kTurn}C${laneX(kBundle)} ${kDotY} ${kDotX - 14} ${kDotY} ${kDotX - 4} ${kDotY}`} />}
      {drawn.threads.map(({ owner, lane, joins, ends }) => {
        const x = laneX(lane);
        const name = `thread ${kindOf(owner)}${lit(owner)}`;
        return (
          <g key={lane}>
            {ends ? <line class={name} x1={x} y1="0" x2={x} y2={kDotY - kTurn} /> : <line class={name} x1={x} y1="0" x2={x} y2="100%" />}
            {joins && <path class={name} d={`M${x} ${kDotY - kTurn}C${x} ${kDotY - 2} ${x + 4} ${kDotY} ${kDotX - 4} ${kDotY}`} />}
          </g>
        );
      })}
    </>
  );
}

export function Gutter({ state, row }: { state: ReaderState; row: number }) {
  const lanes = state.lanes.value;
  const rows = state.rows.value;
  const outline = state.outline.value;
  if (!lanes || !rows || !outline || row >= rows.ordinals.length) return null;
  const drawn = gutterRow(lanes, row);
  const kindOf = (at: number) => classOf(kindAt(outline, rows.ordinals[at]!));
  const chain = state.chain.value;
  // The chain ends at the row that is pointed at; below it nothing is lit.
  const isLit = (at: number) => chain !== undefined && row <= state.hover.value && chain.has(at);
  const own = kindOf(row);
  const begins = drawn.begins;
  const isOwnLit = chain?.has(row) ? ' lit' : '';
  const isBegunLit = isOwnLit && row < state.hover.value ? ' lit' : '';
  return (
    <svg class={chain ? 'gutter has-chain' : 'gutter'} width="56" height="100%" aria-hidden="true">
      <Threads drawn={drawn} kindOf={kindOf} isLit={isLit} />
      {drawn.before >= 0 && <line class={`thread ${kindOf(drawn.before)}${isLit(drawn.before) && isOwnLit ? ' lit' : ''}`} x1={kDotX} y1="0" x2={kDotX} y2={kDotY - 4} />}
      {drawn.next && <line class={`thread ${own}${isOwnLit && chain?.has(row + 1) ? ' lit' : ''}`} x1={kDotX} y1={kDotY + 4} x2={kDotX} y2="100%" />}
      {begins !== kNoLane && (
        <>
          <path class={`thread ${begins === kBundle ? 'bundle' : own}${isBegunLit}`} d={`M${kDotX - 4} ${kDotY + 2}C${laneX(begins) + 4} ${kDotY + 2} ${laneX(begins)} ${kDotY + 4} ${laneX(begins)} ${kDotY + kTurn + 2}`} />
          <line class={`thread ${begins === kBundle ? 'bundle' : own}${isBegunLit}`} x1={laneX(begins)} y1={kDotY + kTurn + 2} x2={laneX(begins)} y2="100%" />
        </>
      )}
      <circle class={`dot ${own}${isOwnLit}`} cx={kDotX} cy={kDotY} r="3.5" />
    </svg>
  );
}
