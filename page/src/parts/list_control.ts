// The engine of a long list: which rows are mounted, and where. Rows lie in a window in normal flow; the window is
// moved so that the anchor, the row that is being read, stays at its height on the screen whatever is measured,
// appended or unfolded elsewhere (model/scroll.ts says how the two spaces go together).
import { Heights } from '../model/heights.ts';
import { follow, needsSync, spaceFor, toView } from '../model/scroll.ts';

const kOverscan = 500;
const kSyncAfter = 180;

export interface Range { first: number; last: number }

export class ListControl {
  heights = new Heights(0, () => 0);
  listTop = 0;
  range: Range = { first: 0, last: -1 };
  isAtEnd = false;
  #scrollTop = 0;
  #spaceHeight = -1;
  #view = 0;
  #anchor = { row: 0, at: 0 };
  #scroller: HTMLElement | undefined;
  #space: HTMLElement | undefined;
  #window: HTMLElement | undefined;
  #sync: ReturnType<typeof setTimeout> | undefined;
  #resized: ResizeObserver | undefined;
  #seen = new WeakSet<Element>();
  #onRange: (range: Range) => void;
  #onMove: () => void;

  constructor(onRange: (range: Range) => void, onMove: () => void) {
    this.#onRange = onRange;
    this.#onMove = onMove;
  }

