// The page's side of the worker. A question that the worker does not answer in time is given up (work_queue.ts), and its
// text stays as plain text. Results are kept for a while, so that scrolling back does not flash. A page in a file has no
// worker (WEFT_WORKER is empty): browsers load none from there.
import type { DiffLine } from '../model/diff.ts';
import type { Layout } from '../model/picture.ts';
import type { Sizes } from '../worker/layout.ts';
import type { Answer, Ask } from '../worker/messages.ts';
import type { Node, Piece } from '../worker/tree.ts';
import { WorkQueue, type WorkerLike } from './work_queue.ts';

const kMostKept = 400;

// Under Trusted Types the address of a worker is a sink. This policy knows one address and no other.
interface Policy { createScriptURL(url: string): unknown }
const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): Policy } }).trustedTypes;
const policy = WEFT_WORKER === '' ? undefined : factory?.createPolicy('weft-worker', {
  createScriptURL(url: string) {
    if (url !== WEFT_WORKER) throw new TypeError('weft-worker makes no other script address');
    return url;
  },
});

type Question = Ask extends infer One ? One extends Ask ? Omit<One, 'id'> : never : never;
const queue = new WorkQueue<Question, Answer>(() => {
  const address = policy ? policy.createScriptURL(WEFT_WORKER) as string : WEFT_WORKER;
  return new Worker(address, { type: 'module' }) as WorkerLike<Question, Answer>;
});

function askWorker(question: Question): Promise<Answer | undefined> {
  if (WEFT_WORKER === '') return import('../worker/answer.ts').then(({ answer }) => answer({ id: 0, ...question } as Ask));
  return queue.ask(question);
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
export function markedHunks(hunks: DiffLine[][]): Promise<DiffLine[][] | undefined> {
  return once(`h ${JSON.stringify(hunks)}`, { hunks }, (answer) => ('marked' in answer ? answer.marked : undefined));
}
export function pictureOf(graph: Sizes): Promise<Layout | undefined> {
  return once(`g ${JSON.stringify(graph)}`, { graph }, (answer) => ('layout' in answer ? answer.layout : undefined));
}
