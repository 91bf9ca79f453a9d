// Markdown to a tree of allowed nodes. markdown-it reads the text into tokens and its renderer, which would write
// markup, is never called. Markup inside a transcript stays the text that it is.
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { visible } from '../model/signs.ts';
import { kTags, safeLink, type Node, type Tag } from './tree.ts';

const parser = new MarkdownIt({ html: false, linkify: true, typographer: false, breaks: false });
parser.set({ maxNesting: 60 } as object);
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });  // whole addresses only, no guesses
// The page decides what may be followed (safeLink). A link that may not be is shown as its words.
parser.validateLink = () => true;

const kKnown = new Set<string>(kTags);
type Open = { children: Node[] };

function alignOf(token: Token): 'left' | 'center' | 'right' | undefined {
  const found = /text-align:(left|center|right)/.exec(String(token.attrGet('style') ?? ''));
  return found ? found[1] as 'left' | 'center' | 'right' : undefined;
}

function opened(token: Token): Node & Open {
  if (token.tag === 'a') {
    const address = safeLink(String(token.attrGet('href') ?? ''));
    return address ? { link: address, children: [] } : { tag: 'em', children: [] };
  }
  if (!kKnown.has(token.tag)) return { tag: 'p', children: [] };
  const node: Node & Open = { tag: token.tag as Tag, children: [] };
  const start = Number(token.attrGet('start') ?? 1);
  if (token.tag === 'ol' && start !== 1 && Number.isSafeInteger(start)) return { ...node, start };
  const align = alignOf(token);
  return align ? { ...node, align } : node;
}

function build(tokens: readonly Token[]): Node[] {
  const root: Open = { children: [] };
  const path: Open[] = [root];
  const add = (node: Node) => { path.at(-1)!.children.push(node); };
  for (const token of tokens) {
    if (token.hidden) continue;  // the paragraphs of a tight list
    if (token.nesting === 1) {
      const node = opened(token);
      add(node);
      path.push(node);
    } else if (token.nesting === -1) {
      if (path.length > 1) path.pop();
    } else {
      leaf(token, add);
    }
  }
  return root.children;
}

function leaf(token: Token, add: (node: Node) => void): void {
  switch (token.type) {
    case 'inline': build(token.children ?? []).forEach(add); return;
    case 'softbreak': add('\n'); return;
    case 'hardbreak': add({ tag: 'br', children: [] }); return;
    case 'hr': add({ tag: 'hr', children: [] }); return;
    case 'code_inline': add({ tag: 'code', children: [visible(token.content)] }); return;
    case 'code_block': add({ fence: visible(token.content), language: '' }); return;
    case 'fence': add({ fence: visible(token.content), language: (/^[\w+#.-]{1,30}/.exec(token.info.trim()) ?? [''])[0]! }); return;
    case 'image': add({ image: visible(String(token.attrGet('src') ?? '')), alt: visible(token.content) }); return;
    default: if (token.content) add(visible(token.content));
  }
}

export function markdownTree(text: string): Node[] {
  return build(parser.parse(text, {}));
}
