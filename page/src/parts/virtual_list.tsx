// A list of any length of which only what is near the view is mounted. `control` is the handle to scroll it.
import type { ComponentChild } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ListControl, type Range } from './list_control.ts';

export interface VirtualListProps {
  control: ListControl;
  range: Range;
  row: (row: number) => ComponentChild;
  keyOf: (row: number) => string | number;
  label: string;
  role?: 'feed' | 'list';
  id?: string;
  class?: string;
}

// The control of a list, and the rows that it mounts.
export function useListControl(onMove: () => void = () => {}): { control: ListControl; range: Range } {
  const [range, setRange] = useState<Range>({ first: 0, last: -1 });
  const move = useRef(onMove);
  move.current = onMove;
  const control = useMemo(() => new ListControl(setRange, () => move.current()), []);
  return { control, range };
}

export function VirtualList({ control, range, row, keyOf, label, role = 'list', id, class: name = '' }: VirtualListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const space = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => control.attach(scroller.current!, space.current!, rows.current!), [control]);
  useLayoutEffect(() => { control.measure(); });
  const children: ComponentChild[] = [];
  for (let at = range.first; at <= Math.min(range.last, control.heights.count - 1); at++) {
    children.push(<div key={keyOf(at)} data-row={at} class="row" role={role === 'list' ? 'listitem' : undefined}>{row(at)}</div>);
  }
  return (
    <div id={id} ref={scroller} class={`scroller ${name}`} tabIndex={-1}>
      <div ref={space} class="space">
        <div ref={rows} class="window" role={role} aria-label={label}>{children}</div>
      </div>
    </div>
  );
}
