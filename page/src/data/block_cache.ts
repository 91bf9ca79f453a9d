// The blocks of one conversation, fetched in pages as rows come into view.
import type { Signal } from '@preact/signals';
import { PageCache } from './page_cache.ts';
import type { ReaderSource, Scope } from './source.ts';
import type { Block } from './types.ts';

export const kPage = 50;
export const kCut = 4000;

const pageOf = (ordinal: number) => Math.floor(Math.max(0, ordinal) / kPage);

export class BlockCache {
  #pages: PageCache<Block[]>;

  constructor(source: ReaderSource, scope: Scope) {
    this.#pages = new PageCache(async (page, signal) => (await source.blocks(page * kPage, kPage, kCut, scope, signal)).blocks);
  }

  // Changes when blocks arrived; rows that wait for one read it.
  get version(): Signal<number> { return this.#pages.version; }
  get failed(): Signal<string | undefined> { return this.#pages.failed; }

  find(ordinal: number): Block | undefined {
    const page = pageOf(ordinal);
    return this.#pages.find(page)?.[ordinal - page * kPage];
  }

  // Asks for the pages of these ordinals.
  want(from: number, to: number): void { this.#pages.want(pageOf(from), pageOf(to)); }

  // The conversation has more blocks than these. The page that they ended in is asked for again.
  grew(count: number): void { this.#pages.renew(pageOf(count)); }

  close(): void { this.#pages.close(); }
}
