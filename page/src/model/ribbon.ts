// The ribbon: a whole conversation in a strip of a few hundred pixels. Each pixel stands for a run of rows and shows
// the kind that fills most of it, how long its longest row took, and whether it holds a prompt, an error, a
// compaction or a hit. It draws nothing itself, so that it can be tested.
import type { Outline } from '../data/types.ts';
import { own } from './own.ts';
import { kFlag, type Rows } from './rows.ts';

export type Shade = 'human' | 'thinking' | 'tool' | 'answer' | 'other' | 'none';
export const kShades: Shade[] = ['human', 'thinking', 'tool', 'answer', 'other', 'none'];

export interface Ribbon {
  shade: Uint8Array;   // by pixel: index in kShades
  length: Float32Array; // by pixel: 0..1, how long its longest row took, on a logarithmic scale
  prompt: Uint8Array;
  error: Uint8Array;
  compaction: Uint8Array;
  hit: Uint8Array;
}

const kShadeOf: Record<string, number> = {
  human_input: 0, thinking: 1, redacted_thinking: 1, thinking_summary: 1, tool_request: 2, tool_result: 2, response: 3,
};

const kSign = 3;  // pixels

// A second is short, an hour is long: the scale is logarithmic between them.
const longness = (ms: number | null | undefined) => (ms && ms > 100 ? Math.min(1, Math.log10(ms / 100) / Math.log10(36_000)) : 0);

export function makeRibbon(outline: Outline, rows: Rows, pixels: number, hits: ReadonlySet<number> = new Set()): Ribbon {
  const ribbon: Ribbon = {
    shade: new Uint8Array(pixels).fill(5), length: new Float32Array(pixels), prompt: new Uint8Array(pixels),
    error: new Uint8Array(pixels), compaction: new Uint8Array(pixels), hit: new Uint8Array(pixels),
  };
  const count = rows.ordinals.length;
  if (count === 0 || pixels === 0) return ribbon;
  const weights = new Float64Array(pixels * 5);
  const { kind, flags, duration_ms: duration } = outline.columns;
  for (let ordinal = 0; ordinal < outline.count; ordinal++) {
    const row = rows.rowOf[ordinal]!;
    if (row < 0) continue;
    const name = outline.kinds[kind[ordinal]!] ?? '';
    const shade = own(kShadeOf, name) ?? 4;
    const from = Math.floor(row * pixels / count);
    const to = Math.max(from + 1, Math.ceil((row + 1) * pixels / count));
    const long = longness(duration[ordinal]);
    for (let pixel = from; pixel < Math.min(to, pixels); pixel++) {
      // A prompt is one row among hundreds of steps; without its weight no prompt would ever be seen.
      weights[pixel * 5 + shade]! += shade === 0 ? 4 : 1;
      ribbon.length[pixel] = Math.max(ribbon.length[pixel]!, long);
      // Signs mark where a row begins, also when a row is many pixels tall.
      const isBegin = pixel < from + kSign;
      if (shade === 0 && isBegin) ribbon.prompt[pixel] = 1;
      if (isBegin && (flags[ordinal]! & kFlag.error || name === 'failure')) ribbon.error[pixel] = 1;
      if (isBegin && name === 'compaction') ribbon.compaction[pixel] = 1;
      if (isBegin && hits.has(ordinal)) ribbon.hit[pixel] = 1;
    }
  }
  for (let pixel = 0; pixel < pixels; pixel++) {
    let best = -1;
    for (let shade = 0; shade < 5; shade++) {
      const weight = weights[pixel * 5 + shade]!;
      if (weight > 0 && (best < 0 || weight > weights[pixel * 5 + best]!)) best = shade;
    }
    if (best >= 0) ribbon.shade[pixel] = best;
  }
  return ribbon;
}

// The row at a pixel of the ribbon, and the pixel of a row.
export function rowAtPixel(pixel: number, pixels: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(pixel / pixels * count)));
}
export function pixelOfRow(row: number, pixels: number, count: number): number {
  return count === 0 ? 0 : row / count * pixels;
}
