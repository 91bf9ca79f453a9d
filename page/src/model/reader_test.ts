import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outline } from '../data/types.ts';
import { causeRows, chainOf, gutterRow, kBundle, kLanes, kNoLane, makeLanes, ownerAt } from './lanes.ts';
import { kShades, makeRibbon, pixelOfRow, rowAtPixel } from './ribbon.ts';
import { kFlag, makeRows, nearestRow, ordinalInAll, ordinalInMain, stepTo } from './rows.ts';

const kKinds = ['human_input', 'thinking', 'response', 'tool_request', 'tool_result', 'compaction', 'thinking_summary'];
const kLetters = 'HTRCOXS';

// An outline from letters: H prompt, T thinking, R answer, C call, O result, X compaction, S summary of reasoning.
function outlineOf(letters: string, causes: number[][], flags: Record<number, number> = {}): Outline {
  const count = letters.length;
  const kind = [...letters].map((letter) => kLetters.indexOf(letter));
  return {
    conversation_cid: 'cid:blake3:0', count, from: 0, kinds: kKinds, tools: ['Bash'], flags: [],
    columns: {
      kind, time: kind.map((_, i) => i * 1000), duration_ms: kind.map(() => null), length: kind.map(() => 10),
      tool: kind.map(() => null), flags: kind.map((_, i) => flags[i] ?? 0), turn: kind.map(() => 0), causes,
    },
    elsewhere: [],
  };
}
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % most;
}
function randomOutline(count: number, seed: number): Outline {
  const next = numbers(seed);
  const causes = Array.from({ length: count }, (_, i) => (i === 0 ? [] : [...new Set(Array.from({ length: next(4) }, () => 1 + next(Math.min(i, 40))))]));
  return outlineOf(Array.from({ length: count }, () => kLetters[next(4)]).join(''), causes);
}

test('a result shows at its call, two calls at once included', () => {
  const outline = outlineOf('HTCCOOR', [[], [1], [1], [2], [2], [2], [1, 2]]);
  const rows = makeRows(outline, 2);
  assert.deepEqual([...rows.ordinals], [0, 1, 2, 3, 6]);
  assert.deepEqual([...rows.resultOf].slice(2, 4), [4, 5]);
  assert.equal(rows.rowOf[5], 3);
});
test('a result without its call is a row of its own, and so is a second one', () => {
  assert.deepEqual([...makeRows(outlineOf('OCOO', [[], [], [1], [2]]), 2).ordinals], [0, 1, 3]);
});
test('the first level holds prompts and the last answer to each', () => {
  const outline = outlineOf('HRCORHTR', [[], [1], [1], [1], [1], [], [1], [1]]);
  assert.deepEqual([...makeRows(outline, 1).ordinals], [0, 4, 5, 7]);
});
test('the nearest row of a block that is hidden is the one before', () => {
  const outline = outlineOf('HTCOR', [[], [1], [1], [1], [1]]);
  const rows = makeRows(outline, 1);
  assert.equal(nearestRow(rows, 3), 0);
  assert.equal(nearestRow(rows, 4), 1);
  assert.equal(stepTo(outline, rows, 1, -1, new Set(['human_input'])), 0);
  assert.equal(stepTo(outline, rows, 1, 1, new Set(['human_input'])), -1);
});

test('every cause is drawn once: by a straight line, in a lane, or in the bundle', () => {
  for (let seed = 1; seed < 60; seed++) {
    const outline = randomOutline(120, seed);
    const rows = makeRows(outline, 3);
    const lanes = makeLanes(outline, rows);
    for (let row = 0; row < rows.ordinals.length; row++) {
      const drawn = gutterRow(lanes, row);
      for (const cause of causeRows(lanes, row)) {
        const straight = drawn.before === cause;
        const inLane = drawn.threads.some((thread) => thread.owner === cause && thread.joins);
        const inBundle = lanes.lane[cause] === kBundle && drawn.bundleJoins;
        assert.equal(Number(straight) + Number(inLane) + Number(inBundle), 1, `seed ${seed} row ${row} cause ${cause}`);
      }
    }
  }
});
test('no two threads share a lane at a row', () => {
  for (let seed = 1; seed < 30; seed++) {
    const outline = randomOutline(200, seed);
    const lanes = makeLanes(outline, makeRows(outline, 3));
    for (let lane = 0; lane < kLanes; lane++) {
      const starts = lanes.starts[lane]!;
      for (let i = 1; i < starts.length; i++) assert.ok(lanes.last[starts[i - 1]!]! <= starts[i]!);
      for (const start of starts) {
        assert.equal(ownerAt(lanes, lane, start + 1), start);
        assert.equal(ownerAt(lanes, lane, lanes.last[start]!), start);
      }
    }
  }
});
test('a chain leads back to its beginning', () => {
  const outline = outlineOf('HTRHTR', [[], [1], [1, 2], [], [1], [1, 2]]);
  const lanes = makeLanes(outline, makeRows(outline, 3));
  assert.deepEqual([...chainOf(lanes, 2)].sort(), [0, 1, 2]);
  assert.equal(lanes.lane[1], kNoLane);
});
test('a hundred thousand blocks take less than a second of work', () => {
  const outline = randomOutline(100_000, 5);
  const before = process.cpuUsage();
  const rows = makeRows(outline, 2);
  makeLanes(outline, rows);
  makeRibbon(outline, rows, 800);
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 1_000_000, `${(user + system) / 1000} ms`);
});

test('the ribbon shows prompts, errors and hits of a session of any length', () => {
  const letters = ('H' + 'CO'.repeat(500)).repeat(20);
  const causes = [...letters].map((letter, i) => (letter === 'O' ? [1] : i ? [1] : []));
  const outline = outlineOf(letters, causes, { 501: 1 });
  const rows = makeRows(outline, 2);
  const ribbon = makeRibbon(outline, rows, 300, new Set([9000]));
  assert.equal(ribbon.prompt.reduce((sum, on) => sum + on, 0) >= 19, true);
  assert.ok(ribbon.error.includes(1) && ribbon.hit.includes(1));
  assert.ok([...ribbon.shade].every((shade) => kShades[shade] !== 'none'));
});
test('pixels and rows lead to each other', () => {
  for (const count of [1, 7, 300, 100_000]) {
    for (let pixel = 0; pixel < 300; pixel++) {
      const row = rowAtPixel(pixel, 300, count);
      assert.ok(row >= 0 && row < count);
      assert.ok(Math.abs(pixelOfRow(row, 300, count) - pixel) <= Math.max(1, 300 / count));
    }
  }
});

test('a block of the main branch is found among all branches, and back', () => {
  const all = outlineOf('HRHRHR', [[], [1], [1], [1], [3], [1]], { 2: kFlag.branch, 3: kFlag.branch });
  assert.deepEqual([0, 1, 2, 3].map((main) => ordinalInAll(all, main)), [0, 1, 4, 5]);
  assert.equal(ordinalInAll(all, 9), 5);
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((ordinal) => ordinalInMain(all, ordinal)), [0, 1, 1, 1, 2, 3]);
});
