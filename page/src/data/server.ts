// Questions to the server: GET, JSON, cancellable. An answer is never kept on disk: the server says no-store, and
// the page writes none of it anywhere.
import type { Api, Days, Stats } from './api.ts';
import { builtBy, link, wasUpdated } from './state.ts';

export class AnswerError extends Error {
  constructor(readonly code: string, message: string, readonly status: number) { super(message); }
}

export type Route = keyof Api;
export type Parameters<R extends Route> = Api[R]['parameters'];

// The address of a question: parameters fill what the route leaves open; the others are its query.
export function addressOf<R extends Route>(route: R, parameters: Parameters<R>): string {
  const rest = new Map(Object.entries(parameters as Record<string, unknown>));
  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of rest) {
    if (value !== null && value !== undefined && value !== false && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return `${path}${text ? `?${text}` : ''}`;
}

// A token comes in the fragment of the first address, where no server and no log sees it, and leaves it at once.
const kToken = 'weft.token';
export function adoptToken(): void {
  const found = /^#token=([\w.~+/=-]+)$/.exec(location.hash);
  if (!found) return;
  try { sessionStorage.setItem(kToken, found[1]!); } catch { /* asked for again in the next tab */ }
  history.replaceState(history.state, '', location.pathname + location.search);
}
export function headers(): Record<string, string> {
  let token: string | null = null;
  try { token = sessionStorage.getItem(kToken); } catch { /* none */ }
  return token ? { Authorization: `Bearer ${token}` } : {};
}
export function useToken(token: string): void {
  try { sessionStorage.setItem(kToken, token); } catch { /* none */ }
}
export function tokenNow(): string | null {
  try { return sessionStorage.getItem(kToken); } catch { return null; }
}

function noteBuild(response: Response): void {
  const build = response.headers.get('X-Weft-Build');
  if (!build) return;
  if (builtBy.value === undefined) builtBy.value = build;
  else if (builtBy.value !== build) wasUpdated.value = true;
}

async function request(path: string, signal?: AbortSignal): Promise<Response> {
  const token = tokenNow();
  let response: Response;
  try {
    response = await fetch(path, { headers: headers(), signal, cache: 'no-store', credentials: 'omit', redirect: 'error' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    link.value = 'gone';
    throw new AnswerError('unavailable', 'weft does not answer. Is it still running?', 0);
  }
  noteBuild(response);
  if (response.ok) return response;
  // Another tab handed on its token while this question was on its way.
  if (response.status === 401 && tokenNow() !== token) return request(path, signal);
  // Who is refused at the door gets no answer of a route, which names its build.
  if (response.status === 401 || (response.status === 403 && !response.headers.has('X-Weft-Build'))) link.value = 'refused';
  let code = 'internal';
  let message = `the server answered ${response.status}`;
  try {
    const body = await response.json() as { error?: { code?: string; message?: string } };
    code = body.error?.code ?? code;
    message = body.error?.message ?? message;
  } catch { /* not JSON: the status has to do */ }
  throw new AnswerError(code, message, response.status);
}

export async function ask<R extends Route>(route: R, parameters: Parameters<R>, signal?: AbortSignal): Promise<Api[R]['answer']> {
  const response = await request(addressOf(route, parameters), signal);
  return await response.json() as Api[R]['answer'];
}

// The answer as it was written, for checks that must not round a number.
export async function askText<R extends Route>(route: R, parameters: Parameters<R>, signal?: AbortSignal): Promise<string> {
  return (await request(addressOf(route, parameters), signal)).text();
}

// The bytes of an attachment, if the server says that they are an image that a browser may show.
export async function askImage(cid: string, signal?: AbortSignal): Promise<Blob | undefined> {
  const bytes = await (await request(`/api/thoughts/${encodeURIComponent(cid)}/bytes`, signal)).blob();
  return /^image\/(png|jpeg|gif|webp)$/.test(bytes.type) ? bytes : undefined;
}

// One route answers in all or by day; each asker wants one of the two.
export async function askStats(signal?: AbortSignal): Promise<Stats> {
  const answer = await ask('/api/stats', {}, signal);
  if ('days' in answer) throw new AnswerError('internal', 'the server counted by day', 200);
  return answer;
}
export async function askDays(signal?: AbortSignal): Promise<Days> {
  const answer = await ask('/api/stats', { by: 'day' }, signal);
  if (!('days' in answer)) throw new AnswerError('internal', 'the server did not count by day', 200);
  return answer;
}
