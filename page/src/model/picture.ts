// A neighbourhood as a picture: which thoughts are nodes, and which edges join them. Causes are above what rests on them.
import type { Reached } from '../data/types.ts';

export const kMostNodes = 300;

export interface Edge { from: number; to: number; by: string }
export interface Graph { nodes: Reached[]; edges: Edge[] }
// Places of nodes (their middles) and lines of edges, in pixels.
export interface Layout { width: number; height: number; nodes: { x: number; y: number }[]; lines: [number, number][][] }

// The nearest thoughts, at most `most`. An edge leads from a cause to what rests on it: by `because`, or by the relation
// that the trace followed from one conversation into another.
export function graphOf(thoughts: readonly Reached[], direction: 'why' | 'effects', most = kMostNodes): Graph {
  const nodes = [...new Map(thoughts.map((thought) => [thought.cid, thought])).values()].sort((a, b) => a.depth - b.depth).slice(0, most);
  const numberOf = new Map(nodes.map((thought, number) => [thought.cid, number]));
  const edges = new Map<string, Edge>();
  const add = (from: number | undefined, to: number | undefined, by: string) => {
    if (from !== undefined && to !== undefined && from !== to && !edges.has(`${from} ${to}`)) edges.set(`${from} ${to}`, { from, to, by });
  };
  nodes.forEach((thought, number) => {
    for (const reference of thought.because) add(numberOf.get(reference.thought_cid), number, 'because');
    const other = numberOf.get(thought.reached_from ?? '');
    if (thought.reached_by === undefined || thought.reached_by === 'because') return;
    if (direction === 'why') add(number, other, thought.reached_by);
    else add(other, number, thought.reached_by);
  });
  return { nodes, edges: [...edges.values()] };
}
