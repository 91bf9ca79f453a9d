import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reached } from '../data/types.ts';
import { makeLanes } from './lanes.ts';
import { makeRows } from './rows.ts';
import { lineAbout, traceInTime, traceOutline } from './trace.ts';

function reached(cid: string, depth: number, from: string | undefined, because: string[], at: number): Reached {
  return { cid, type: 'a/response', content: { text: cid }, created_by: '', created_at: at, because: because.map((name) => ({ thought_cid: name })), signature: '', depth, reached_from: from };
}
const kThoughts = [reached('d', 0, undefined, ['c', 'b'], 4), reached('c', 1, 'd', ['a'], 3), reached('b', 1, 'd', ['a'], 2), reached('a', 2, 'c', [], 1)];

test('each thought stands under the one that led to it', () => {
  assert.deepEqual(traceOutline(kThoughts).map((row) => row.thought.cid + row.indent), ['d0', 'b1', 'c0', 'a0']);
});
test('in time, causes come first', () => {
  const { outline, order } = traceInTime(kThoughts);
  assert.deepEqual(order.map((thought) => thought.cid), ['a', 'b', 'c', 'd']);
  assert.deepEqual(outline.columns.causes, [[], [1], [2], [1, 2]]);
  assert.equal(makeLanes(outline, makeRows(outline, 3)).last[0], 2);
});
test('a line about anything', () => {
  assert.equal(lineAbout({ type: 'x', content: { $layers: {} } }), 'sealed');
  assert.equal(lineAbout({ type: 'x', content: { odd: 1 } }), '{"odd":1}');
});
