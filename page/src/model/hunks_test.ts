import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffLines, markChangedWords } from './diff.ts';
import { firstLines, hunkLines, pathParts } from './hunks.ts';

test('a hunk has the numbers of both sides, and says where a file ends without a newline', () => {
  const lines = hunkLines({ before_first: 4, before_count: 2, after_first: 5, after_count: 2, lines: [' same', '-old', '+new', '\\'] });
  assert.deepEqual(lines.map(({ sign, before, after }) => [sign, before, after]), [[' ', 4, 5], ['-', 5, undefined], ['+', undefined, 6], [' ', undefined, undefined]]);
  assert.equal(lines[1]!.parts[0]!.text, 'old');
  assert.ok(lines[3]!.isNote);
});

test('a hunk of a file that is known in part has no numbers', () => {
  const lines = hunkLines({ before_first: null, before_count: 1, after_first: null, after_count: 2, lines: ['-a', '+b', '+'] });
  assert.deepEqual(lines.map(({ sign, before, after }) => [sign, before, after]), [['-', undefined, undefined], ['+', undefined, undefined], ['+', undefined, undefined]]);
  assert.equal(lines[2]!.parts[0]!.text, '');
});

test('hidden characters of a line are shown', () => {
  assert.match(hunkLines({ before_first: null, before_count: 0, after_first: null, after_count: 1, lines: ['+a\u202Eb'] })[0]!.parts[0]!.text, /U\+202E/);
});

test('ends of lines are shown where they changed, and not in a file that has them everywhere', () => {
  const textsOf = (...lines: string[]) => hunkLines({ before_first: null, before_count: 0, after_first: null, after_count: 0, lines }).map((line) => line.parts[0]!.text);
  assert.deepEqual(textsOf('-a\r', '+b\r'), ['a', 'b']);
  assert.deepEqual(textsOf('-a\r', '+a'), ['a␍', 'a']);
});

test('words are marked in pairs of lines, as in a difference of two texts', () => {
  const lines = markChangedWords(hunkLines({ before_first: 1, before_count: 1, after_first: 1, after_count: 1, lines: ['-leaves at 09:40', '+leaves at 09:45'] }));
  assert.deepEqual(lines, diffLines('leaves at 09:40\n', 'leaves at 09:45\n').map((line) => line));
  assert.ok(lines[1]!.parts.some((part) => part.changed && part.text.includes('45')));
});

test('the first lines of several hunks', () => {
  const hunk = (count: number) => hunkLines({ before_first: 1, before_count: 0, after_first: 1, after_count: count, lines: Array.from({ length: count }, () => '+x') });
  assert.deepEqual(firstLines([hunk(3), hunk(4), hunk(2)], 5).map((lines) => lines.length), [3, 2]);
  assert.deepEqual(firstLines([hunk(3)], 5).map((lines) => lines.length), [3]);
});

test('a path is a folder and a name', () => {
  assert.deepEqual(pathParts('src/model/a.ts'), { folder: 'src/model/', name: 'a.ts' });
  assert.deepEqual(pathParts('a.ts'), { folder: '', name: 'a.ts' });
  assert.deepEqual(pathParts('/a/b/'), { folder: '/a/', name: 'b/' });
});
