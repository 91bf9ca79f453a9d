// The blocks of one conversation, fetched in pages as rows come into view. A page is asked for once; what is far from
// the view is dropped, so a session of any length stays small in memory.
import { signal, type Signal } from '@preact/signals';
import type { ReaderSource, Scope } from './source.ts';
import type { Block } from './types.ts';

export const kPage = 50;
export const kCut = 4000;
const kMostPages = 60;

export class BlockCache {
  #pages = new Map<number, Block[] | 'asked'>();
  #abort = new AbortController();
  #source: ReaderSource;
  #scope: Scope;
  // Changes when blocks arrived; rows that wait for one read it.
  readonly version: Signal<number> = signal(0);
  readonly failed: Signal<string | undefined> = signal(undefined);

  constructor(source: ReaderSource, scope: Scope) {
    this.#source = source;
    this.#scope = scope;
  }

  find(ordinal: number): Block | undefined {
    const number = Math.floor(ordinal / kPage);
    const page = this.#pages.get(number);
    if (page === undefined || page === 'asked') return undefined;
    return page[ordinal - number * kPage];
  }

  // Asks for the pages of these ordinals, and keeps them among the newest used.
  want(from: number, to: number): void {
    for (let number = Math.floor(Math.max(0, from) / kPage); number <= Math.floor(to / kPage); number++) {
      const page = this.#pages.get(number);
      if (page !== undefined) {
        this.#pages.delete(number);
        this.#pages.set(number, page);
      } else {
        void this.#fetch(number);
      }
    }
    while (this.#pages.size > kMostPages) {
      const oldest = this.#pages.keys().next().value!;
      this.#pages.delete(oldest);
    }
  }

  // The last page may have grown.
  grew(from: number): void {
    for (const number of [...this.#pages.keys()]) {
      if (number >= Math.floor(from / kPage)) this.#pages.delete(number);
    }
    this.version.value++;
  }

  close(): void { this.#abort.abort(); }

  async #fetch(number: number): Promise<void> {
    this.#pages.set(number, 'asked');
    try {
      const { blocks } = await this.#source.blocks(number * kPage, kPage, kCut, this.#scope, this.#abort.signal);
      this.#pages.set(number, blocks);
      this.failed.value = undefined;
      this.version.value++;
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.#pages.delete(number);
      this.failed.value = error instanceof Error ? error.message : String(error);
    }
  }
}
