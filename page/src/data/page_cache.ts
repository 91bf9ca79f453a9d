// Pages of something that is longer than the screen, fetched as they come into view. A page is asked for once; what is far
// from the view is dropped, so that it stays small in memory whatever its length.
import { signal, type Signal } from '@preact/signals';

const kMostPages = 60;

interface Page<T> { content: T | undefined; asking: AbortController | undefined; isOld: boolean }

export class PageCache<T> {
  #pages = new Map<number, Page<T>>();
  #isClosed = false;
  #ask: (page: number, signal: AbortSignal) => Promise<T>;
  // Changes when a page arrived; what waits for one reads it.
  readonly version: Signal<number> = signal(0);
  readonly failed: Signal<string | undefined> = signal(undefined);

  constructor(ask: (page: number, signal: AbortSignal) => Promise<T>) { this.#ask = ask; }

  find(number: number): T | undefined { return this.#pages.get(number)?.content; }

  // A page that came with something else.
  put(number: number, content: T): void {
    this.#pages.set(number, { content, asking: undefined, isOld: false });
    this.version.value++;
  }

  // Asks for these pages, and keeps them among the newest used.
  want(first: number, last: number): void {
    // A page that was scrolled past before it came is not waited for: the ones on the screen come sooner.
    for (const [number, page] of this.#pages) {
      if (!page.asking || (number >= first && number <= last)) continue;
      page.asking.abort();
      page.asking = undefined;
      page.isOld = true;
    }
    for (let number = first; number <= last; number++) {
      const page = this.#pages.get(number) ?? { content: undefined, asking: undefined, isOld: true };
      this.#pages.delete(number);
      this.#pages.set(number, page);
      if (page.isOld && !page.asking) void this.#fetch(number, page);
    }
    while (this.#pages.size > kMostPages) {
      const oldest = this.#pages.keys().next().value!;
      this.#pages.delete(oldest);
    }
  }

  // Pages from this one on are not what they were. They are asked for again, and stay until then: what is being read does
  // not flicker.
  renew(from: number): void {
    for (const [number, page] of this.#pages) {
      if (number >= from) page.isOld = true;
    }
    this.version.value++;
  }

  close(): void {
    this.#isClosed = true;
    for (const page of this.#pages.values()) page.asking?.abort();
  }

  async #fetch(number: number, page: Page<T>): Promise<void> {
    const asking = new AbortController();
    page.asking = asking;
    page.isOld = false;
    try {
      page.content = await this.#ask(number, asking.signal);
      this.failed.value = undefined;
      this.version.value++;
      // It changed while the answer was on its way, so the answer may lack something.
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
