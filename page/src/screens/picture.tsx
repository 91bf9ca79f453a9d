// The picture of a neighbourhood: causes above, in layers, with the session of each thought named where it changes. Boxes
// are links in an SVG, so that they can be focused, read aloud and followed like the rows of the outline.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pictureOf } from '../data/work.ts';
import type { Reached } from '../data/types.ts';
import { clock, digits, fullTime, kindName, kindOf, plural } from '../model/format.ts';
import { graphOf, kMostNodes, type Graph, type Layout } from '../model/picture.ts';
import { oneLine } from '../model/signs.ts';
import { toolCall } from '../model/tools.ts';
import { lineAbout } from '../model/trace.ts';
import { Waiting } from '../parts/states.tsx';
import { toneOf, type Direction } from './trace.tsx';

const kWidth = 190;
const kHeight = 46;
const kMostWords = 27;

function wordsOf(thought: Reached): [string, string] {
  const kind = kindOf(thought.type);
  if (kind !== 'tool_request') return [kindName(kind), oneLine(lineAbout(thought), 80)];
  const call = toolCall(thought.content);
  return [call.name, call.line];
}
const cut = (text: string, most: number) => ([...text].length > most ? `${[...text].slice(0, most - 1).join('')}…` : text);

// A line through its points, rounded: each inner point is the handle between two middles.
function pathOf(points: [number, number][]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1)!;
  const inner = rest.slice(0, -1);
  const middles = inner.map(([x, y], at) => { const [nx, ny] = inner[at + 1] ?? last; return [(x + nx) / 2, (y + ny) / 2]; });
  return `M${first!.join(' ')}${inner.map(([x, y], at) => `Q${x} ${y} ${middles[at]!.join(' ')}`).join('')}L${last.join(' ')}`;
}

function Box({ thought, at, isStart }: { thought: Reached; at: { x: number; y: number }; isStart: boolean }) {
  const [name, line] = wordsOf(thought);
  const tone = toneOf(kindOf(thought.type));
  return (
    <a href={`/t/${digits(thought.cid)}`} class={`box ${tone}${isStart ? ' start' : ''}`} aria-current={isStart ? 'true' : undefined}>
      <title>{`${name}, ${fullTime(thought.created_at)}\n${line}`}</title>
      <rect x={at.x - kWidth / 2} y={at.y - kHeight / 2} width={kWidth} height={kHeight} rx="5" />
      <text x={at.x - kWidth / 2 + 9} y={at.y - 5} class="box-name">{cut(name, 20)}</text>
      <text x={at.x + kWidth / 2 - 9} y={at.y - 5} class="box-time" text-anchor="end">{clock(thought.created_at)}</text>
      <text x={at.x - kWidth / 2 + 9} y={at.y + 13} class="box-line">{cut(line, kMostWords)}</text>
    </a>
  );
}

// In the middle of its line.
function Label({ words, line }: { words: string; line: [number, number][] }) {
  const middle = line.length / 2;
  const [[x, y], [nx, ny]] = [line[Math.ceil(middle) - 1]!, line[Math.floor(middle)]!];
  return <text x={(x + nx) / 2 + 6} y={(y + ny) / 2}>{words}</text>;
}

function Drawing({ graph, layout, label }: { graph: Graph; layout: Layout; label: string }) {
  // What was asked about is in view: of causes it is below all others.
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const start = layout.nodes[graph.nodes.findIndex((node) => node.depth === 0)];
    if (start && box.current) box.current.scrollTo(start.x - box.current.clientWidth / 2, start.y - box.current.clientHeight / 2);
  }, [layout]);
  return (
    <div ref={box} class="picture-box" tabIndex={0} role="region" aria-label={label}>
      <svg class="graph" width={layout.width} height={layout.height} viewBox={`0 0 ${layout.width} ${layout.height}`} role="group" aria-label={label}>
        <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8Z" /></marker></defs>
        {graph.edges.map((edge, at) => (
          <g key={at} class={edge.by === 'because' ? 'edge' : 'edge join'}>
            <path d={pathOf(layout.lines[at]!)} marker-end="url(#arrow)" />
            {edge.by !== 'because' && <Label words={edge.by} line={layout.lines[at]!} />}
          </g>
        ))}
        {graph.nodes.map((thought, at) => <Box key={thought.cid} thought={thought} at={layout.nodes[at]!} isStart={thought.depth === 0} />)}
      </svg>
    </div>
  );
}

export function Picture({ thoughts, direction }: { thoughts: Reached[]; direction: Direction }) {
  const graph = useMemo(() => graphOf(thoughts, direction), [thoughts, direction]);
  const [layout, setLayout] = useState<{ graph: Graph; made: Layout | undefined } | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    const sizes = { nodes: graph.nodes.map(() => ({ width: kWidth, height: kHeight })), edges: graph.edges.map(({ from, to }) => ({ from, to })) };
    void pictureOf(sizes).then((made) => { if (isCurrent) setLayout({ graph, made }); });
    return () => { isCurrent = false; };
  }, [graph]);
  if (layout?.graph !== graph) return <Waiting what="the picture" />;
  if (!layout.made) return <p class="quiet">This neighbourhood is too tangled to draw in time. The outline has all of it.</p>;
  const left = thoughts.length - graph.nodes.length;
  return (
    <>
      {left > 0 && <p class="quiet">The nearest {kMostNodes} are drawn; {plural(left, 'more thought')} in the outline.</p>}
      <Drawing graph={graph} layout={layout.made} label={`picture of ${plural(graph.nodes.length, 'thought')}, causes above`} />
    </>
  );
}
