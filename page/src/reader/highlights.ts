// Marks the words that find looks for in what is mounted, without changing an element: by ranges of the browser's
// highlight registry. A browser without one shows the rows as hits, unmarked.
const kName = 'weft-find';

interface Registry { set(name: string, value: unknown): void; delete(name: string): void }
const registry = (globalThis as { CSS?: { highlights?: Registry } }).CSS?.highlights;
const make = (globalThis as { Highlight?: new (...ranges: Range[]) => unknown }).Highlight;
const kMost = 500;

// The words of a query that stand for themselves: no filters, no excluded words, no operators.
export function plainWords(query: string): string[] {
  const words = query.replace(/(^|\s)-\S+/g, ' ').replace(/\b\w+:("[^"]*"|\S+)/g, ' ').replace(/["*()+]/g, ' ').split(/\s+/);
  return [...new Set(words.filter((word) => word.length > 1 && !/^(AND|OR|NOT)$/.test(word)).map((word) => word.toLowerCase()))];
}

export function markWords(root: Element | null, query: string): void {
  if (!registry || !make) return;
  const words = plainWords(query);
  if (!root || words.length === 0) { registry.delete(kName); return; }
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node && ranges.length < kMost; node = texts.nextNode()) {
    const text = node.nodeValue!.toLowerCase();
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0 && ranges.length < kMost; at = text.indexOf(word, at + word.length)) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
    }
  }
  registry.set(kName, new make(...ranges));
}
