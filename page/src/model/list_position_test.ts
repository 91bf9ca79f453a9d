import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListPosition } from './list_position.ts';

function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const kView = 800;
function list(count: number, held: ListPosition['held'] = { row: 0, at: 0 }): ListPosition {
  const made = new ListPosition();
  made.view = kView;
  made.reset(count, () => 34, held);
  return made;
}
// Measures what is mounted, again and again, until nothing changes: as the browser does after a jump.
function mount(position: ListPosition, real: (row: number) => number, next: () => number): void {
  for (let round = 0; round < 200; round++) {
    const first = position.heights.rowAt(position.listTop - 500);
    const last = position.heights.rowAt(position.listTop + kView + 500);
    const open = Array.from({ length: last - first + 1 }, (_, at) => first + at).filter((row) => position.heights.height(row) !== real(row));
    if (!open.length) return;
    const row = open[Math.floor(next() * open.length)]!;  // one at a time, in any order: blocks arrive as they like
    position.heights.set(row, real(row));
    position.settle();
  }
  assert.fail('it never comes to rest');
}
const topOf = (position: ListPosition, row: number) => position.heights.offset(row) - position.listTop;

test('a jump arrives at its row, whatever is measured around it, and in whichever order', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const next = numbers(seed);
    const count = 50 + Math.floor(next() * 2000);
    const tall = Array.from({ length: count }, () => 20 + Math.floor(next() ** 3 * 900));
    const real = (row: number) => tall[row]!;
    const position = list(count);
    const target = Math.floor(next() * count);
    position.hold({ row: target, at: 90 });
    mount(position, real, next);
    const below = tall.slice(target).reduce((a, b) => a + b, 0);
    if (below >= kView && position.heights.offset(target) >= 90) assert.equal(topOf(position, target), 90, `seed ${seed}`);
    else assert.ok(topOf(position, target) >= 0 && topOf(position, target) < kView, `seed ${seed}: row ${target} stands at ${topOf(position, target)}`);
  }
});

test('a target near the end is not the end: rows that turn out taller do not push it out of view', () => {
  const position = list(1000);
  position.hold({ row: 990, at: 90 });
  assert.ok(position.isAtEnd);
  mount(position, (row) => (row > 985 ? 700 : 34), numbers(3));
  assert.equal(topOf(position, 990), 90);
});

test('the end stays in view when rows are measured or come, until somebody scrolls', () => {
  const position = list(300, 'end');
  mount(position, (row) => 30 + row % 90, numbers(4));
  position.append(5000, () => 34);
  mount(position, (row) => 30 + row % 90, numbers(5));
  assert.equal(position.listTop, position.heights.total - kView);
  position.movedTo(position.listTop - 400);
  const held = position.topRow();
  const before = topOf(position, held);
  position.append(10, () => 34);
  position.heights.set(0, 900);
  position.settle();
  assert.equal(topOf(position, held), before);
});

test('rows that only begin to be there do not hold the end: one who begins at the first row stays there', () => {
  const position = list(5);
  assert.ok(position.isAtEnd);
  position.append(5000, () => 34);
  assert.equal(position.listTop, 0);
});

test('other rows keep the row that is held, and the heights that were measured', () => {
  const position = list(100);
  position.hold({ row: 50, at: 120 });
  mount(position, () => 61, numbers(6));
  position.replace(99, () => 34, (row) => (row < 20 ? row : row + 1), (row) => (row < 20 ? row : row - 1));  // row 20 is gone
  assert.equal(topOf(position, 49), 120);
  assert.equal(position.heights.height(49), 61);
});

test('a row that is touched at the end stays where it is when it is unfolded', () => {
  const position = list(100, 'end');
  const before = topOf(position, 98);
  position.holdHere(98);
  position.heights.set(98, 600);
  position.settle();
  assert.equal(topOf(position, 98), before);
});
