// Character references of Markdown: those of HTML 4 by name, and all numbers. It stands in for the package `entities`
// (build.mjs), whose table of 2,231 names is a tenth of all script. A name that is not here stays as it is written.
const kLatin = 'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot '
  + 'cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute '
  + 'Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde '
  + 'auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave '
  + 'uacute ucirc uuml yacute thorn yuml';
const kGreek = 'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega';
const kOthers = 'quot " amp & lt < gt > apos \' OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ tilde ˜ ndash – mdash — lsquo ‘ rsquo ’ '
  + 'sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull • hellip … permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › oline ‾ frasl ⁄ euro € image ℑ '
  + 'weierp ℘ real ℜ trade ™ alefsym ℵ larr ← uarr ↑ rarr → darr ↓ harr ↔ crarr ↵ lArr ⇐ uArr ⇑ rArr ⇒ dArr ⇓ hArr ⇔ forall ∀ part ∂ exist ∃ '
  + 'empty ∅ nabla ∇ isin ∈ notin ∉ ni ∋ prod ∏ sum ∑ minus − lowast ∗ radic √ prop ∝ infin ∞ ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ '
  + 'cong ≅ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ '
  + 'loz ◊ spades ♠ clubs ♣ hearts ♥ diams ♦ check ✓ sigmaf ς ensp \u2002 emsp \u2003 thinsp \u2009 zwnj \u200c zwj \u200d lrm \u200e rlm \u200f';

const names = new Map<string, string>();
kLatin.split(' ').forEach((name, at) => names.set(name, String.fromCharCode(0xa0 + at)));
kGreek.split(' ').forEach((name, at) => {
  names.set(name, String.fromCharCode(0x391 + at));
  names.set(name.toLowerCase(), String.fromCharCode(0x3b1 + at));
});
const others = kOthers.split(' ');
for (let at = 0; at < others.length; at += 2) names.set(others[at]!, others[at + 1]!);

const isCharacter = (code: number) => code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
const characterOf = (code: number) => (isCharacter(code) ? String.fromCodePoint(code) : '\ufffd');

export function decodeHTMLStrict(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]\w*));/gi, (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
    if (hex !== undefined) return characterOf(parseInt(hex, 16));
    if (decimal !== undefined) return characterOf(Number(decimal));
    return names.get(name!) ?? whole;
  });
}
