import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlameRun } from '../data/types.ts';
import { letterOf, marksOf, piecesByLine, runAt } from './blame.ts';
import { changedPaths, toolCall } from './tools.ts';

test('sessions have letters like the columns of a sheet, each its own', () => {
  assert.deepEqual([0, 25, 26, 27, 51, 52, 701, 702].map(letterOf), ['A', 'Z', 'AA', 'AB', 'AZ', 'BA', 'ZZ', 'AAA']);
  const sessions = Array.from({ length: 40 }, (_, at) => ({ conversation_cid: `c${at}`, title: null, lines: 1 }));
  assert.equal(new Set([...marksOf(sessions).values()].map(({ letter }) => letter)).size, 40);
});

test('the run of a line is found, and none where there is none', () => {
  const runs: BlameRun[] = [{ first: 3, last: 3 }, { first: 4, last: 9 }, { first: 12, last: 20 }];
  const firsts = Array.from({ length: 22 }, (_, line) => runAt(runs, line)?.first ?? 0);
  assert.deepEqual(firsts, [0, 0, 0, 3, 4, 4, 4, 4, 4, 4, 0, 0, 12, 12, 12, 12, 12, 12, 12, 12, 12, 0]);
});

test('colours of a text are those of its lines', () => {
  const lines = piecesByLine([{ text: 'a\n/* b', classes: '' }, { text: '\n\nc */', classes: 'code-comment' }, { text: '\n', classes: '' }]);
  assert.deepEqual(lines.map((line) => line.map(({ text }) => text).join('')), ['a', '/* b', '', 'c */', '']);
  assert.equal(lines[3]![0]!.classes, 'code-comment');
});

test('the files that a call left have the numbers that the server counts them by', () => {
  const patch = '*** Begin Patch\n*** Delete File: old.txt\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** Add File: b.txt\n+b\n*** End Patch';
  assert.deepEqual(changedPaths(toolCall({ tool_name: 'apply_patch', input: { input: patch } }).card), [{ number: 1, path: 'src/a.ts' }, { number: 2, path: 'b.txt' }]);
  assert.deepEqual(changedPaths(toolCall({ tool_name: 'Edit', input: { file_path: '/a', old_string: 'x', new_string: 'y' } }).card), [{ number: 0, path: '/a' }]);
  assert.deepEqual(changedPaths(toolCall({ tool_name: 'Read', input: { file_path: '/a' } }).card), []);
});
