// Why, and what came of it, as rows: an outline (each thought under the one that led to it) and lanes in time, which
// are those of the reader's gutter over another set of rows.
import type { Outline, Reached } from '../data/types.ts';
import { kindOf } from './format.ts';

export interface TraceRow { thought: Reached; indent: number }

// How many thoughts hang below each. They come in order of depth, so children come after what led to them.
function sizes(thoughts: readonly Reached[]): Map<string, number> {
  const size = new Map(thoughts.map((thought) => [thought.cid, 1]));
  for (const thought of [...thoughts].sort((a, b) => b.depth - a.depth)) {
    const from = thought.reached_from;
    if (from !== undefined && size.has(from)) size.set(from, size.get(from)! + size.get(thought.cid)!);
  }
  return size;
}

// Depth first, each thought under the one that led to it. Where several were reached from one, the longest line of them
// goes on without an indent and the short ones stand before it: a chain of a hundred causes stays a list.
export function traceOutline(thoughts: readonly Reached[], most = 2000): TraceRow[] {
  const size = sizes(thoughts);
  const byCid = new Map(thoughts.map((thought) => [thought.cid, thought]));
  const children = new Map<string, Reached[]>();
  for (const thought of thoughts) {
    if (thought.reached_from === undefined || !byCid.has(thought.reached_from)) continue;
    const list = children.get(thought.reached_from) ?? [];
    list.push(thought);
    children.set(thought.reached_from, list);
  }
  const rows: TraceRow[] = [];
  const seen = new Set<string>();
  const queue: { thought: Reached; indent: number }[] = thoughts.filter((thought) => thought.depth === 0).map((thought) => ({ thought, indent: 0 }));
  while (queue.length && rows.length < most) {
    const { thought, indent } = queue.shift()!;
    if (seen.has(thought.cid)) continue;
    seen.add(thought.cid);
    rows.push({ thought, indent });
    const next = [...(children.get(thought.cid) ?? [])].sort((a, b) => size.get(a.cid)! - size.get(b.cid)!);
    queue.unshift(...next.map((child, at) => ({ thought: child, indent: indent + (at < next.length - 1 ? 1 : 0) })));
  }
  return rows;
}

// The same thoughts in time, as an outline that lanes can be drawn of. Time goes down.
export function traceInTime(thoughts: readonly Reached[]): { outline: Outline; order: Reached[] } {
  const order = [...new Map(thoughts.map((thought) => [thought.cid, thought])).values()]
    .map((thought, at) => ({ thought, at }))
    .sort((a, b) => a.thought.created_at - b.thought.created_at || b.thought.depth - a.thought.depth || a.at - b.at)
    .map(({ thought }) => thought);
  const rowOf = new Map(order.map((thought, row) => [thought.cid, row]));
  const kinds: string[] = [];
  const kind = order.map((thought) => {
    const name = kindOf(thought.type);
    if (!kinds.includes(name)) kinds.push(name);
    return kinds.indexOf(name);
  });
  const causes = order.map((thought, row) => thought.because.map((reference) => row - (rowOf.get(reference.thought_cid) ?? row)).filter((distance) => distance > 0));
  const none = order.map(() => null);
  return {
    order,
    outline: {
      conversation_cid: '', count: order.length, from: 0, kinds, tools: [], flags: [], elsewhere: [],
      columns: { kind, time: order.map((thought) => thought.created_at), duration_ms: none, length: none, tool: none, flags: order.map(() => 0), turn: order.map(() => 0), causes },
    },
  };
}

const kColours = /\u001b\[[0-9;]*m/g;  // of terminals

const kNumbers = /(?:^|\n)\s*\d+→/g;     // of lines that a tool read

// One line about a thought, whatever it is.
export function lineAbout(thought: { type: string; content: Record<string, unknown> }): string {
  const { content } = thought;
  for (const name of ['text', 'reasoning', 'summary', 'result_text', 'name', 'relation']) {
    const value = content[name];
    if (typeof value === 'string' && value !== '') return value.replace(kColours, '').replace(kNumbers, ' ');
  }
  if (Array.isArray(content.summaries)) return content.summaries.join(' ');
  if (kindOf(thought.type) === 'redacted_thinking') return 'encrypted by the provider';
  if (content.withheld === true) return 'withheld by the provider';
  if (kindOf(thought.type) === 'tool_result' && content.result_text !== undefined) return 'no output';
  if (content.$layers !== undefined) return 'sealed';
  return JSON.stringify(content);
}
