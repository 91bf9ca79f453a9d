// Prints a conversation as it is shown. A list mounts only what is near the view, so every row is mounted, with its block
// and its Markdown, before the browser is asked to print.
import { say } from '../data/state.ts';
import { count } from '../model/format.ts';
import type { ListControl } from '../parts/list_control.ts';
import type { ReaderState } from './state.ts';

const kMostBlocks = 2500;  // the cache keeps some more at once
const kPatience = 20_000;

const isDrawn = () => document.querySelector('.entry .waiting, .entry .markdown.plain') === null;

export async function printConversation(state: ReaderState, control: ListControl): Promise<void> {
  const outline = state.outline.peek();
  if (!outline || !state.isWhole.peek()) return say('not all of the conversation is here yet');
  if (outline.count > kMostBlocks) return say(`${count(outline.count)} blocks are too many to print; weft export writes them all`);
  control.mountAll(true);
  const end = performance.now() + kPatience;
  for (let drawn = 0; drawn < 3 && performance.now() < end;) {
    await new Promise(requestAnimationFrame);
    drawn = isDrawn() ? drawn + 1 : 0;
  }
  window.print();
  control.mountAll(false);
}
