import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ansiSpans } from './ansi.ts';
import { isLoopback } from './format.ts';
import { oneLine, visible } from './signs.ts';

const joined = (text: string) => ansiSpans(text).map((span) => span.text).join('');

test('hidden characters are shown', () => {
  assert.equal(visible('a\u202Eb'), 'a⟨U+202E⟩b');
  assert.equal(visible('a\u0000\u001b\u007f'), 'a\u2400\u241B\u2421');
  assert.equal(visible('x\u{E0041}y'), 'x⟨tag A⟩y');
  assert.equal(visible('a\uD800b'), 'a⟨U+D800⟩b');
});
test('what everybody sees stays as it is', () => {
  for (const text of ['', 'a\n\tb', 'Grüße 思考', '👩‍👩‍👧 \u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}']) {
    assert.equal(visible(text), text);
  }
});
test('a line of a title is one line and is cut at a character', () => {
  assert.equal(oneLine(' a\n b '), 'a b');
  assert.equal(oneLine('😀'.repeat(20), 5), '😀😀😀😀…');
});

test('colours become classes', () => {
  assert.deepEqual(ansiSpans('a\u001b[31;1mb\u001b[0mc'), [
    { text: 'a', classes: '' }, { text: 'b', classes: 'ansi-f1 ansi-bold' }, { text: 'c', classes: '' },
  ]);
  assert.deepEqual(ansiSpans('\u001b[38;5;196mr\u001b[48;2;0;0;250mb'), [
    { text: 'r', classes: 'ansi-f9' }, { text: 'b', classes: 'ansi-f9 ansi-b12' },
  ]);
});
test('titles, links and cursor movements leave no trace', () => {
  assert.equal(joined('\u001b]0;title\u0007a\u001b]8;;https://evil.example\u001b\\b\u001b]8;;\u001b\\c\u001b[2Jd\u001b(B'), 'abcd');
  assert.equal(joined('\u001b'), '');
  assert.equal(joined('a\u001b]0;never ends'), 'a');
});
test('a progress bar shows its last state', () => {
  assert.equal(joined('10%\r50%\r100%\r\ndone'), '100%\ndone');
});
test('no escape of any kind survives', () => {
  let state = 7;
  const next = (most: number) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % most;
  const parts = ['\u001b', '[', ']', '0', ';', 'm', '\u0007', '\\', '31', 'x', '\r', '\n', '\u009b', 'P', '38;5;', '\u202e'];
  for (let i = 0; i < 20_000; i++) {
    const text = Array.from({ length: 1 + next(12) }, () => parts[next(parts.length)]).join('');
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(joined(text), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/, JSON.stringify(text));
  }
});
test('loopback is known by its names and addresses, and by no other', () => {
  for (const here of ['127.0.0.1', '127.8.9.1', '[::1]', 'localhost', 'weft.localhost']) assert.ok(isLoopback(here), here);
  for (const other of ['', '10.0.0.1', 'harbour.example', 'localhost.example', '127.0.0.1.example', '1127.0.0.1', '[::2]']) assert.ok(!isLoopback(other), other);
});
