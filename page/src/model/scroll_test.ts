import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Heights } from './heights.ts';
import { follow, kMaxSpace, needsSync, spaceFor, toList, toView } from './scroll.ts';

// A small generator of numbers, so that a failure can be repeated.
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test('offsets and rows are those of a plain sum', () => {
  const next = numbers(1);
  const plain = Array.from({ length: 257 }, () => 1 + Math.floor(next() * 50));
  const heights = new Heights(plain.length, (row) => plain[row]!);
  for (let change = 0; change < 300; change++) {
    const row = Math.floor(next() * plain.length);
    plain[row] = 1 + Math.floor(next() * 90);
    heights.set(row, plain[row]!);
    const at = Math.floor(next() * plain.length);
    const sum = plain.slice(0, at).reduce((a, b) => a + b, 0);
    assert.equal(heights.offset(at), sum);
    assert.equal(heights.rowAt(sum), at);
    assert.equal(heights.rowAt(sum + plain[at]! - 1), at);
  }
});

test('rows can be appended, and offsets beyond the ends lead to the ends', () => {
  const heights = new Heights(0, () => 0);
  assert.equal(heights.rowAt(10), -1);
  heights.append(3, () => 10);
  heights.append(1, () => 5);
  assert.equal(heights.total, 35);
  assert.equal(heights.rowAt(-5), 0);
  assert.equal(heights.rowAt(1000), 3);
});

test('a scaled space reaches every one of a million rows', () => {
  const count = 1_000_000;
  const view = 800;
  const heights = new Heights(count, (row) => 40 + (row % 7) * 30);
  const total = heights.total;
  assert.equal(spaceFor(total, view), kMaxSpace);
  for (let row = 0; row < count; row += 997) {
    const scrollTop = toView(heights.offset(row), total, view);
    assert.ok(scrollTop >= 0 && scrollTop <= kMaxSpace - view);
    assert.ok(Math.abs(toList(scrollTop, total, view) - Math.min(heights.offset(row), total - view)) < 0.01);
  }
  assert.equal(toList(0, total, view), 0);
  assert.equal(toList(kMaxSpace - view, total, view), total - view);
});

test('moving row by row through a scaled space skips none', () => {
  const view = 800;
  const heights = new Heights(1_000_000, () => 100);
  const total = heights.total;
  let at = { scrollTop: toView(5_000_000, total, view), listTop: 5_000_000 };
  for (let step = 0; step < 1000; step++) {
    const before = heights.rowAt(at.listTop);
    at = follow(at, at.scrollTop + 100, total, view, 4 * view);
    assert.equal(heights.rowAt(at.listTop), before + 1);
    if (needsSync(at, total, view)) at = { listTop: at.listTop, scrollTop: toView(at.listTop, total, view) };
  }
});

test('a list that fits has no room to scroll', () => {
  assert.equal(toList(0, 100, 800), 0);
  assert.equal(toView(0, 100, 800), 0);
  assert.equal(needsSync({ scrollTop: 0, listTop: 0 }, 100, 800), false);
});
