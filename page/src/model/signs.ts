// Characters that nobody sees but that change what is seen: controls, marks of direction, tags, byte order marks.
// A transcript may hold them to hide words or to reorder them; the page shows a sign in their place.

// eslint-disable-next-line no-control-regex
const kHidden = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}\uD800-\uDFFF]/u;
const kEach = new RegExp(kHidden.source, 'gu');
// England, Scotland and Wales are a black flag and tags. Nothing else needs tags.
const kFlag = /\u{1F3F4}[\u{E0061}-\u{E007A}]{3,6}\u{E007F}/gu;

function signOf(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if (code >= 0xe0020 && code <= 0xe007e) return `⟨tag ${String.fromCodePoint(code - 0xe0000)}⟩`;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

// `text` with a visible sign for each hidden character. Line feeds and tabs stay; CR LF becomes LF.
export function visible(text: string): string {
  if (!kHidden.test(text)) return text;
  const lines = text.replace(/\r\n/g, '\n');
  let out = '';
  let from = 0;
  for (const flag of lines.matchAll(kFlag)) {
    out += lines.slice(from, flag.index).replace(kEach, signOf) + flag[0];
    from = flag.index + flag[0].length;
  }
  return out + lines.slice(from).replace(kEach, signOf);
}

// One line of it, for titles and one-line rows.
export function oneLine(text: string, most = 240): string {
  const cut = text.length > most * 4 ? text.slice(0, most * 4) : text;
  const line = visible(cut.replace(/\s+/g, ' ').trim());
  const characters = line.length > most ? [...line] : undefined;
  return characters && characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line;
}
