// The engine of a long list: which rows are mounted, and where. Rows lie in a window in normal flow; the window is
// moved so that the row that is held (model/list_position.ts) stays at its height on the screen whatever is measured,
// appended or unfolded elsewhere (model/scroll.ts says how the two spaces go together).
import type { Heights } from '../model/heights.ts';
import { ListPosition } from '../model/list_position.ts';
import { follow, needsSync, spaceFor, toView } from '../model/scroll.ts';

const kOverscan = 500;
const kSyncAfter = 180;

export interface Range { first: number; last: number }

export class ListControl {
  range: Range = { first: 0, last: -1 };
  #position = new ListPosition();
  #scrollTop = 0;
  #spaceHeight = -1;
  #isAllMounted = false;
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

  get heights(): Heights { return this.#position.heights; }
  get listTop(): number { return this.#position.listTop; }
  get view(): number { return this.#position.view; }
  get isAtEnd(): boolean { return this.#position.isAtEnd; }
  topRow(): number { return this.#position.topRow(); }
  bottomRow(): number { return this.#position.bottomRow(); }

  attach(scroller: HTMLElement, space: HTMLElement, rows: HTMLElement): () => void {
    this.#scroller = scroller;
    this.#space = space;
    this.#window = rows;
    this.#position.view = scroller.clientHeight;
    const onScroll = () => this.#scrolled();
    // A row that is pressed or focused is the one being read: it stays when it is unfolded, at the end of the list, too.
    const onTouch = (event: Event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]')?.dataset.row : undefined;
      if (row !== undefined) this.#position.holdHere(Number(row));
    };
    scroller.addEventListener('scroll', onScroll, { passive: true });
    for (const name of ['pointerdown', 'focusin']) rows.addEventListener(name, onTouch, { passive: true });
    this.#resized = new ResizeObserver(() => this.measure());
    this.#resized.observe(scroller);
    this.#position.settle();
    this.#layout();
    this.#syncNow();
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      for (const name of ['pointerdown', 'focusin']) rows.removeEventListener(name, onTouch);
      this.#resized?.disconnect();
      clearTimeout(this.#sync);
      this.#scroller = undefined;
    };
  }

  // Other rows: another list, another filter. `row` is shown at the height `at` of the view.
  reset(count: number, estimate: (row: number) => number, row = 0, at = 0): void {
    this.#position.reset(count, estimate, { row, at });
    this.#moved();
  }

  // Other rows of the same things (see ListPosition): the row that is held stays where it is.
  replace(count: number, estimate: (row: number) => number, oldRow: (row: number) => number, newRow: (row: number) => number): void {
    this.#position.replace(count, estimate, oldRow, newRow);
    this.#moved();
  }

  // More rows at the end. A list that was brought to its end keeps showing it.
  append(count: number, estimate: (row: number) => number): void {
    this.#position.append(count, estimate);
    this.#layout();
    this.#syncLater();
  }

  // Brings a row into view: at the height `at`, or, with 'nearest', only as far as needed.
  scrollTo(row: number, at: number | 'nearest' = 0): void {
    this.#position.hold({ row, at: at === 'nearest' ? this.#position.nearest(row) : at });
    this.#layout();
    this.#syncNow();
  }
  // Mounts every row, or again only what is near the view.
  mountAll(isWanted: boolean): void {
    this.#isAllMounted = isWanted;
    this.#layout();
  }
  // Holds a row where it is now: what changes next, changes around it.
  hold(row: number): void { this.#position.holdHere(row); }
  scrollToEnd(): void {
    this.#position.hold('end');
    this.#layout();
    this.#syncNow();
  }

  // Takes the real heights of the mounted rows. Called after each render and when a row changes its size.
  measure(): void {
    if (!this.#window || !this.#scroller) return;
    const { heights } = this;
    this.#position.view = this.#scroller.clientHeight;
    let changed = false;
    for (const child of this.#window.children) {
      const row = Number((child as HTMLElement).dataset.row);
      if (!this.#seen.has(child)) {
        this.#seen.add(child);
        this.#resized?.observe(child);
      }
      const height = child.getBoundingClientRect().height;
      if (Number.isInteger(row) && row < heights.count && Math.abs(height - heights.height(row)) > 0.4) {
        heights.set(row, height);
        changed = true;
      }
    }
    this.#position.settle();
    this.#layout();
    if (changed && this.#position.held === 'end') this.#syncNow();
    else if (changed) this.#syncLater();
  }

  #scrolled(): void {
    const scroller = this.#scroller;
    if (!scroller || scroller.scrollTop === this.#scrollTop) return;
    // Less than a pixel is the browser's rounding of a position that was set here. It moves nothing and holds nothing new.
    if (Math.abs(scroller.scrollTop - this.#scrollTop) < 1) {
      this.#scrollTop = scroller.scrollTop;
      this.#placeWindow();
      return;
    }
    const { total } = this.heights;
    const at = follow({ scrollTop: this.#scrollTop, listTop: this.listTop }, scroller.scrollTop, total, this.view, this.view * 4);
    this.#scrollTop = at.scrollTop;
    this.#position.movedTo(at.listTop);
    this.#layout();
    if (needsSync(at, total, this.view)) this.#syncNow();
    else this.#syncLater();
  }

  #moved(): void {
    this.range = { first: 0, last: -1 };
    this.#layout();
    this.#syncNow();
  }

  #syncLater(): void {
    clearTimeout(this.#sync);
    this.#sync = setTimeout(() => this.#syncNow(), kSyncAfter);
  }
  // Moves view space under the list. Nothing on the screen moves: the window moves with it.
  #syncNow(): void {
    clearTimeout(this.#sync);
    if (!this.#scroller || !this.#space) return;
    this.#setSpace(spaceFor(this.heights.total, this.view));
    const wanted = toView(this.listTop, this.heights.total, this.view);
    if (Math.abs(wanted - this.#scroller.scrollTop) >= 1) this.#scroller.scrollTop = wanted;
    this.#scrollTop = this.#scroller.scrollTop;
    this.#placeWindow();
  }

  #layout(): void {
    const { heights, listTop, view } = this;
    if (heights.count === 0) {
      if (this.range.last !== -1) { this.range = { first: 0, last: -1 }; this.#onRange(this.range); }
      this.#setSpace(0);
      return;
    }
    this.#setSpace(Math.max(spaceFor(heights.total, view), 1));
    const first = this.#isAllMounted ? 0 : heights.rowAt(listTop - kOverscan);
    const last = this.#isAllMounted ? heights.count - 1 : heights.rowAt(listTop + view + kOverscan);
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
