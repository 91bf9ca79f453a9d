// Which blocks of a conversation are rows, at each of three levels of detail. A tool's result belongs to the row of
// its call: the outline's causes say which call that is, not the order of the blocks.
import type { Outline } from '../data/types.ts';

export type Level = 1 | 2 | 3;  // prompts and answers; steps as one line each; everything open
export const kFlag = { error: 1, withheld: 2, superseded: 4, sealed: 8, branch: 16 } as const;

// Kinds that are read as text at every level. Steps are all others.
const kSpeech = new Set(['human_input', 'response', 'compaction', 'failure']);

export interface Rows {
  ordinals: Int32Array;  // the block of each row
  rowOf: Int32Array;     // the row that shows a block, or -1
  resultOf: Int32Array;  // by ordinal: the result of a call, or -1
}

export function kindAt(outline: Outline, ordinal: number): string {
  return outline.kinds[outline.columns.kind[ordinal]!] ?? 'unknown';
}
export function isSpeech(kind: string): boolean { return kSpeech.has(kind); }

// The call that a result answers, or -1.
export function callOf(outline: Outline, ordinal: number): number {
  if (kindAt(outline, ordinal) !== 'tool_result') return -1;
  for (const distance of outline.columns.causes[ordinal] ?? []) {
    if (kindAt(outline, ordinal - distance) === 'tool_request') return ordinal - distance;
  }
  return -1;
}

// Where a block shows: a result at its call, a summary of reasoning at the reasoning before it.
function hostOf(outline: Outline, ordinal: number, resultOf: Int32Array): number {
  const kind = kindAt(outline, ordinal);
  if (kind === 'thinking_summary') {
    const before = ordinal - (outline.columns.causes[ordinal]?.[0] ?? 1);
    if (before >= 0 && kindAt(outline, before) === 'thinking') return before;
  }
  const call = callOf(outline, ordinal);
  if (call < 0 || resultOf[call] !== -1) return ordinal;
  resultOf[call] = ordinal;
  return call;
}

// The last answer before the next prompt is what was answered; earlier ones are remarks on the way.
function answers(outline: Outline): Uint8Array {
  const last = new Uint8Array(outline.count);
  let answer = -1;
  for (let i = 0; i < outline.count; i++) {
    const kind = kindAt(outline, i);
    if (kind === 'response') answer = i;
    else if (kind === 'human_input' && answer >= 0) { last[answer] = 1; answer = -1; }
  }
  if (answer >= 0) last[answer] = 1;
  return last;
}

export function makeRows(outline: Outline, level: Level): Rows {
  const { count } = outline;
  const resultOf = new Int32Array(count).fill(-1);
  const rowOf = new Int32Array(count).fill(-1);
  const isAnswer = level === 1 ? answers(outline) : undefined;
  const ordinals: number[] = [];
  for (let i = 0; i < count; i++) {
    const host = hostOf(outline, i, resultOf);
    if (host !== i) { rowOf[i] = rowOf[host]!; continue; }
    const kind = kindAt(outline, i);
    if (isAnswer && !(isSpeech(kind) && (kind !== 'response' || isAnswer[i]))) continue;
    rowOf[i] = ordinals.length;
    ordinals.push(i);
  }
  return { ordinals: Int32Array.from(ordinals), rowOf, resultOf };
}

// Whether rows only came after these: a conversation that grew, or the rest of one whose beginning was here.
export function isContinued(before: Rows, after: Rows): boolean {
  return after.ordinals.length >= before.ordinals.length && before.ordinals.every((ordinal, row) => after.ordinals[row] === ordinal);
}

// The row nearest to a block that may have none at this level: its own, or the last one before it.
export function nearestRow(rows: Rows, ordinal: number): number {
  const own = rows.rowOf[Math.min(ordinal, rows.rowOf.length - 1)] ?? -1;
  if (own >= 0) return own;
  let low = 0;
  let high = rows.ordinals.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows.ordinals[middle]! <= ordinal) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

// Blocks by their number on the main branch, in an outline of all branches, and back: the one before, for a block that
// stands elsewhere.
const isMain = (outline: Outline, ordinal: number) => (outline.columns.flags[ordinal]! & (kFlag.branch | kFlag.superseded)) === 0;
export function ordinalInAll(outline: Outline, main: number): number {
  let left = main;
  for (let ordinal = 0; ordinal < outline.count; ordinal++) {
    if (isMain(outline, ordinal) && left-- === 0) return ordinal;
  }
  return Math.max(0, outline.count - 1);
}
export function ordinalInMain(outline: Outline, ordinal: number): number {
  let main = -1;
  for (let at = 0; at <= ordinal && at < outline.count; at++) if (isMain(outline, at)) main++;
  return Math.max(0, main);
}

// The next or previous row of a kind, or -1.
export function stepTo(outline: Outline, rows: Rows, from: number, by: 1 | -1, kinds: ReadonlySet<string>): number {
  for (let row = from + by; row >= 0 && row < rows.ordinals.length; row += by) {
    if (kinds.has(kindAt(outline, rows.ordinals[row]!))) return row;
  }
  return -1;
}
