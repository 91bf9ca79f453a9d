// The two spaces of a long list. Rows lie in list space, which is as long as the rows are. The browser scrolls in
// view space, which browsers end at some 16 million pixels (half of that for a screen of doubled density), so it is
// capped. A small movement moves both spaces by the same pixels; a jump, or the pause after a movement, maps one
// space onto the other by proportion. The difference between the two is `shift`.
//
// The same shift takes up what measured rows above the view add or remove: the row under the eyes does not move.

export const kMaxSpace = 8_000_000;

export function spaceFor(total: number, view: number): number {
  return Math.max(view, Math.min(total, kMaxSpace));
}

// From a position in view space to one in list space, by proportion. Both ends meet exactly.
export function toList(scrollTop: number, total: number, view: number): number {
  const room = spaceFor(total, view) - view;
  const rows = Math.max(0, total - view);
  if (room <= 0) return 0;
  return Math.min(1, Math.max(0, scrollTop / room)) * rows;
}

export function toView(listTop: number, total: number, view: number): number {
  const room = spaceFor(total, view) - view;
  const rows = Math.max(0, total - view);
  if (rows <= 0) return 0;
  return Math.min(1, Math.max(0, listTop / rows)) * room;
}

export interface Position { scrollTop: number; listTop: number }

// Where the list is after the browser scrolled from `from` to `scrollTop`. `jump`: more than this many pixels at
// once is a jump (a dragged scrollbar, the End key), not a movement.
export function follow(from: Position, scrollTop: number, total: number, view: number, jump: number): Position {
  const difference = scrollTop - from.scrollTop;
  const rows = Math.max(0, total - view);
  if (Math.abs(difference) > jump) return { scrollTop, listTop: toList(scrollTop, total, view) };
  const listTop = Math.min(rows, Math.max(0, from.listTop + difference));
  return { scrollTop, listTop };
}

// Whether view space has to be moved under the list, because its end came before the list's or after it.
export function needsSync({ scrollTop, listTop }: Position, total: number, view: number): boolean {
  const room = spaceFor(total, view) - view;
  const rows = Math.max(0, total - view);
  if (scrollTop <= 0 && listTop > 0) return true;
  if (scrollTop >= room - 1 && listTop < rows - 1) return true;
  return false;
}
