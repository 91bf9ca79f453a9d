// Bars with their table: each chart is a table first, and the picture is drawn beside its numbers.
import type { ComponentChild } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface Bar { name: string; value: number; shown: string; href?: string; title?: string }

export function BarTable({ bars, label, columns }: { bars: readonly Bar[]; label: string; columns: [string, string] }) {
  const most = Math.max(1e-9, ...bars.map((bar) => bar.value));
  return (
    <table class="bars" aria-label={label}>
      <thead class="hidden"><tr><th>{columns[0]}</th><th>{columns[1]}</th><th>share</th></tr></thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.name}>
            <th scope="row" title={bar.title}>{bar.href ? <a href={bar.href}>{bar.name}</a> : bar.name}</th>
            <td class="figure">{bar.shown}</td>
            <td class="bar-cell"><span class="bar" style={{ width: `${Math.max(bar.value > 0 ? 0.6 : 0, bar.value / most * 100)}%` }} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export interface DayBar { day: string; value: number; second: number; title: string }

// The month where it changes, but never so near to the last one that they would touch.
export function monthLabels(days: readonly string[]): string[] {
  let last = -10;
  return days.map((day, at) => {
    const isNew = at === 0 || day.slice(0, 7) !== days[at - 1]!.slice(0, 7);
    if (!isNew || at - last < 4) return '';
    last = at;
    return day.slice(0, 7);
  });
}

// Days as columns, newest on the right; `second` is a part of the value, drawn in another tone.
export function DayColumns({ days, label }: { days: readonly DayBar[]; label: string }) {
  const most = Math.max(1, ...days.map((day) => day.value));
  const labels = monthLabels(days.map((day) => day.day));
  const width = 12;
  const height = 92;
  // The label of the last month may be wider than its days.
  const wide = Math.max(days.length * width, labels.findLastIndex(Boolean) * width + 48);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => { if (box.current) box.current.scrollLeft = box.current.scrollWidth; }, [days.length]);  // the newest are seen
  return (
    <div ref={box} class="day-columns" tabIndex={0} role="region" aria-label={label}>
      <svg width={wide} height={height + 16} role="img" aria-label={`${label}: a table follows`}>
        {days.map((day, at) => {
          const tall = day.value / most * height;
          const part = day.value > 0 ? day.second / day.value * tall : 0;
          return (
            <g key={day.day}>
              <title>{day.title}</title>
              <rect class="column" x={at * width + 1} y={height - tall} width={width - 3} height={Math.max(day.value > 0 ? 1 : 0, tall)} />
              <rect class="column second" x={at * width + 1} y={height - part} width={width - 3} height={part} />
              {labels[at] && <text x={at * width} y={height + 13}>{labels[at]}</text>}
            </g>
          );
        })}
        <line class="axis" x1="0" y1={height + 0.5} x2={days.length * width} y2={height + 0.5} />
      </svg>
    </div>
  );
}

export function Figure({ name, value, children }: { name: string; value: string; children?: ComponentChild }) {
  return <div class="figure-box"><dt>{name}</dt><dd>{value}{children && <span class="quiet"> {children}</span>}</dd></div>;
}
