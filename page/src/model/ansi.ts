// The colours of a terminal as spans. Knows SGR (colours, bold, dim, italic, underline, inverse); every other escape
// sequence (cursor, title, links) is dropped, with the words that it carries for the terminal. A carriage return
// overwrites its line, as progress bars mean it to. Colours are classes, so that a theme decides how they look.
import { visible } from './signs.ts';

export interface Span { text: string; classes: string }

const kSequence = /\u001b(?:\[([0-9:;<=>?]*)[ -/]*([@-~])|[\]P^_X][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|[ -/]*[0-~]?)|\u009b([0-9;]*)([@-~])/g;

interface Style { fore: string; back: string; marks: Set<string> }
const plain = (): Style => ({ fore: '', back: '', marks: new Set() });

const kMarks: Record<number, string> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'under', 7: 'inverse', 9: 'strike' };
const kEnds: Record<number, string[]> = { 22: ['bold', 'dim'], 23: ['italic'], 24: ['under'], 27: ['inverse'], 29: ['strike'] };

// The 256 colours and true colours come as the nearest of the sixteen: a theme has no more.
function nearest(red: number, green: number, blue: number): number {
  const bright = Math.max(red, green, blue) > 191 ? 8 : 0;
  const on = (part: number) => part > Math.max(red, green, blue) / 2 && part > 47;
  const index = (on(red) ? 1 : 0) + (on(green) ? 2 : 0) + (on(blue) ? 4 : 0);
  return index === 7 && bright === 0 && red < 128 ? 8 : index + bright;
}
function fromTable(index: number): number {
  if (index < 16) return index;
  if (index >= 232) return index < 244 ? 8 : 7;
  const cube = index - 16;
  const part = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  return nearest(part(Math.floor(cube / 36)), part(Math.floor(cube / 6) % 6), part(cube % 6));
}

function apply(style: Style, codes: number[]): void {
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code === 0) Object.assign(style, plain());
    else if (kMarks[code]) style.marks.add(kMarks[code]);
    else if (kEnds[code]) kEnds[code].forEach((mark) => style.marks.delete(mark));
    else if (code >= 30 && code <= 37) style.fore = `f${code - 30}`;
    else if (code >= 90 && code <= 97) style.fore = `f${code - 82}`;
    else if (code === 39) style.fore = '';
    else if (code >= 40 && code <= 47) style.back = `b${code - 40}`;
    else if (code >= 100 && code <= 107) style.back = `b${code - 92}`;
    else if (code === 49) style.back = '';
    else if (code === 38 || code === 48) {
      const kind = codes[i + 1];
      const colour = kind === 5 ? fromTable(codes[i + 2] ?? 0) : nearest(codes[i + 2] ?? 0, codes[i + 3] ?? 0, codes[i + 4] ?? 0);
      i += kind === 5 ? 2 : 4;
      if (code === 38) style.fore = `f${colour}`;
      else style.back = `b${colour}`;
    }
  }
}

const classesOf = ({ fore, back, marks }: Style) => [fore, back, ...marks].filter(Boolean).map((name) => `ansi-${name}`).join(' ');

// A line that returns to its beginning shows what was written last.
function overwrite(text: string): string {
  if (!text.includes('\r')) return text;
  return text.replace(/\r+\n/g, '\n').replace(/[^\n]*\r(?=[^\n])/g, '').replace(/\r/g, '');
}

export function hasAnsi(text: string): boolean {
  return text.includes('\u001b') || text.includes('\u009b') || text.includes('\r');
}

export function ansiSpans(text: string): Span[] {
  const spans: Span[] = [];
  const style = plain();
  const add = (words: string) => {
    if (!words) return;
    const classes = classesOf(style);
    const last = spans.at(-1);
    const shown = visible(words);
    if (last && last.classes === classes) last.text += shown;
    else spans.push({ text: shown, classes });
  };
  const source = overwrite(text);
  let from = 0;
  for (const found of source.matchAll(kSequence)) {
    add(source.slice(from, found.index));
    from = found.index + found[0].length;
    const final = found[2] ?? found[4];
    const parameters = found[1] ?? found[3] ?? '';
    if (final === 'm' && /^[0-9;:]*$/.test(parameters)) apply(style, parameters.split(/[;:]/).map(Number));
  }
  add(source.slice(from));
  return spans;
}
