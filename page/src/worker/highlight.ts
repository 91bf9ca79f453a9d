// Colours of code as pieces of text with classes. highlight.js keeps its result as a tree of scopes; the string of
// markup that it could write is never asked for. Long texts and unknown languages stay plain.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { own } from '../model/own.ts';
import type { Piece } from './tree.ts';

const kLanguages = { bash, c, cpp, css, diff, dockerfile, go, ini, java, javascript, json, markdown, python, ruby, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(kLanguages)) hljs.registerLanguage(name, language);

export const kMostCharacters = 50_000;
const kMostLines = 800;

// The few scopes that a theme colours; others look like plain text.
const kScopes: Record<string, string> = {
  keyword: 'keyword', 'variable.language': 'keyword', literal: 'literal', number: 'literal', string: 'string', regexp: 'string',
  'char.escape': 'literal', subst: '', comment: 'comment', quote: 'comment', doctag: 'comment', title: 'name', 'title.function': 'name',
  'title.class': 'type', 'title.class.inherited': 'type', type: 'type', built_in: 'type', attr: 'attribute', attribute: 'attribute',
  name: 'keyword', tag: '', symbol: 'literal', meta: 'comment', section: 'name', addition: 'added', deletion: 'removed',
  'selector-tag': 'keyword', 'selector-class': 'name', 'selector-id': 'name', variable: 'attribute', bullet: 'literal', strong: 'name',
};

interface Scope { scope?: string; children: (Scope | string)[] }

export function knowsLanguage(language: string): boolean {
  return language !== '' && hljs.getLanguage(language) !== undefined;
}

export function highlight(code: string, language: string): Piece[] | undefined {
  if (code.length > kMostCharacters || !knowsLanguage(language)) return undefined;
  if (code.split('\n', kMostLines + 1).length > kMostLines) return undefined;
  const result = hljs.highlight(code, { language, ignoreIllegals: true });
  const root = (result as unknown as { _emitter?: { rootNode?: Scope } })._emitter?.rootNode;
  if (!root) return undefined;
  const pieces: Piece[] = [];
  const walk = (node: Scope | string, classes: string): void => {
    if (typeof node === 'string') {
      const last = pieces.at(-1);
      if (last && last.classes === classes) last.text += node;
      else pieces.push({ text: node, classes });
      return;
    }
    const known = node.scope === undefined ? undefined : own(kScopes, node.scope);
    const inside = known ? `code-${known}` : known === '' ? '' : classes;
    for (const child of node.children) walk(child, inside);
  };
  walk(root, '');
  return pieces;
}
