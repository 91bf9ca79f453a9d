import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reached } from '../data/types.ts';
import { layOut } from '../worker/layout.ts';
import { graphOf } from './picture.ts';

const thought = (cid: string, depth: number, because: string[], more: Partial<Reached> = {}): Reached => ({
  cid, depth, type: 'x/response', content: {}, created_by: '', created_at: depth, signature: '', because: because.map((name) => ({ thought_cid: name })), ...more });

test('edges lead from a cause to what rests on it, across conversations, too, and each is there once', () => {
  const graph = graphOf([thought('a', 0, ['b', 'c']), thought('b', 1, ['c'], { reached_by: 'because', reached_from: 'a' }), thought('c', 1, []),
    thought('d', 2, [], { reached_by: 'spawns', reached_from: 'c' }), thought('a', 0, ['b', 'c'])], 'why');
  assert.deepEqual(graph.nodes.map((node) => node.cid), ['a', 'b', 'c', 'd']);
  assert.deepEqual(graph.edges.map(({ from, to, by }) => `${graph.nodes[from]!.cid}>${graph.nodes[to]!.cid} ${by}`).sort(), ['b>a because', 'c>a because', 'c>b because', 'd>c spawns']);
});

test('the nearest are drawn, and edges to those that are not are left out', () => {
  const chain = Array.from({ length: 500 }, (_, at) => thought(`t${at}`, at, at < 499 ? [`t${at + 1}`] : []));
  const graph = graphOf(chain, 'why');
  assert.equal(graph.nodes.length, 300);
  assert.equal(graph.edges.length, 299);
});

test('a layout puts every cause above what rests on it, and no node onto another', () => {
  const nodes = Array.from({ length: 60 }, (_, at) => thought(`t${at}`, at, [at + 1, at + 2, at + 7].filter((to) => to < 60).map((to) => `t${to}`)));
  const { edges } = graphOf(nodes, 'why');
  const layout = layOut({ nodes: nodes.map(() => ({ width: 180, height: 44 })), edges });
  for (const { from, to } of edges) assert.ok(layout.nodes[from]!.y < layout.nodes[to]!.y);
  layout.nodes.forEach((one, i) => layout.nodes.slice(i + 1).forEach((other) => assert.ok(Math.abs(one.x - other.x) >= 180 || Math.abs(one.y - other.y) >= 44)));
  assert.ok(layout.nodes.every(({ x, y }) => x >= 90 && y >= 22 && x <= layout.width - 90 && y <= layout.height - 22));
  assert.equal(layout.lines.length, edges.length);
});

test('three hundred thoughts with many causes each are laid out in time, and a circle does no harm', () => {
  const nodes = Array.from({ length: 300 }, () => ({ width: 190, height: 46 }));
  const edges = nodes.flatMap((_, to) => [1, 2, 5, 20, 60].filter((by) => to - by >= 0).map((by) => ({ from: to - by, to })));
  const before = process.cpuUsage();
  const layout = layOut({ nodes, edges: [...edges, { from: 299, to: 3 }] });
  const { user, system } = process.cpuUsage(before);
  assert.equal(layout.nodes.length, 300);
  assert.ok(layout.lines.every((line) => line.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y))));
  assert.ok(user + system < 1_500_000, `${(user + system) / 1000} ms of work`);
});
