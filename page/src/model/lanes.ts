// The threads of the gutter: from each row down to the rows that rest on it. A row with later effects gets a lane
// from itself to the last of them; two rows share a lane if they do not overlap. Six lanes are drawn; what does not
// fit runs in a bundle. O(rows + causes), once for a conversation; drawing asks for the few rows on the screen.
import type { Outline } from '../data/types.ts';
import type { Rows } from './rows.ts';

export const kLanes = 6;
export const kBundle = kLanes;  // the number of the lane in which the rest run
export const kNoLane = 255;

export interface Lanes {
  lane: Uint8Array;     // by row: its own lane, kBundle, or kNoLane if nothing below rests on it, or only the next row
  last: Int32Array;     // by row: the last row that rests on it, or -1
  starts: number[][];   // by lane: the rows that begin in it, in order
  bundled: Uint16Array; // by row: how many bundled threads run past it or end at it
  causes: Int32Array;   // rows that rows rest on, one run for each row
  causesAt: Int32Array; // where the run of a row begins; one more element than rows
}

function causesOf(outline: Outline, rows: Rows): Pick<Lanes, 'causes' | 'causesAt'> {
  const count = rows.ordinals.length;
  const runs: number[][] = Array.from({ length: count }, () => []);
  for (let ordinal = 0; ordinal < outline.count; ordinal++) {
    const row = rows.rowOf[ordinal]!;
    if (row < 0) continue;
    for (const distance of outline.columns.causes[ordinal] ?? []) {
      const cause = rows.rowOf[ordinal - distance] ?? -1;
      if (cause >= 0 && cause < row && !runs[row]!.includes(cause)) runs[row]!.push(cause);
    }
  }
  const causesAt = new Int32Array(count + 1);
  runs.forEach((run, row) => { causesAt[row + 1] = causesAt[row]! + run.length; });
  return { causes: Int32Array.from(runs.flat()), causesAt };
}

export function makeLanes(outline: Outline, rows: Rows): Lanes {
  const count = rows.ordinals.length;
  const { causes, causesAt } = causesOf(outline, rows);
  const last = new Int32Array(count).fill(-1);
  for (let row = 0; row < count; row++) {
    for (let i = causesAt[row]!; i < causesAt[row + 1]!; i++) last[causes[i]!] = row;
  }
  const lane = new Uint8Array(count).fill(kNoLane);
  const starts: number[][] = Array.from({ length: kLanes }, () => []);
  const busyUntil = new Int32Array(kLanes).fill(-1);
  const change = new Int32Array(count + 1);
  for (let row = 0; row < count; row++) {
    if (last[row]! <= row + 1) continue;  // none, or the next row: a straight line needs no lane
    const free = busyUntil.findIndex((until) => until <= row);
    if (free >= 0) {
      lane[row] = free;
      busyUntil[free] = last[row]!;
      starts[free]!.push(row);
    } else {
      lane[row] = kBundle;
      change[row + 1]!++;
      if (last[row]! + 1 <= count) change[last[row]! + 1]!--;
    }
  }
  const bundled = new Uint16Array(count);
  for (let row = 0, sum = 0; row < count; row++) {
    sum += change[row]!;
    bundled[row] = Math.min(sum, 65535);
  }
  return { lane, last, starts, bundled, causes, causesAt };
}

// The row whose thread runs in a lane past `row` or ends at it, or -1.
export function ownerAt(lanes: Lanes, lane: number, row: number): number {
  const starts = lanes.starts[lane]!;
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! < row) low = middle + 1;
    else high = middle;
  }
  const owner = low > 0 ? starts[low - 1]! : -1;
  return owner >= 0 && lanes.last[owner]! >= row ? owner : -1;
}

export interface Thread { owner: number; lane: number; joins: boolean; ends: boolean }
export interface GutterRow {
  threads: Thread[];    // threads from above: they pass, join the row's dot, or end at it
  before: number;       // the row before, if this one rests on it by a straight line; else -1
  next: boolean;        // the next row rests on this one by a straight line
  begins: number;       // the lane that begins at this row, kBundle, or kNoLane
  bundle: number;       // how many bundled threads pass
  bundleJoins: boolean; // one of them leads here
}

export function causeRows(lanes: Lanes, row: number): Int32Array {
  return lanes.causes.subarray(lanes.causesAt[row]!, lanes.causesAt[row + 1]!);
}

export function gutterRow(lanes: Lanes, row: number): GutterRow {
  const own = causeRows(lanes, row);
  const threads: Thread[] = [];
  for (let lane = 0; lane < kLanes; lane++) {
    const owner = ownerAt(lanes, lane, row);
    if (owner >= 0) threads.push({ owner, lane, joins: own.includes(owner), ends: lanes.last[owner] === row });
  }
  const straight = (from: number) => from >= 0 && lanes.lane[from] === kNoLane && lanes.last[from] === from + 1;
  return {
    threads,
    before: straight(row - 1) ? row - 1 : -1,
    next: straight(row),
    begins: lanes.lane[row]!,
    bundle: lanes.bundled[row]!,
    bundleJoins: own.some((cause) => lanes.lane[cause] === kBundle),
  };
}

// Everything that a row rests on, back to where it began; `most` keeps a hover cheap.
export function chainOf(lanes: Lanes, row: number, most = 2000): Set<number> {
  const chain = new Set([row]);
  const queue = [row];
  while (queue.length && chain.size < most) {
    for (const cause of causeRows(lanes, queue.pop()!)) {
      if (chain.has(cause)) continue;
      chain.add(cause);
      queue.push(cause);
    }
  }
  return chain;
}
