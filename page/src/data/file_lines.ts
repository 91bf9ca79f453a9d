// The lines of a file that a call changed, with their origins, fetched in pages as they come into view. All pages are of
// one state of the file: if the server answers with another one, everything is read again.
import { signal, type Signal } from '@preact/signals';
import { piecesByLine, runAt } from '../model/blame.ts';
import { visible } from '../model/signs.ts';
import { languageOf } from '../model/tools.ts';
import type { Piece } from '../worker/tree.ts';
import { PageCache } from './page_cache.ts';
import { AnswerError, ask } from './server.ts';
import type { BlamedLines, BlameRun } from './types.ts';
import { colours } from './work.ts';

export const kPageLines = 400;

const pageOf = (line: number) => Math.floor((Math.max(1, line) - 1) / kPageLines);

export interface ShownLine { text: string; pieces: Piece[] | undefined; length: number | undefined }

export class FileLines {
  readonly head: Signal<BlamedLines | undefined> = signal(undefined);  // the first answer: what is said of the whole file
  readonly error: Signal<AnswerError | undefined> = signal(undefined);
  readonly coloured: Signal<number> = signal(0);                       // changes when lines got their colours
  #call: { cid: string; file: number };
  #pages: PageCache<BlamedLines>;
  #pieces = new Map<number, Piece[][]>();
  #opening: AbortController | undefined;

  constructor(cid: string, file: number) {
    this.#call = { cid, file };
    this.#pages = this.#newPages();
  }

  get version(): Signal<number> { return this.#pages.version; }
  get failed(): Signal<string | undefined> { return this.#pages.failed; }

  // Reads the file as it is now, first the page of this line. What was read before stays until then.
  async open(line: number): Promise<void> {
    this.#opening?.abort();
    const opening = this.#opening = new AbortController();
    try {
      let head = await this.#ask(pageOf(line), undefined, opening.signal);
      // A file that is shorter than one thought: its end will do.
      if (head.text.length === 0 && head.lines > 0) head = await this.#ask(pageOf(head.lines), undefined, opening.signal);
      if (opening.signal.aborted) return;
      this.#pages.close();
      this.#pages = this.#newPages();
      this.#pieces.clear();
      this.head.value = head;
      this.error.value = undefined;
      this.#pages.put(pageOf(head.from), head);
      void this.#colour(pageOf(head.from), head);
    } catch (error) {
      if (opening.signal.aborted) return;
      this.error.value = error instanceof AnswerError ? error : new AnswerError('internal', String(error), 0);
    }
  }

  want(first: number, last: number): void { this.#pages.want(pageOf(first), pageOf(last)); }

  line(number: number): ShownLine | undefined {
    const page = this.#pages.find(pageOf(number));
    const at = number - (page?.from ?? 0);
    const text = page?.text[at];
    if (!page || text === undefined) return undefined;
    return { text, pieces: this.#pieces.get(pageOf(number))?.[at], length: page.lengths?.[String(number)] };
  }
  runOf(line: number): BlameRun | undefined {
    const page = this.#pages.find(pageOf(line));
    return page && runAt(page.runs, line);
  }

  close(): void {
    this.#opening?.abort();
    this.#pages.close();
  }

  #ask(page: number, state: string | undefined, signal: AbortSignal): Promise<BlamedLines> {
    return ask('/api/thoughts/{cid}/blame', { ...this.#call, from: page * kPageLines + 1, limit: kPageLines, state }, signal);
  }

  #newPages(): PageCache<BlamedLines> {
    return new PageCache(async (number, signal) => {
      const state = this.head.peek()?.state;
      const page = await this.#ask(number, state, signal);
      if (page.state !== state && !signal.aborted) void this.open(page.from);
      else void this.#colour(number, page);
      return page;
    });
  }

  // With the lines before it, if they are here: a comment may begin there.
  async #colour(number: number, page: BlamedLines): Promise<void> {
    const language = languageOf(page.path);
    if (!language) return;
    const text = (lines: readonly string[]) => lines.map(visible).join('\n');
    const before = this.#pages.find(number - 1)?.text ?? [];
    let skipped = before.length;
    let pieces = await colours(text([...before, ...page.text]), language);
    if (!pieces && skipped > 0) {
      skipped = 0;
      pieces = await colours(text(page.text), language);
    }
    if (!pieces || page.state !== this.head.peek()?.state) return;
    this.#pieces.set(number, piecesByLine(pieces).slice(skipped));
    this.coloured.value++;
  }
}
