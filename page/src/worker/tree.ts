// What Markdown becomes: a tree of the few nodes below, never a string of markup. The worker builds it, the page turns
// it into elements one by one. What is not on this list cannot reach the page.

export const kTags = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'hr', 'br', 'em', 'strong',
  's', 'code', 'table', 'thead', 'tbody', 'tr', 'th', 'td'] as const;
export type Tag = typeof kTags[number];

export type Node =
  | string
  | { tag: Tag; children: Node[]; start?: number; align?: 'left' | 'center' | 'right' }
  | { link: string; children: Node[] }  // an address that was checked by safeLink
  | { image: string; alt: string }      // never loaded: shown as a placeholder with the host
  | { fence: string; language: string; spans?: Piece[] };

export interface Piece { text: string; classes: string }

// The address if it may be followed: http, https and mailto, spelt as the URL parser spells it; otherwise nothing.
export function safeLink(address: string): string | undefined {
  let url: URL;
  try { url = new URL(address); } catch { return undefined; }
  if (url.protocol === 'mailto:') return url.href;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return url.username || url.password || !url.hostname ? undefined : url.href;
}

export function hostOf(address: string): string {
  try { return new URL(address).host; } catch { return ''; }
}
