// Code, and output of terminals: a box that scrolls sideways on its own. Long ones are folded to their first lines.
import { useEffect, useState } from 'preact/hooks';
import { colours } from '../data/work.ts';
import { ansiSpans, hasAnsi } from '../model/ansi.ts';
import { count } from '../model/format.ts';
import { visible } from '../model/signs.ts';
import type { Piece } from '../worker/tree.ts';

export function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return <>{pieces.map((piece, at) => (piece.classes ? <span key={at} class={piece.classes}>{piece.text}</span> : piece.text))}</>;
}

// `pieces`: colours that are known already; without them, and with a language, they are asked for. `numbers`: those of the
// lines, one a line.
export function Code({ text, language = '', pieces, numbers }: { text: string; language?: string; pieces?: Piece[]; numbers?: string }) {
  const [made, setMade] = useState<{ text: string; pieces?: Piece[] }>({ text: '' });
  useEffect(() => {
    if (pieces || !language) return undefined;
    let isCurrent = true;
    void colours(visible(text), language).then((found) => { if (isCurrent) setMade({ text, pieces: found }); });
    return () => { isCurrent = false; };
  }, [text, language, pieces]);
  const shown = pieces ?? (made.text === text ? made.pieces : undefined);
  return (
    <pre class={numbers ? 'code numbered' : 'code'} tabIndex={0} aria-label={language ? `code, ${language}` : 'code'}>
      {numbers && <span class="numbers" aria-hidden="true">{numbers}</span>}
      <code>{shown ? <Pieces pieces={shown} /> : visible(text)}</code>
    </pre>
  );
}

// The text of a tool's output, with a terminal's colours.
export function Output({ text, isError = false }: { text: string; isError?: boolean }) {
  return (
    <pre class={isError ? 'code output error' : 'code output'} tabIndex={0} aria-label={isError ? 'output, an error' : 'output'}>
      <code>{hasAnsi(text) ? <Pieces pieces={ansiSpans(text)} /> : visible(text)}</code>
    </pre>
  );
}

const kFoldedLines = 14;
const kFoldedCharacters = 2400;
const kPiece = 200_000;

export function foldedText(text: string): string {
  const lines = text.split('\n', kFoldedLines + 1);
  const start = lines.length > kFoldedLines ? lines.slice(0, kFoldedLines).join('\n') : text;
  return start.slice(0, kFoldedCharacters);
}

// `whole`: characters of the whole text, of which `text` may be the beginning; `more` fetches the rest.
export function Folded({ text, whole, more, render, isOpen = false }: {
  text: string; whole: number; more: () => void; render: (text: string) => preact.ComponentChild; isOpen?: boolean;
}) {
  const [isUnfolded, setUnfolded] = useState(isOpen);
  const [pieces, setPieces] = useState(1);
  const short = foldedText(text);
  const isLong = short.length < text.length || text.length < whole;
  if (!isUnfolded && isLong) {
    return (
      <div class="folded">
        {render(short)}
        <button type="button" class="more" onClick={() => { setUnfolded(true); if (text.length < whole) more(); }}>
          show all {count(Math.max(whole, text.length))} characters
        </button>
      </div>
    );
  }
  const shown = text.slice(0, pieces * kPiece);
  return (
    <div class="folded">
      {render(shown)}
      {isLong && (
        <div class="fold-line">
          {shown.length < text.length && <button type="button" class="more" onClick={() => setPieces(pieces + 1)}>show the next {count(Math.min(kPiece, text.length - shown.length))} characters</button>}
          <button type="button" class="more" onClick={() => setUnfolded(false)}>fold</button>
        </div>
      )}
    </div>
  );
}
