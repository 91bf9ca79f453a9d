// What the worker answers, as a function: a page that runs from a file has no worker and calls it itself.
import { diffLines, markChangedWords } from '../model/diff.ts';
import { highlight } from './highlight.ts';
import { layOut } from './layout.ts';
import { markdownTree } from './markdown.ts';
import type { Answer, Ask } from './messages.ts';
import type { Node } from './tree.ts';

function colour(nodes: Node[]): void {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    if ('fence' in node) node.spans = highlight(node.fence, node.language.toLowerCase());
    else if ('children' in node) colour(node.children);
  }
}

export function answer(ask: Ask): Answer {
  if ('markdown' in ask) {
    const tree = markdownTree(ask.markdown);
    colour(tree);
    return { id: ask.id, tree };
  }
  if ('code' in ask) return { id: ask.id, pieces: highlight(ask.code, ask.language) };
  if ('graph' in ask) return { id: ask.id, layout: layOut(ask.graph) };
  if ('hunks' in ask) return { id: ask.id, marked: ask.hunks.map(markChangedWords) };
  return { id: ask.id, lines: diffLines(ask.before, ask.after) };
}
