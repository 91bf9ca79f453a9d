// Questions to the server: GET, JSON, cancellable. An answer is never kept on disk: the server says no-store, and
// the page writes none of it anywhere.
import { builtBy, link, wasUpdated } from './state.ts';

export class AnswerError extends Error {
  constructor(readonly code: string, message: string, readonly status: number) { super(message); }
}

export type Parameters = Record<string, string | number | boolean | null | undefined>;

export function apiPath(path: string, parameters: Parameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null || value === undefined || value === false || value === '') continue;
    query.set(name, String(value));
  }
  const text = query.toString();
  return `/api${path}${text ? `?${text}` : ''}`;
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
  if (response.status === 401 || response.status === 403) link.value = 'refused';
  let code = 'internal';
  let message = `the server answered ${response.status}`;
  try {
    const body = await response.json() as { error?: { code?: string; message?: string } };
    code = body.error?.code ?? code;
    message = body.error?.message ?? message;
  } catch { /* not JSON: the status has to do */ }
  throw new AnswerError(code, message, response.status);
}

export async function ask<T>(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<T> {
  const response = await request(apiPath(path, parameters), signal);
  return await response.json() as T;
}

// The answer as it was written, for checks that must not round a number.
export async function askText(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<string> {
  return (await request(apiPath(path, parameters), signal)).text();
}
