// JSON in, exactly, and canonical JSON out.
export class Refused extends Error {}
export const refuse = (reason) => { throw new Refused(reason); };

// JSON.parse rounds integers beyond 2^53, keeps the last of two equal keys and lets half a
// surrogate pair through. So: integers of 64 bits become BigInt, other numbers doubles,
// objects Map, and whatever a value cannot hold exactly is refused.

const kMaxDepth = 1000;
const kNumber = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const kLiterals = [['true', true], ['false', false], ['null', null]];

export function parseJson(text) {
  let at = 0;
  const stop = (what) => refuse(`JSON at character ${at}: ${what}`);
  const blank = () => { while (' \t\n\r'.includes(text[at] ?? 'x')) at++; };
  const take = (mark) => {
    blank();
    if (text[at] !== mark) return false;
    at++;
    return true;
  };

  function value(depth) {
    if (depth > kMaxDepth) stop('nested too deeply');
    if (take('{')) return object(depth);
    if (take('[')) return array(depth);
    if (text[at] === '"') return string();
    for (const [word, meaning] of kLiterals) {
      if (text.startsWith(word, at)) { at += word.length; return meaning; }
    }
    return number();
  }
  function object(depth) {
    const members = new Map();
    if (take('}')) return members;
    do {
      blank();
      const key = text[at] === '"' ? string() : stop('a key is missing');
      if (members.has(key)) stop('a key stands twice in one object');
      if (!take(':')) stop('a colon is missing');
      members.set(key, value(depth + 1));
    } while (take(','));
    return take('}') ? members : stop('an object does not end');
  }
  function array(depth) {
    const items = [];
    if (take(']')) return items;
    do items.push(value(depth + 1)); while (take(','));
    return take(']') ? items : stop('an array does not end');
  }
  function string() {
    let end = at, slashes;
    do {  // the next quote that an even number of backslashes stands before
      end = text.indexOf('"', end + 1);
      if (end < 0) stop('a string does not end');
      for (slashes = 0; text[end - 1 - slashes] === '\\';) slashes++;
    } while (slashes % 2 === 1);
    let words;
    try { words = JSON.parse(text.slice(at, end + 1)); } catch { stop('a malformed string'); }
    if (/\p{Surrogate}/u.test(words)) stop('half a surrogate pair');
    at = end + 1;
    return words;
  }
  function number() {
    kNumber.lastIndex = at;
    const digits = kNumber.exec(text)?.[0] ?? stop('no JSON value');
    const isInteger = !/[.eE]/.test(digits);
    if (isInteger && digits.length <= 20) {
      const exact = BigInt(digits);
      if (exact >= -(2n ** 63n) && exact < 2n ** 64n) { at += digits.length; return exact; }
    }
    const double = Number(digits);
    const underflow = double === 0 && /[1-9]/.test(digits.split(/[eE]/)[0]);
    // An integer beyond 64 bits is kept if the double's shortest digits are its own.
    const shortest = Math.abs(double).toExponential().split('e')[0].replace('.', '');
    const plain = digits.replace('-', '');
    const exact = !isInteger || plain === shortest.padEnd(plain.length, '0');
    if (!Number.isFinite(double) || underflow || !exact) stop('a number that no double holds');
    at += digits.length;
    return double;
  }

  const result = value(1);
  blank();
  return at === text.length ? result : stop('something follows the value');
}

// RFC 8785. JavaScript is its native tongue: strings as JSON.stringify writes them, doubles as
// String() does, keys sorted by UTF-16 code units as sort() does. A BigInt goes digit for digit.

export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value instanceof Map) {
    const member = (key) => `${JSON.stringify(key)}:${canonical(value.get(key))}`;
    return `{${[...value.keys()].sort().map(member).join(',')}}`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value === 0 ? 0 : value);
}
