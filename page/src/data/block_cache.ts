// The blocks of one conversation, fetched in pages as rows come into view. A page is asked for once; what is far from
// the view is dropped, so a session of any length stays small in memory.
import { signal, type Signal } from '@preact/signals';
import type { ReaderSource, Scope } from './source.ts';
import type { Block } from './types.ts';

export const kPage = 50;
export const kCut = 4000;
const kMostPages = 60;

interface Page { blocks: Block[] | undefined; asking: AbortController | undefined; isOld: boolean }

export class BlockCache {
  #pages = new Map<number, Page>();
  #isClosed = false;
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
    return this.#pages.get(number)?.blocks?.[ordinal - number * kPage];
  }

  // Asks for the pages of these ordinals, and keeps them among the newest used.
  want(from: number, to: number): void {
    const first = Math.floor(Math.max(0, from) / kPage);
    const last = Math.floor(to / kPage);
    // A page that was scrolled past before it came is not waited for: the ones on the screen come sooner.
    for (const [number, page] of this.#pages) {
      if (!page.asking || (number >= first && number <= last)) continue;
      page.asking.abort();
      page.asking = undefined;
      page.isOld = true;
    }
    for (let number = first; number <= last; number++) {
      const page = this.#pages.get(number) ?? { blocks: undefined, asking: undefined, isOld: true };
      this.#pages.delete(number);
      this.#pages.set(number, page);
      if (page.isOld && !page.asking) void this.#fetch(number, page);
    }
    while (this.#pages.size > kMostPages) {
      const oldest = this.#pages.keys().next().value!;
      this.#pages.delete(oldest);
    }
  }

  // The conversation has more blocks than these. The page that they ended in is asked for again, and stays until then:
  // what is being read does not flicker.
  grew(count: number): void {
    for (const [number, page] of this.#pages) {
      if (number >= Math.floor(count / kPage)) page.isOld = true;
    }
    this.version.value++;
  }

  close(): void {
    this.#isClosed = true;
    for (const page of this.#pages.values()) page.asking?.abort();
  }

  async #fetch(number: number, page: Page): Promise<void> {
    const asking = new AbortController();
    page.asking = asking;
    page.isOld = false;
    try {
      const { blocks } = await this.#source.blocks(number * kPage, kPage, kCut, this.#scope, asking.signal);
      page.blocks = blocks;
      this.failed.value = undefined;
      this.version.value++;
      // The conversation grew while the answer was on its way, so the answer may lack blocks.
      if (page.isOld && !asking.signal.aborted && !this.#isClosed) void this.#fetch(number, page);
    } catch (error) {
      if (asking.signal.aborted || this.#isClosed) return;
      page.isOld = true;
      this.failed.value = error instanceof Error ? error.message : String(error);
    } finally {
      if (page.asking === asking) page.asking = undefined;
    }
  }
}
