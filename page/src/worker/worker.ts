// The worker: Markdown, colours of code, differences and layouts, away from the thread that scrolls. It keeps nothing.
import { answer } from './answer.ts';
import type { Ask } from './messages.ts';

self.onmessage = ({ data }: MessageEvent<Ask>) => { self.postMessage(answer(data)); };
self.postMessage({ id: 0 });  // it runs (data/work_queue.ts)
