// What docs/verify takes from Node's crypto, for a browser: Ed25519 in script, so that a check in a file needs neither a
// secure context nor a promise. The build puts this in the place of node:crypto.
import { hashes, verify as verifyEd25519 } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';

hashes.sha512 = sha512;

export const createPublicKey = ({ key }: { key: { x: string } }): Uint8Array =>
  Uint8Array.from(atob(key.x.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

export function verify(_: null, message: Uint8Array, key: Uint8Array, signature: Uint8Array): boolean {
  try { return verifyEd25519(signature, message, key, { zip215: false }); } catch { return false; }
}
