// The signals that all screens share: where one is, what is chosen, what the server said of itself, what is live.
// The URL is the truth for where one is; everything else is derived from it or from an answer.
import { computed, signal } from '@preact/signals';
import { readSettings, showSettings, writeSettings, type Settings } from './settings.ts';
import type { Hello } from './types.ts';

// --- where ---------------------------------------------------------------------------------------------------------

export interface Place { path: string; query: URLSearchParams; key: string }

const isPage = typeof location !== 'undefined';
const placeNow = (): Place => ({
  path: isPage ? location.pathname : '/',
  query: new URLSearchParams(isPage ? location.search : ''),
  key: isPage ? String((history.state as { key?: string } | null)?.key ?? 'first') : 'first',
});
export const place = signal<Place>(placeNow());
if (isPage) window.addEventListener('popstate', () => { place.value = placeNow(); });

let keys = 0;
const newKey = () => `${Date.now().toString(36)}-${keys++}`;

export function go(url: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') {
    history.pushState({ key: newKey() }, '', url);
    window.scrollTo(0, 0);
  } else {
    history.replaceState({ key: place.value.key }, '', url);
  }
  place.value = placeNow();
}

// Changes some of the query of the URL; null removes.
export function setQuery(changes: Record<string, string | null>, how: 'push' | 'replace' = 'replace'): void {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  go(place.value.path + (text ? `?${text}` : ''), how);
}

// What a screen wants back when one returns to it: the list as it was. In memory only, by entry of the history.
const kept = new Map<string, unknown>();
const kMostKept = 50;
export function keep(name: string, value: unknown): void {
  const key = `${place.value.key} ${name}`;
  kept.delete(key);
  kept.set(key, value);
  if (kept.size > kMostKept) kept.delete(kept.keys().next().value!);
}
export function keptBefore<T>(name: string): T | undefined {
  return kept.get(`${place.value.key} ${name}`) as T | undefined;
}

// --- chosen --------------------------------------------------------------------------------------------------------

export const settings = signal<Settings>(isPage ? readSettings() : { theme: 'system', density: 'cosy', size: 100, keys: 'on', level: 2 });
export function choose(changes: Partial<Settings>): void {
  settings.value = { ...settings.value, ...changes };
  writeSettings(settings.value);
  showSettings(settings.value);
}

// --- the server ----------------------------------------------------------------------------------------------------

export const hello = signal<Hello | undefined>(undefined);
export type Link = 'connecting' | 'live' | 'gone' | 'refused';
export const link = signal<Link>('connecting');
export const builtBy = signal<string | undefined>(undefined);  // the first build seen; another one means an update
export const wasUpdated = signal(false);
export const isSealedOpen = computed(() => hello.value?.keys === 'content');

// A URL stays in the browser's history: while sealed text is open, the words of a search are handed over without it.
export function startSearch(words: string): void {
  go(isSealedOpen.value ? '/search' : `/search?q=${encodeURIComponent(words)}`);
  keep('words', words);
}

// A line for screen readers and the corner of the eye: "12 new", "copied".
export const notice = signal('');
let noticeTimer: ReturnType<typeof setTimeout> | undefined;
export function say(text: string): void {
  notice.value = text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { notice.value = ''; }, 4000);
}

export const isPaletteOpen = signal(false);
export const isHelpOpen = signal(false);
