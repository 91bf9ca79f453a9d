// The ribbon: the whole conversation along the reader's edge, and its scrollbar. What it draws is model/ribbon.ts; the
// frame is what is on the screen.
import type { Signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { kShades, makeRibbon, pixelOfRow, rowAtPixel } from '../model/ribbon.ts';
import type { ListControl } from '../parts/list_control.ts';
import type { ReaderState } from './state.ts';

const kWidth = 22;

function paint(canvas: HTMLCanvasElement, state: ReaderState): void {
  const outline = state.outline.value;
  const rows = state.rows.value;
  const height = canvas.clientHeight;
  const density = window.devicePixelRatio || 1;
  canvas.width = Math.round(kWidth * density);
  canvas.height = Math.round(height * density);
  const pen = canvas.getContext('2d');
  if (!pen || !outline || !rows || height === 0) return;
  pen.scale(density, density);
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const colours = kShades.map((shade) => (shade === 'none' ? 'transparent' : colour(shade === 'answer' ? 'ink' : shade === 'other' ? 'line' : shade)));
  const ribbon = makeRibbon(outline, rows, Math.floor(height), state.hitSet.value);
  for (let y = 0; y < ribbon.shade.length; y++) {
    const shade = ribbon.shade[y]!;
    if (kShades[shade] === 'none') continue;
    pen.globalAlpha = kShades[shade] === 'human' ? 1 : kShades[shade] === 'answer' ? 0.55 : 0.4;
    pen.fillStyle = colours[shade]!;
    const width = ribbon.prompt[y] ? 16 : 5 + ribbon.length[y]! * 11;
    pen.fillRect(3, y, width, 1);
  }
  pen.globalAlpha = 1;
  for (let y = 0; y < ribbon.shade.length; y++) {
    if (ribbon.compaction[y]) { pen.fillStyle = colour('ink'); pen.fillRect(0, y, kWidth, 1); }
    if (ribbon.error[y]) { pen.fillStyle = colour('bad'); pen.fillRect(0, y, 3, 2); }
    if (ribbon.hit[y]) { pen.fillStyle = colour('mark-strong'); pen.fillRect(kWidth - 5, y - 1, 5, 3); }
  }
}

export function Ribbon({ state, control, controls, moved }: { state: ReaderState; control: ListControl; controls: string; moved: Signal<number> }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [height, setHeight] = useState(0);
  const { outline, rows, hitSet } = { outline: state.outline.value, rows: state.rows.value, hitSet: state.hitSet.value };
  useEffect(() => {
    if (!canvas.current) return undefined;
    const element = canvas.current;
    const again = () => { setHeight(element.clientHeight); paint(element, state); };
    const observer = new ResizeObserver(again);
    observer.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', again);
    const theme = new MutationObserver(again);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    again();
    return () => { observer.disconnect(); scheme.removeEventListener('change', again); theme.disconnect(); };
  }, [outline, rows, hitSet]);

  void moved.value;  // the list moved: the frame is drawn again
  const count = rows?.ordinals.length ?? 0;
  const first = Math.max(0, control.heights.rowAt(control.listTop));
  const last = Math.max(first, control.bottomRow());
  const top = pixelOfRow(first, height, count);
  const seen = pixelOfRow(last + 1, height, count) - top;
  const size = Math.max(10, seen);  // to be seen itself, though it may be far less than a pixel
  const jump = (y: number) => { if (count) control.scrollTo(rowAtPixel(y - seen / 2, height, count)); };
  const onPointer = (event: PointerEvent) => {
    const element = event.currentTarget as HTMLElement;
    if (event.type === 'pointerdown') element.setPointerCapture(event.pointerId);
    if (element.hasPointerCapture(event.pointerId)) jump(event.clientY - element.getBoundingClientRect().top);
  };
  const onKey = (event: KeyboardEvent) => {
    const page = Math.max(1, last - first);
    const steps: Record<string, () => void> = {
      ArrowUp: () => control.scrollTo(Math.max(0, first - 1)),
      ArrowDown: () => control.scrollTo(Math.min(count - 1, first + 1)),
      PageUp: () => control.scrollTo(Math.max(0, first - page)),
      PageDown: () => control.scrollTo(Math.min(count - 1, first + page)),
      Home: () => control.scrollTo(0),
      End: () => control.scrollToEnd(),
    };
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  };
  return (
    <div class="ribbon" role="scrollbar" tabIndex={0} aria-controls={controls} aria-orientation="vertical" aria-label="position in the conversation"
      aria-valuemin={1} aria-valuemax={Math.max(1, count)} aria-valuenow={Math.min(first + 1, Math.max(1, count))} aria-valuetext={`row ${first + 1} of ${count}`}
      onPointerDown={onPointer} onPointerMove={onPointer} onKeyDown={onKey}>
      <canvas ref={canvas} aria-hidden="true" />
      <div class="frame" style={{ transform: `translateY(${Math.min(top, Math.max(0, height - size))}px)`, height: `${Math.min(size, Math.max(height, 10))}px` }} />
    </div>
  );
}
