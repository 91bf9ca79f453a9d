// Questions to a worker, which answers them in order. A question that takes longer than the deadline is given up: its
// worker is ended, and the questions behind it are asked again of a new one. The start of a worker does not count, nor
// does an answer that waits for the page's own thread, so that a loaded machine shows what a fast one shows.

const kDeadline = 5000;  // for one question; on a busy machine a worker gets a fraction of a core
const kGrace = 300;      // for an answer that has come and was not read yet
const kStart = 30_000;   // for the worker's script to load

// The part of a Worker that is used here. The first message of a worker says that it runs; it has the id 0.
export interface WorkerLike<Question, Answer> {
  postMessage(question: Question & { id: number }): void;
  terminate(): void;
  onmessage: ((event: { data: Answer | { id: 0 } }) => void) | null;
  onerror: ((event: never) => void) | null;
}

export class WorkQueue<Question extends object, Answer extends { id: number }> {
  #make: () => WorkerLike<Question, Answer>;
  #waiting = new Map<number, { question: Question; resolve: (answer: Answer | undefined) => void }>();  // oldest first
  #worker: WorkerLike<Question, Answer> | undefined;
  #isRunning = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastId = 0;

  constructor(make: () => WorkerLike<Question, Answer>) { this.#make = make; }

  // Undefined if the question was given up.
  ask(question: Question): Promise<Answer | undefined> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, { question, resolve });
      if (!this.#worker) { this.#start(); return; }
      this.#worker.postMessage({ ...question, id });
      if (this.#waiting.size === 1) this.#watch();
    });
  }

  #start(): void {
    const worker = this.#make();
    this.#worker = worker;
    this.#isRunning = false;
    worker.onmessage = ({ data }) => {
      if (worker !== this.#worker) return;
      this.#isRunning = true;
      const one = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      this.#watch();
      one?.resolve(data as Answer);
    };
    worker.onerror = () => { if (worker === this.#worker) this.#giveUp(); };
    for (const [id, { question }] of this.#waiting) worker.postMessage({ ...question, id });
    this.#watch();
  }

  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => { this.#timer = setTimeout(() => this.#giveUp(), kGrace); }, this.#isRunning ? kDeadline : kStart);
  }

  // The oldest question is the one that the worker is at. A worker that never ran will not run for the others either.
  #giveUp(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    const lost = [...this.#waiting].slice(0, this.#isRunning ? 1 : undefined);
    for (const [id] of lost) this.#waiting.delete(id);
    if (this.#waiting.size > 0) this.#start();
    for (const [, { resolve }] of lost) resolve(undefined);
  }
}