  get view(): number { return this.#view; }

  attach(scroller: HTMLElement, space: HTMLElement, rows: HTMLElement): () => void {
    this.#scroller = scroller;
    this.#space = space;
    this.#window = rows;
    this.#view = scroller.clientHeight;
    const onScroll = () => this.#scrolled();
    scroller.addEventListener('scroll', onScroll, { passive: true });
    this.#resized = new ResizeObserver(() => this.measure());
    this.#resized.observe(scroller);
    this.#layout();
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      this.#resized?.disconnect();
      clearTimeout(this.#sync);
      this.#scroller = undefined;
    };
  }

  // Other rows: another level of detail, another filter. `row` is shown at the height `at` of the view.
  reset(count: number, estimate: (row: number) => number, row = 0, at = 0): void {
    this.heights = new Heights(count, estimate);
    this.#anchor = { row: Math.min(row, Math.max(0, count - 1)), at };
    this.listTop = this.#clamp(this.heights.offset(this.#anchor.row) - at);
    this.range = { first: 0, last: -1 };
    this.#layout();
    this.#syncNow();
  }

  // More rows at the end. A list that shows its end keeps showing it.
  append(count: number, estimate: (row: number) => number): void {
    const stick = this.isAtEnd;
    this.heights.append(count, estimate);
    if (stick) this.scrollToEnd();
    else this.#layout();
    this.#syncLater();
  }

  // Brings a row into view: at the height `at`, or, with 'nearest', only as far as needed.
  scrollTo(row: number, at: number | 'nearest' = 0): void {
    const top = this.heights.offset(row);
    const height = this.heights.height(row);
    let target = at === 'nearest' ? this.listTop : top - at;
    if (at === 'nearest') {
      if (top < this.listTop + 8) target = top - 8;
      else if (top + Math.min(height, this.#view - 60) > this.listTop + this.#view - 16) target = top + Math.min(height, this.#view - 60) - this.#view + 16;
    }
    this.listTop = this.#clamp(target);
    this.#anchor = { row, at: top - this.listTop };
    this.#layout();
    this.#syncNow();
  }
  scrollToEnd(): void {
    this.listTop = this.#clamp(Infinity);
    const last = Math.max(0, this.heights.count - 1);
    this.#anchor = { row: last, at: this.heights.offset(last) - this.listTop };
    this.isAtEnd = true;
    this.#layout();
    this.#syncNow();
    // What was estimated is measured now, and the end may be farther down.
    this.listTop = this.#clamp(Infinity);
    this.isAtEnd = true;
  }
  scrollBy(pixels: number): void { this.#scroller?.scrollBy({ top: pixels }); }

  // The first row whose top is in view.
  topRow(): number {
    const row = this.heights.rowAt(this.listTop);
    return row >= 0 && row + 1 < this.heights.count && this.heights.offset(row) < this.listTop - 4 && this.heights.offset(row + 1) < this.listTop + this.#view / 2 ? row + 1 : row;
  }
  bottomRow(): number { return this.heights.rowAt(this.listTop + this.#view); }

  // Takes the real heights of the mounted rows. Called after each render and when a row changes its size.
  measure(): void {
    if (!this.#window || !this.#scroller) return;
    this.#view = this.#scroller.clientHeight;
    const wasAtEnd = this.isAtEnd;
    let changed = false;
    for (const child of this.#window.children) {
      const row = Number((child as HTMLElement).dataset.row);
      if (!this.#seen.has(child)) {
        this.#seen.add(child);
        this.#resized?.observe(child);
      }
      const height = child.getBoundingClientRect().height;
      if (Number.isInteger(row) && row < this.heights.count && Math.abs(height - this.heights.height(row)) > 0.4) {
        this.heights.set(row, height);
        changed = true;
      }
    }
    if (changed) {
      this.listTop = this.#clamp(wasAtEnd ? Infinity : this.heights.offset(this.#anchor.row) - this.#anchor.at);
      this.#syncLater();
    }
    this.#layout();
  }

  #clamp(top: number): number {
    return Math.max(0, Math.min(top, this.heights.total - this.#view));
  }

  #scrolled(): void {
    const scroller = this.#scroller;
    if (!scroller || scroller.scrollTop === this.#scrollTop) return;
    const at = follow({ scrollTop: this.#scrollTop, listTop: this.listTop }, scroller.scrollTop, this.heights.total, this.#view, this.#view * 4);
    this.listTop = at.listTop;
    this.#scrollTop = at.scrollTop;
    const row = this.topRow();
    this.#anchor = { row: Math.max(0, row), at: this.heights.offset(row) - this.listTop };
    this.#layout();
    if (needsSync(at, this.heights.total, this.#view)) this.#syncNow();
    else this.#syncLater();
  }

  #syncLater(): void {
    clearTimeout(this.#sync);
    this.#sync = setTimeout(() => this.#syncNow(), kSyncAfter);
  }
  // Moves view space under the list. Nothing on the screen moves: the window moves with it.
  #syncNow(): void {
    clearTimeout(this.#sync);
    if (!this.#scroller || !this.#space) return;
    this.#setSpace(spaceFor(this.heights.total, this.#view));
    const wanted = toView(this.listTop, this.heights.total, this.#view);
    if (Math.abs(wanted - this.#scroller.scrollTop) >= 1) this.#scroller.scrollTop = wanted;
    this.#scrollTop = this.#scroller.scrollTop;
    this.#placeWindow();
  }

  #layout(): void {
    const { heights } = this;
    if (heights.count === 0) {
      if (this.range.last !== -1) { this.range = { first: 0, last: -1 }; this.#onRange(this.range); }
      this.#setSpace(0);
      return;
    }
    this.#setSpace(Math.max(spaceFor(heights.total, this.#view), 1));
    const first = heights.rowAt(this.listTop - kOverscan);
    const last = heights.rowAt(this.listTop + this.#view + kOverscan);
    this.isAtEnd = this.listTop >= heights.total - this.#view - 3;
    if (first !== this.range.first || last !== this.range.last) {
      this.range = { first, last };
      this.#onRange(this.range);
    }
    this.#placeWindow();
    this.#onMove();
  }
  // A space that shrinks makes the browser scroll. That is no movement of the reader's, so it is taken note of at once.
  #setSpace(height: number): void {
    const rounded = Math.round(height);
    if (!this.#space || !this.#scroller || rounded === this.#spaceHeight) return;
    this.#spaceHeight = rounded;
    this.#space.style.height = `${rounded}px`;
    this.#scrollTop = this.#scroller.scrollTop;
  }
  #placeWindow(): void {
    if (!this.#window) return;
    const top = this.heights.offset(this.range.first) - this.listTop + this.#scrollTop;
    this.#window.style.transform = `translateY(${top}px)`;
  }
}
