// The search field: what is sent for what is typed, and what completes the word under the cursor. No query is wrong:
// whatever is typed is searched.
import type { Hits } from '../data/types.ts';
import { own } from './own.ts';

export const kFilters = ['type:', 'tool:', 'project:', 'session:', 'role:', 'since:', 'until:'] as const;

const kValues: Record<string, string[]> = {
  'type:': ['human_input', 'response', 'thinking', 'tool_request', 'tool_result', 'system_input', 'attachment', 'compaction', 'summary', 'failure'],
  'role:': ['human', 'assistant', 'system'],
  'since:': ['today', 'yesterday', '7d', '30d'],
  'until:': ['today', 'yesterday'],
};

export interface Completion { text: string; query: string; cursor: number }
interface Word { from: number; to: number; text: string }

// The word that the cursor stands in or right after.
export function wordAt(query: string, cursor: number): Word {
  let from = cursor;
  while (from > 0 && !/\s/.test(query[from - 1]!)) from--;
  let to = cursor;
  while (to < query.length && !/\s/.test(query[to]!)) to++;
  return { from, to, text: query.slice(from, to) };
}

// `known`: values of project: and tool: that the store has.
export function completions(query: string, cursor: number, known: Record<string, string[]> = {}): Completion[] {
  const word = wordAt(query, cursor);
  if (word.text === '') return [];
  const replace = (text: string, isWhole: boolean): Completion => {
    const written = text + (isWhole ? ' ' : '');
    const rest = query.slice(word.to).replace(/^\s+/, '');
    return { text, query: query.slice(0, word.from) + written + rest, cursor: word.from + written.length };
  };
  const minus = word.text.startsWith('-') ? '-' : '';
  const plain = word.text.slice(minus.length);
  const colon = plain.indexOf(':');
  if (colon < 0) {
    return kFilters.filter((name) => plain !== '' && name.startsWith(plain.toLowerCase())).map((name) => replace(minus + name, false));
  }
  const name = plain.slice(0, colon + 1).toLowerCase();
  const begun = plain.slice(colon + 1).replace(/^"/, '').toLowerCase();
  const values = own(known, name) ?? own(kValues, name) ?? [];
  return values.filter((value) => value.toLowerCase().startsWith(begun) && value.toLowerCase() !== begun).slice(0, 8)
    .map((value) => replace(minus + name + (/\s/.test(value) ? `"${value}"` : value), true));
}

// What is sent while somebody types: the last word, if it is unfinished, as a beginning of a word. Sealed text can
// only be searched by whole words, so a pause sends the query as it stands.
export function whileTyping(query: string): string {
  const last = wordAt(query, query.length);
  if (!/^\p{L}[\p{L}\p{N}]+$/u.test(last.text) || /^(AND|OR|NOT)$/.test(last.text)) return query;
  const quotes = query.slice(0, last.from).split('"').length - 1;
  return quotes % 2 === 1 ? query : `${query}*`;
}

// Hits of the whole words (which sealed text needs) before those of words that only begin so, each once. The rest is
// paged as the second ones are: they are the more.
export function joinHits(whole: Hits, begun: Hits): Hits {
  const known = new Set(whole.results.map((hit) => hit.cid));
  const notes = [...new Set([...(whole.notes ?? []), ...(begun.notes ?? [])])];
  return {
    ...begun,
    total: Math.max(whole.total, begun.total),
    results: [...whole.results, ...begun.results.filter((hit) => !known.has(hit.cid))],
    ...(notes.length ? { notes } : {}),
  };
}

export interface Filter { name: string; value: string; text: string }

// The filters in a query, as chips, and the query without one of them.
export function filtersOf(query: string): Filter[] {
  const found = query.matchAll(/(?:^|\s)(-?(?:type|tool|project|session|role|since|until):)("[^"]*"|\S+)/gi);
  return [...found].map(([, name, value]) => ({ name: name!, value: value!.replace(/"/g, ''), text: name! + value! }));
}
export function withoutFilter(query: string, filter: Filter): string {
  return query.replace(filter.text, '').replace(/\s+/g, ' ').trim();
}
export function withFilter(query: string, name: string, value: string): string {
  const text = `${name}${/\s/.test(value) ? `"${value}"` : value}`;
  return query.split(/\s+/).includes(text) ? query : `${query.trim()} ${text}`.trim();
}

// Narrowed to one month, "2026-11": other times in the query are replaced.
export function withMonth(query: string, month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const rest = filtersOf(query).filter(({ name }) => name === 'since:' || name === 'until:').reduce(withoutFilter, query);
  return withFilter(withFilter(rest, 'since:', `${month}-01`), 'until:', `${month}-${last}`);
}
