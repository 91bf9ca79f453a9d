// The page's side of the worker. Each question has a deadline; a worker that misses it is ended and replaced, and
// the text stays as plain text. Results are kept for a while, so that scrolling back does not flash. A page in a file has
// no worker (WEFT_WORKER is empty): browsers load none from there.
import type { DiffLine } from '../model/diff.ts';
import type { Layout } from '../model/picture.ts';
import type { Sizes } from '../worker/layout.ts';
import type { Answer, Ask } from '../worker/messages.ts';
import type { Node, Piece } from '../worker/tree.ts';

const kDeadline = 2000;
const kMostKept = 400;

interface Waiting { resolve: (answer: Answer | undefined) => void }
const waiting = new Map<number, Waiting>();
let worker: Worker | undefined;
let deadline: ReturnType<typeof setTimeout> | undefined;
let lastId = 0;

// Under Trusted Types the address of a worker is a sink. This policy knows one address and no other.
interface Policy { createScriptURL(url: string): unknown }
const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): Policy } }).trustedTypes;
const policy = WEFT_WORKER === '' ? undefined : factory?.createPolicy('weft-worker', {
  createScriptURL(url: string) {
    if (url !== WEFT_WORKER) throw new TypeError('weft-worker makes no other script address');
    return url;
  },
});

function start(): Worker {
  const address = policy ? policy.createScriptURL(WEFT_WORKER) as string : WEFT_WORKER;
  const made = new Worker(address, { type: 'module' });
  made.onmessage = ({ data }: MessageEvent<Answer>) => {
    const one = waiting.get(data.id);
    waiting.delete(data.id);
    watch();
    one?.resolve(data);
  };
  made.onerror = () => replace();
  return made;
}

function watch(): void {
  clearTimeout(deadline);
  deadline = waiting.size ? setTimeout(replace, kDeadline) : undefined;
}

// What waited behind the slow question is given up with it: plain text is better than a text that never comes.
function replace(): void {
  worker?.terminate();
  worker = undefined;
  const lost = [...waiting.values()];
  waiting.clear();
  clearTimeout(deadline);
  for (const one of lost) one.resolve(undefined);
}

type Question = Ask extends infer One ? One extends Ask ? Omit<One, 'id'> : never : never;
function askWorker(question: Question): Promise<Answer | undefined> {
  if (WEFT_WORKER === '') return import('../worker/answer.ts').then(({ answer }) => answer({ id: 0, ...question } as Ask));
  worker ??= start();
  const id = ++lastId;
  return new Promise((resolve) => {
    waiting.set(id, { resolve });
    if (waiting.size === 1) watch();
    worker!.postMessage({ id, ...question });
  });
}

const kept = new Map<string, unknown>();
async function once<T>(key: string, question: Question, pick: (answer: Answer) => T | undefined): Promise<T | undefined> {
  if (kept.has(key)) return kept.get(key) as T | undefined;
  const answer = await askWorker(question);
  const result = answer === undefined ? undefined : pick(answer);
  kept.set(key, result);
  if (kept.size > kMostKept) kept.delete(kept.keys().next().value!);
  return result;
}

export const markdownKey = (text: string) => `m ${text}`;
export function keptTree(text: string): Node[] | undefined { return kept.get(markdownKey(text)) as Node[] | undefined; }
export function markdown(text: string): Promise<Node[] | undefined> {
  return once(markdownKey(text), { markdown: text }, (answer) => ('tree' in answer ? answer.tree : undefined));
}
export function colours(code: string, language: string): Promise<Piece[] | undefined> {
  return once(`c ${language} ${code}`, { code, language }, (answer) => ('pieces' in answer ? answer.pieces : undefined));
}
export function difference(before: string, after: string): Promise<DiffLine[] | undefined> {
  return once(`d ${before.length} ${before} ${after}`, { before, after }, (answer) => ('lines' in answer ? answer.lines : undefined));
}
export function pictureOf(graph: Sizes): Promise<Layout | undefined> {
  return once(`g ${JSON.stringify(graph)}`, { graph }, (answer) => ('layout' in answer ? answer.layout : undefined));
}
