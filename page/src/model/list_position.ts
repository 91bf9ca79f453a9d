// Where a long list is: which row is held at which height of the view, whatever the heights of the others turn out to
// be. Rows are estimated until they are mounted and measured, and more rows come later; so a position in pixels means
// nothing for longer than a moment, and the row that is held is the truth that pixels are derived from.
//
// A jump holds its target at the height that was asked for, until somebody scrolls or touches another row. Near the
// end of the list a target cannot stand that high; it goes there once enough rows below it are known.
import { Heights } from './heights.ts';

export type Held = { row: number; at: number } | 'end';
const kNearEnd = 3;

export class ListPosition {
  heights = new Heights(0, () => 0);
  held: Held = { row: 0, at: 0 };
  view = 0;
  listTop = 0;

  get isAtEnd(): boolean { return this.listTop >= this.heights.total - this.view - kNearEnd; }

  reset(count: number, estimate: (row: number) => number, held: Held): void {
    this.heights = new Heights(count, estimate);
    this.hold(held);
  }

  // Other rows in the place of these. `oldRow` says which old row a new one was, or -1: measured heights are kept.
  // The row that is held is the same one after it, so it stays where it is; `newRow` says where it went.
  replace(count: number, estimate: (row: number) => number, oldRow: (row: number) => number, newRow: (row: number) => number): void {
    const old = this.heights;
    const height = (row: number) => {
      const was = oldRow(row);
      return was >= 0 && was < old.count ? old.height(was) : estimate(row);
    };
    this.heights = new Heights(count, height);
    this.hold(this.held === 'end' ? 'end' : { row: newRow(this.held.row), at: this.held.at });
  }

  append(count: number, estimate: (row: number) => number): void {
    this.heights.append(count, estimate);
    this.settle();
  }

  hold(held: Held): void {
    this.held = held === 'end' ? 'end' : { row: Math.max(0, Math.min(held.row, this.heights.count - 1)), at: held.at };
    this.settle();
  }

  // Holds a row where it is now. A target of a jump that has not arrived yet goes on to where it was meant to be.
  holdHere(row: number): void {
    if (this.held !== 'end' && this.held.row === row) return;
    this.held = { row, at: this.heights.offset(row) - this.listTop };
  }

  // Somebody scrolled: from now on the first row in view is held, or the end, if one went there.
  movedTo(listTop: number): void {
    this.listTop = this.#within(listTop);
    if (this.isAtEnd && this.listTop > 0) { this.held = 'end'; return; }
    const row = Math.max(0, this.topRow());
    this.held = { row, at: this.heights.offset(row) - this.listTop };
  }

  // What the view has to move to after heights, rows or the view changed.
  settle(): void {
    this.listTop = this.#within(this.held === 'end' ? Infinity : this.heights.offset(this.held.row) - this.held.at);
  }

  // The height at which a row stands if the view moves only as far as it takes to see it.
  nearest(row: number): number {
    const top = this.heights.offset(row);
    const seen = Math.min(this.heights.height(row), this.view - 60);
    if (top < this.listTop + 8) return 8;
    if (top + seen > this.listTop + this.view - 16) return this.view - 16 - seen;
    return top - this.listTop;
  }

  // The first row whose top is in view, or the one that fills it.
  topRow(): number {
    const { heights, listTop } = this;
    const row = heights.rowAt(listTop);
    return row >= 0 && row + 1 < heights.count && heights.offset(row) < listTop - 4 && heights.offset(row + 1) < listTop + this.view / 2 ? row + 1 : row;
  }
  bottomRow(): number { return this.heights.rowAt(this.listTop + this.view); }

  #within(top: number): number {
    return Math.max(0, Math.min(top, this.heights.total - this.view));
  }
}
