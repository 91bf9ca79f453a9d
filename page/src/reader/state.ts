// The state of one open conversation. The outline makes the rows; everything that depends on the level of detail is
// derived from it. Signals, so that a row that is unfolded draws itself and nothing else.
import { computed, effect, signal } from '@preact/signals';
import { BlockCache } from '../data/block_cache.ts';
import type { ReaderSource, Scope } from '../data/source.ts';
import type { Block, Conversation, Outline, Thought } from '../data/types.ts';
import { chainOf, makeLanes } from '../model/lanes.ts';
import { isSpeech, kindAt, makeRows, type Level } from '../model/rows.ts';

const kFirst = 300;
const kMostWait = 1000;

export type InspectorTab = 'why' | 'effects' | 'thought';

export class ReaderState {
  readonly source: ReaderSource;
  readonly prefix: string;  // of the ids of its elements: a reader inside another one has its own
  readonly conversation = signal<Conversation | undefined>(undefined);
  readonly outline = signal<Outline | undefined>(undefined);
  readonly isWhole = signal(false);                                // whether the outline is more than its beginning
  readonly error = signal<string | undefined>(undefined);
  readonly level = signal<Level>(2);
  readonly scope = signal<Scope>({});
  readonly cache = signal<BlockCache>(undefined as never);

  readonly current = signal(0);                                    // the ordinal under the eyes or the keys
  readonly isMoved = signal(false);                                // whether keys or clicks chose the current row
  readonly marked = signal(-1);                                    // the ordinal that a link led to
  readonly toggled = signal<ReadonlySet<number>>(new Set());       // rows that are not as their level has them
  readonly raw = signal<ReadonlySet<number>>(new Set());           // rows shown as they are stored
  readonly full = signal<ReadonlyMap<string, Thought>>(new Map()); // whole thoughts of texts that were cut
  readonly hover = signal(-1);                                     // the row whose chain is lit
  readonly beside = signal<string | undefined>(undefined);         // the conversation that is shown in a pane
  readonly changes = signal<string | undefined>(undefined);        // the prompt whose changes are shown in a pane
  readonly inspected = signal<{ cid: string; tab: InspectorTab } | undefined>(undefined);
  readonly finding = signal<string | undefined>(undefined);        // the words of find-in-session; undefined: closed
  readonly hits = signal<{ ordinals: number[]; total: number; notes: string[] }>({ ordinals: [], total: 0, notes: [] });
  readonly unseen = signal(0);                                     // blocks that came while one was reading

  readonly rows = computed(() => (this.outline.value ? makeRows(this.outline.value, this.level.value) : undefined));
  readonly lanes = computed(() => (this.outline.value && this.rows.value ? makeLanes(this.outline.value, this.rows.value) : undefined));
  readonly chain = computed(() => (this.hover.value >= 0 && this.lanes.value ? chainOf(this.lanes.value, this.hover.value) : undefined));
  readonly hitSet = computed(() => new Set(this.hits.value.ordinals));

  constructor(source: ReaderSource, level: Level, scope: Scope, prefix = '') {
    this.source = source;
    this.prefix = prefix;
    this.level.value = level;
    this.scope.value = scope;
    this.cache.value = new BlockCache(source, scope);
  }

  // `isFromStart`: one begins at the first block, so that the first few are enough to begin with.
  async load(isFromStart: boolean, signal: AbortSignal): Promise<void> {
    try {
      const conversation = this.source.conversation(signal).then((row) => { if (!signal.aborted) this.conversation.value = row; });
      if (isFromStart) {
        const part = await this.source.outline(this.scope.value, kFirst, signal);
        if (!signal.aborted && !this.outline.value) this.outline.value = { ...part, count: part.columns.kind.length };
        if (part.columns.kind.length === part.count) {
          await conversation;
          this.isWhole.value = true;
          this.error.value = undefined;
          return;
        }
        await this.#firstBlocks(signal);  // the first rows come first: the rest of a long outline is megabytes
      }
      const outline = await this.source.outline(this.scope.value, undefined, signal);
      await conversation;
      if (signal.aborted) return;
      this.outline.value = outline;
      this.isWhole.value = true;
      this.error.value = undefined;
    } catch (error) {
      if (!signal.aborted) this.error.value = error instanceof Error ? error.message : String(error);
    }
  }

