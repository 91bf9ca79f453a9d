import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainWords } from './highlights.ts';

test('only words that stand for themselves are marked', () => {
  assert.deepEqual(plainWords('Ferry "leaves at" -never type:response tool:"a b" x OR isle*'), ['ferry', 'leaves', 'at', 'isle']);
  assert.deepEqual(plainWords('  '), []);
});
