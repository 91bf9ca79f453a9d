// What grows. One tab of a browser holds the stream and tells the others, for a browser has six connections to a
// server and every tab's stream would take one. The stream is fetched, not an EventSource: that one sends no token.
// After a break it goes on from the last checkpoint seen, so nothing is missed and nothing comes twice.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ask, headers } from './server.ts';
import { hello, link } from './state.ts';
import { EventReader, type StreamEvent } from '../model/event_stream.ts';

export interface Grown { conversation: string; blocks: number }
// Everybody who listens hears of each. A signal would not do: its effects run later, and see only the last of several
// values that were set at once.
const listeners = new Set<(grown: Grown) => void>();
export function useGrown(listener: (grown: Grown) => void): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const hear = (grown: Grown) => latest.current(grown);
    listeners.add(hear);
    return () => { listeners.delete(hear); };
  }, []);
}
export function tellGrown(grown: Grown): void { for (const listener of listeners) listener(grown); }
export const refreshed = signal(0);  // everything may have changed: ask again

const kRetryLeast = 500;
const kRetryMost = 15_000;

// What a page shows at its first greeting it has just asked for. At a later one the stream was broken, and an answer to
// what it said last may have been lost with it.
let wasLive = false;
// The last checkpoint that this tab heard of, from its own stream or from that of another tab.
let lastId: string | undefined;

function take(event: StreamEvent): void {
  if (event.id) lastId = event.id;
  let data: unknown;
  try { data = JSON.parse(event.data || '{}'); } catch { return; }
  if (event.name === 'grown') tellGrown(data as Grown);
  else if (event.name === 'gone') refreshed.value++;
  else if (event.name === 'hello') {
    if (wasLive) refreshed.value++;
    wasLive = true;
  }
}

async function follow(tell: (event: StreamEvent) => void, signal: AbortSignal): Promise<void> {
  const response = await fetch('/api/events', {
    headers: { ...headers(), Accept: 'text/event-stream', ...(lastId ? { 'Last-Event-ID': lastId } : {}) },
    signal, cache: 'no-store', credentials: 'omit', redirect: 'error',
  });
  if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`);
  link.value = 'live';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const event of events.push(value)) tell(event);
  }
}

async function lead(channel: BroadcastChannel): Promise<never> {
  let wait = kRetryLeast;
  for (;;) {
    const abort = new AbortController();
    try {
      await follow((event) => {
        wait = kRetryLeast;
        take(event);
        channel.postMessage({ event, link: 'live' });
      }, abort.signal);
    } catch { /* tried again below */ }
    abort.abort();
    if (link.value !== 'refused') link.value = 'gone';
    channel.postMessage({ link: link.value });
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, wait);
      // A page that comes back to the eye should not wait.
      document.addEventListener('visibilitychange', () => { clearTimeout(timer); resolve(undefined); }, { once: true });
    });
    wait = Math.min(kRetryMost, wait * 2);
  }
}

export async function greet(): Promise<void> {
  try { hello.value = await ask('/api/hello', {}); } catch { /* the screen says so */ }
}

export function startLive(): void {
  const channel = new BroadcastChannel('weft.live');
  channel.onmessage = ({ data }: MessageEvent<{ event?: StreamEvent; link?: typeof link.value }>) => {
    if (data.link) link.value = data.link;
    if (data.event) take(data.event);
  };
  // Without locks (a page that is not on loopback and has no TLS) each tab has a stream while it is seen.
  if (!navigator.locks) { void lead(channel); return; }
  // A tab that does not lead is as live as the one that does; it hears of a break. If it has to lead one day, something may
  // have been said while nobody listened: its first greeting is one after a break. This is asked before the lock is: later
  // the lock could be this tab's own.
  void navigator.locks.query().then(({ held }) => {
    if (held?.some((lock) => lock.name === 'weft.live') && link.value === 'connecting') {
      link.value = 'live';
      wasLive = true;
    }
    return navigator.locks.request('weft.live', () => lead(channel));
  });
}