  // Resolves when blocks are here, and the page has had a moment to draw them; or when they do not come.
  #firstBlocks(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cache = this.cache.peek();
      let stop = () => {};
      const end = () => { stop(); clearTimeout(timer); resolve(); };
      const timer = setTimeout(end, kMostWait);
      signal.addEventListener('abort', end, { once: true });
      stop = effect(() => { if (cache.version.value > 0 || cache.failed.value !== undefined) setTimeout(end); });
    });
  }

  // The outline again, after the conversation grew. Returns how many blocks came; none while only the beginning was here.
  // One question at a time: of two, the older answer could come last.
  #isGrowing = false;
  #grewAgain = false;
  async grow(): Promise<number> {
    this.#grewAgain = true;
    if (this.#isGrowing) return 0;
    this.#isGrowing = true;
    let came = 0;
    try {
      while (this.#grewAgain) {
        this.#grewAgain = false;
        came += await this.#growOnce();
      }
    } finally {
      this.#isGrowing = false;
    }
    return came;
  }
  async #growOnce(): Promise<number> {
    const before = this.outline.value?.count ?? 0;
    const wasWhole = this.isWhole.value;
    const outline = await this.source.outline(this.scope.value, undefined);
    if (outline.count < before) {  // a branch ended elsewhere, or blocks were superseded: everything may have moved
      this.cache.value.close();
      this.cache.value = new BlockCache(this.source, this.scope.value);
    } else {
      this.cache.value.grew(before);
    }
    this.outline.value = outline;
    this.isWhole.value = true;
    return wasWhole ? Math.max(0, outline.count - before) : 0;
  }

  // The chain of a row is lit once the pointer rests on it: rows that scroll past under it are not meant.
  #pointing: ReturnType<typeof setTimeout> | undefined;
  pointAt(row: number): void {
    clearTimeout(this.#pointing);
    this.#pointing = setTimeout(() => { this.hover.value = row; }, 90);
  }

  // The panes beside the reader: one at a time. None is shown of a reader inside another one, or of a file.
  show(pane: { cid: string; tab: InspectorTab } | { changes: string } | undefined): void {
    this.beside.value = undefined;
    this.inspected.value = pane && 'tab' in pane ? pane : undefined;
    this.changes.value = pane && 'changes' in pane ? pane.changes : undefined;
  }
  get hasPane(): boolean { return Boolean(this.inspected.value ?? this.beside.value ?? this.changes.value); }

  block(ordinal: number): Block | undefined {
    void this.cache.value.version.value;  // a row that waits draws itself when blocks arrive
    return this.cache.value.find(ordinal);
  }

  // A row is open if its level opens it, if find hit it or if a link led to it, unless somebody said otherwise.
  isOpen(ordinal: number): boolean {
    const outline = this.outline.value;
    if (!outline) return false;
    const byLevel = this.level.value === 3 || isSpeech(kindAt(outline, ordinal));
    const isHit = this.hitSet.value.has(ordinal) || this.hitSet.value.has(this.rows.value?.resultOf[ordinal] ?? -1);
    const rows = this.rows.value;
    const isMarked = this.marked.value >= 0 && rows?.rowOf[this.marked.value] === rows?.rowOf[ordinal];
    return (byLevel || isHit || isMarked) !== this.toggled.value.has(ordinal);
  }
  toggle(ordinal: number): void { this.toggled.value = flipped(this.toggled.value, ordinal); }
  toggleRaw(ordinal: number): void { this.raw.value = flipped(this.raw.value, ordinal); }

  async wantFull(cid: string): Promise<void> {
    if (this.full.value.has(cid)) return;
    try {
      const thought = await this.source.thought(cid);
      this.full.value = new Map(this.full.value).set(cid, thought);
    } catch (error) {
      this.error.value = error instanceof Error ? error.message : String(error);
    }
  }

  // The texts of a block with its secrets in clear; or, if they are, masked again.
  readonly revealed = signal<ReadonlySet<string>>(new Set());
  async reveal(cid: string): Promise<void> {
    const isShown = this.revealed.value.has(cid);
    try {
      const thought = await this.source.thought(cid, !isShown);
      this.full.value = new Map(this.full.value).set(cid, thought);
      this.revealed.value = flipped(this.revealed.value, cid);
    } catch (error) {
      this.error.value = error instanceof Error ? error.message : String(error);
    }
  }

  close(): void { this.cache.value.close(); }
}

function flipped<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}
