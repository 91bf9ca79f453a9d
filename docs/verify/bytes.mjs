// Bytes as text and back, each in one spelling, in Node and in a browser.
const kHex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
export function toHex(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at++) text += kHex[bytes[at]];
  return text;
}
export function fromHex(hex) {
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

const utf8 = new TextEncoder();
const exactUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
export const toUtf8 = (text) => utf8.encode(text);
// Throws if the bytes are not UTF-8.
export const fromUtf8 = (bytes) => exactUtf8.decode(bytes);

const kPiece = 0x8000;  // arguments of a call
export function toBase64(bytes) {
  let raw = '';
  for (let at = 0; at < bytes.length; at += kPiece) raw += String.fromCharCode(...bytes.subarray(at, at + kPiece));
  return btoa(raw);
}
// RFC 4648 with padding. Undefined for anything that toBase64 does not write.
export function fromBase64(text) {
  let raw;
  try { raw = atob(text); } catch { return undefined; }
  if (btoa(raw) !== text) return undefined;
  const bytes = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at++) bytes[at] = raw.charCodeAt(at);
  return bytes;
}

export function concat(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
