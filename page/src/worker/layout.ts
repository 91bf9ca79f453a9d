// The layers of a picture, from causes above to effects below: ranks by the longest way, an order within each layer
// that keeps neighbours near each other, and places that keep them apart (after Sugiyama, Tagawa and Toda, 1981). It is
// made for some hundred boxes of one height; a general library would be a ninth of all script for this one picture.
import type { Layout } from '../model/picture.ts';

export interface Sizes { nodes: { width: number; height: number }[]; edges: { from: number; to: number }[] }

const kBetween = 18;  // pixels between boxes of a layer
const kLayers = 34;   // and between layers
const kMargin = 8;
const kSweeps = 12;
const kMostBends = 4000;

// A box, or the place where an edge passes through a layer (width 0).
interface Item { width: number; rank: number; x: number; order: number; above: Item[]; below: Item[] }

// The longest way from a thought without causes; one without causes stands right above the first that rests on it.
function ranksOf(count: number, edges: Sizes['edges']): number[] {
  const below: number[][] = Array.from({ length: count }, () => []);
  const open = new Array<number>(count).fill(0);
  for (const { from, to } of edges) { below[from]!.push(to); open[to]!++; }
  const roots = open.map((waiting) => waiting === 0);
  const rank = new Array<number>(count).fill(0);
  const done = new Array<boolean>(count).fill(false);
  const queue = [...Array(count).keys()].filter((node) => open[node] === 0);
  for (let placed = 0; placed < count; placed++) {
    // Where edges go round in a circle, which only a foreign web has, some node has to be the first.
    const node = queue.shift() ?? done.indexOf(false);
    done[node] = true;
    for (const next of below[node]!) {
      if (done[next]) continue;
      rank[next] = Math.max(rank[next]!, rank[node]! + 1);
      if (--open[next]! === 0) queue.push(next);
    }
  }
  return rank.map((own, node) => (roots[node] && below[node]!.length ? Math.min(...below[node]!.map((next) => rank[next]!)) - 1 : own));
}

const mean = (items: readonly Item[], of: (item: Item) => number) => items.reduce((sum, item) => sum + of(item), 0) / items.length;

function orderLayers(layers: Item[][]): void {
  for (const layer of layers) layer.forEach((item, at) => { item.order = at; });
  for (let sweep = 0; sweep < kSweeps; sweep++) {
    const isDown = sweep % 2 === 0;
    for (const layer of isDown ? layers : [...layers].reverse()) {
      const weight = new Map(layer.map((item) => {
        const near = isDown ? item.above : item.below;
        return [item, near.length ? mean(near, (other) => other.order) : item.order];
      }));
      layer.sort((a, b) => weight.get(a)! - weight.get(b)! || a.order - b.order);
      layer.forEach((item, at) => { item.order = at; });
    }
  }
}

// Each item as near to its neighbours as the others allow: between the leftmost and the rightmost places that are right.
function placeLayer(layer: readonly Item[], wanted: (item: Item) => number): void {
  const gap = (one: Item, next: Item) => (one.width + next.width) / 2 + kBetween;
  const left = layer.map(wanted);
  const right = [...left];
  for (let at = 1; at < layer.length; at++) left[at] = Math.max(left[at]!, left[at - 1]! + gap(layer[at - 1]!, layer[at]!));
  for (let at = layer.length - 2; at >= 0; at--) right[at] = Math.min(right[at]!, right[at + 1]! - gap(layer[at]!, layer[at + 1]!));
  layer.forEach((item, at) => { item.x = (left[at]! + right[at]!) / 2; });
}

export function layOut({ nodes, edges }: Sizes): Layout {
  if (nodes.length === 0) return { width: 0, height: 0, nodes: [], lines: [] };
  const ranks = ranksOf(nodes.length, edges);
  const items: Item[] = nodes.map(({ width }, node) => ({ width, rank: ranks[node]!, x: 0, order: 0, above: [], below: [] }));
  const layers: Item[][] = Array.from({ length: Math.max(...ranks) + 1 }, () => []);
  for (const item of items) layers[item.rank]!.push(item);
  let bends = 0;
  const ways = edges.map(({ from, to }) => {
    const way = [items[from]!];
    for (let rank = ranks[from]! + 1; rank < ranks[to]! && bends < kMostBends; rank++, bends++) {
      const bend: Item = { width: 0, rank, x: 0, order: 0, above: [], below: [] };
      layers[rank]!.push(bend);
      way.push(bend);
    }
    way.push(items[to]!);
    way.slice(1).forEach((item, at) => { if (way[at]!.rank < item.rank) { item.above.push(way[at]!); way[at]!.below.push(item); } });
    return way;
  });
  orderLayers(layers);
  for (const layer of layers) placeLayer(layer, () => 0);
  for (let sweep = 0; sweep < kSweeps; sweep++) {
    const near = (item: Item) => (sweep % 3 === 0 ? item.above : sweep % 3 === 1 ? item.below : [...item.above, ...item.below]);
    for (const layer of sweep % 3 === 1 ? [...layers].reverse() : layers) placeLayer(layer, (item) => (near(item).length ? mean(near(item), (other) => other.x) : item.x));
  }
  const all = layers.flat();
  const start = Math.min(...all.map((item) => item.x - item.width / 2)) - kMargin;
  const tall = Math.max(...nodes.map(({ height }) => height));
  const top = (item: Item) => kMargin + item.rank * (tall + kLayers);
  const x = (item: Item) => Math.round(item.x - start);
  return {
    width: Math.round(Math.max(...all.map((item) => item.x + item.width / 2)) - start + kMargin),
    height: layers.length * (tall + kLayers) - kLayers + 2 * kMargin,
    nodes: items.map((item) => ({ x: x(item), y: top(item) + tall / 2 })),
    lines: ways.map((way) => way.flatMap((item, at): [number, number][] => {
      if (at === 0) return [[x(item), top(item) + tall]];
      if (at === way.length - 1) return [[x(item), top(item)]];
      return [[x(item), top(item)], [x(item), top(item) + tall]];
    })),
  };
}
