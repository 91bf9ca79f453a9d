// Markdown as elements, one by one from the worker's tree. Until the tree comes, and if it never does, the text is
// shown as it is.
import { Fragment, h, type ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { keptTree, markdown } from '../data/work.ts';
import { visible } from '../model/signs.ts';
import { hostOf, kTags, safeLink, type Node } from '../worker/tree.ts';
import { Code } from './code.tsx';
import { Icon } from './icon.tsx';

const kAllowed = new Set<string>(kTags);
// A heading inside an answer is a heading below the page's own.
const kShown: Record<string, string> = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', h6: 'h6' };

export function ExternalLink({ address, children }: { address: string; children?: ComponentChild }) {
  const checked = safeLink(address);
  if (!checked) return <span>{children ?? visible(address)}</span>;
  return <a class="out" href={checked} target="_blank" rel="noopener noreferrer" title={checked}>{children ?? visible(address)}</a>;
}

function element(node: Node, key: number): ComponentChild {
  if (typeof node === 'string') return node;
  if ('fence' in node) return <Code key={key} text={node.fence.replace(/\n$/, '')} language={node.language} pieces={node.spans} />;
  if ('link' in node) return <ExternalLink key={key} address={node.link}>{node.children.map(element)}</ExternalLink>;
  if ('image' in node) {
    return <span key={key} class="no-image"><Icon name="image" /> {node.alt || 'image'}{hostOf(node.image) && ` (at ${hostOf(node.image)}, not loaded)`}</span>;
  }
  if (!kAllowed.has(node.tag)) return <Fragment key={key}>{node.children.map(element)}</Fragment>;
  const children = node.children.map(element);
  if (node.tag === 'table') return <div key={key} class="table-box" tabIndex={0} role="region" aria-label="table">{h('table', {}, children)}</div>;
  const properties: Record<string, unknown> = { key };
  if (node.start !== undefined) properties.start = node.start;
  if (node.align) properties.class = `align-${node.align}`;
  const tag = kShown[node.tag] ?? node.tag;
  return node.tag === 'hr' || node.tag === 'br' ? h(tag, properties) : h(tag, properties, children);
}

export function Markdown({ text }: { text: string }) {
  const [, setTree] = useState<Node[] | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    if (!keptTree(text)) void markdown(text).then((made) => { if (isCurrent) setTree(made); });
    return () => { isCurrent = false; };
  }, [text]);
  const shown = keptTree(text);
  if (!shown) return <div class="markdown plain">{visible(text)}</div>;
  return <div class="markdown">{shown.map(element)}</div>;
}
