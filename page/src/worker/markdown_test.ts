import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffLines, foldLines } from '../model/diff.ts';
import { highlight } from './highlight.ts';
import { markdownTree } from './markdown.ts';
import { kTags, safeLink, type Node } from './tree.ts';

const tags = new Set<string>(kTags);

// Fails on anything that is not on the list.
function checkTree(nodes: Node[], source: string, depth = 0): void {
  assert.ok(depth < 400, `too deep: ${source.slice(0, 80)}`);
  for (const node of nodes) {
    if (typeof node === 'string') {
      // eslint-disable-next-line no-control-regex
      assert.doesNotMatch(node, /[\u0000-\u0008\u000b-\u001f\u202a-\u202e]/, source);
    } else if ('link' in node) {
      assert.match(node.link, /^(https?:\/\/|mailto:)/, source);
      assert.equal(safeLink(node.link), node.link, source);
      checkTree(node.children, source, depth + 1);
    } else if ('tag' in node) {
      assert.ok(tags.has(node.tag), `${node.tag}: ${source}`);
      assert.deepEqual(Object.keys(node).filter((name) => !['tag', 'children', 'start', 'align'].includes(name)), []);
      checkTree(node.children, source, depth + 1);
    } else if ('image' in node) {
      assert.equal(typeof node.alt, 'string');
    } else {
      assert.equal(typeof node.fence, 'string');
    }
  }
}

test('Markdown becomes a tree', () => {
  assert.deepEqual(markdownTree('# A *b*\n\n- x\n- `y`'), [
    { tag: 'h1', children: ['A ', { tag: 'em', children: ['b'] }] },
    { tag: 'ul', children: [{ tag: 'li', children: ['x'] }, { tag: 'li', children: [{ tag: 'code', children: ['y'] }] }] },
  ]);
  assert.deepEqual(markdownTree('|a|\n|:-:|\n|b|')[0], { tag: 'table', children: [
    { tag: 'thead', children: [{ tag: 'tr', children: [{ tag: 'th', children: ['a'], align: 'center' }] }] },
    { tag: 'tbody', children: [{ tag: 'tr', children: [{ tag: 'td', children: ['b'], align: 'center' }] }] }] });
  assert.deepEqual(markdownTree('```rust x\nfn\n```'), [{ fence: 'fn\n', language: 'rust' }]);
});
test('markup stays text', () => {
  assert.deepEqual(markdownTree('<img src=x onerror=alert(1)>'), [{ tag: 'p', children: ['<img src=x onerror=alert(1)>'] }]);
});
test('addresses that run or hide something are no links', () => {
  for (const address of ['javascript:alert(1)', 'JaVa\tScript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd',
    'blob:x', '//evil.example', 'https://user:pass@evil.example', 'about:blank', 'intent://x', '#top', '/api/hello']) {
    assert.equal(safeLink(address), undefined, address);
  }
  assert.equal(safeLink('HTTPS://Example.com/a b'), 'https://example.com/a%20b');
  const [node] = markdownTree('[x](javascript:alert(1))');
  assert.deepEqual(node, { tag: 'p', children: [{ tag: 'em', children: ['x'] }] });
});
test('random texts come out as allowed nodes only', () => {
  let state = 99;
  const next = (most: number) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % most;
  const parts = ['[', ']', '(', ')', '!', '*', '_', '`', '```', '\n', '\n\n', '> ', '- ', '1. ', '#', ' ', '|', '---', '<script>', '<img src=x onerror=1>',
    'javascript:', 'https://a.b', 'data:text/html', '&colon;', '&#x6a;', '\\', '\u202e', '\u0000', 'x', '"', "'", '\t', '    ', '<a href=', '//', '[^1]', '~~', '&lt;'];
  const count = process.env.WEFT_LONG ? 100_000 : 8_000;
  for (let i = 0; i < count; i++) {
    const text = Array.from({ length: 1 + next(24) }, () => parts[next(parts.length)]).join('');
    checkTree(markdownTree(text), text);
  }
});
test('deep and long texts end', () => {
  const started = Date.now();
  for (const text of ['> '.repeat(10_000) + 'x', '- '.repeat(10_000) + 'x', '`'.repeat(100_000), '['.repeat(100_000), '*a '.repeat(30_000), 'x'.repeat(1_000_000)]) {
    checkTree(markdownTree(text), text.slice(0, 20));
  }
  assert.ok(Date.now() - started < 20_000, `${Date.now() - started} ms`);
});

test('code is coloured in pieces that add up to it', () => {
  const code = 'fn main() { let x = "a<b>"; } // end';
  const pieces = highlight(code, 'rust')!;
  assert.equal(pieces.map((piece) => piece.text).join(''), code);
  assert.ok(pieces.some((piece) => piece.classes === 'code-keyword' && piece.text === 'fn'));
  assert.ok(pieces.some((piece) => piece.classes === 'code-string' && piece.text === '"a<b>"'));
  assert.equal(highlight(code, 'no such language'), undefined);
  assert.equal(highlight('x\n'.repeat(1000), 'rust'), undefined);
});

test('differences: lines, words inside them, folded rest', () => {
  const lines = diffLines('a\nlet x = 1;\nc\n', 'a\nlet x = 2;\nc\nd\n');
  assert.deepEqual(lines.map((line) => line.sign).join(''), ' -+ +');
  assert.deepEqual(lines[1]!.parts.filter((part) => part.changed).map((part) => part.text), ['1']);
  assert.deepEqual(lines[4], { sign: '+', after: 4, parts: [{ text: 'd', changed: false }] });
  const many = diffLines(Array.from({ length: 50 }, (_, i) => `l${i}`).join('\n'), Array.from({ length: 50 }, (_, i) => (i === 25 ? 'new' : `l${i}`)).join('\n'));
  const folded = foldLines(many);
  assert.deepEqual(folded[0], { folded: 22 });
  assert.deepEqual(diffLines('', 'x').map((line) => line.sign), ['+']);
});
test('a difference rebuilds both texts', () => {
  let state = 3;
  const next = (most: number) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % most;
  const text = () => Array.from({ length: next(20) }, () => ['a', 'b', 'c d', 'e'][next(4)]).join('\n');
  for (let i = 0; i < 500; i++) {
    const [before, after] = [text(), text()];
    const lines = diffLines(before, after);
    const side = (without: string) => lines.filter((line) => line.sign !== without).map((line) => line.parts.map((part) => part.text).join('')).join('\n');
    assert.equal(side('+'), before.replace(/\n$/, ''));
    assert.equal(side('-'), after.replace(/\n$/, ''));
  }
});

test('character references are characters: by number, and by the names of HTML 4', () => {
  const textOf = (text: string) => JSON.stringify(markdownTree(text));
  assert.match(textOf('a &amp; b &lt;i&gt; &copy; &auml; &Omega; &omega; &hellip; &#65; &#x42;'), /a & b <i> © ä Ω ω … A B/);
  assert.match(textOf('&nosuchname; &amp'), /&nosuchname; &amp/);
  assert.match(textOf('&#0; &#xD800;'), /\ufffd \ufffd/);
});
