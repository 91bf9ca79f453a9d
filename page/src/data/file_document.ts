// A conversation in a file, as `weft export --as html` writes it (src/weft/cli/hand/html_export.cpp): what the reader
// shows, and the signed thoughts behind it, one on each line after the digits of its CID. A block has no content of its
// own where that of the signed thought is shown.
import { documentSource, type BadgeState, type ConversationDocument, type ReaderSource, type Spawned } from './source.ts';
import type { Block } from './types.ts';

export type FileBlock = Partial<Block> & { cid: string; ordinal: number; turn: number; masked?: string[] };
interface Written { conversation: ConversationDocument['conversation']; outline: ConversationDocument['outline']; blocks: FileBlock[] }
export interface FileDocument { owner: string; conversations: Written[] }

// The JSON of each thought, by CID, as text: what is checked is what was written.
export type Lines = ReadonlyMap<string, string>;
export function linesOf(text: string): Lines {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [`cid:blake3:${line.slice(0, 64)}`, line.slice(65)]));
}

// Which conversations a call started, by the signed edges in the file.
function spawnedBy(lines: Lines): Map<string, string[]> {
  const spawned = new Map<string, string[]>();
  for (const line of lines.values()) {
    if (!line.includes('"relation":"spawns"')) continue;
    const { type, content } = JSON.parse(line) as { type: string; content: { from: string; to: string } };
    if (type === 'connection') spawned.set(content.from, [...(spawned.get(content.from) ?? []), content.to]);
  }
  return spawned;
}

// `badge`: what is known of a block; see file_check.ts.
export function sourcesOf(document: FileDocument, lines: Lines, badge: (cid: string, masked: string[] | undefined) => BadgeState | undefined): ReaderSource {
  const spawned = spawnedBy(lines);
  const byCid = new Map(document.conversations.map((one) => [one.conversation.cid, one]));
  const made = new Map<string, ReaderSource>();
  function inner(cid: string): ReaderSource | undefined {
    const written = byCid.get(cid);
    if (!written || made.has(cid)) return made.get(cid);
    const masked = new Map(written.blocks.map((block) => [block.cid, block.masked]));
    const blocks = written.blocks.map((block) => ({ ...(JSON.parse(lines.get(block.cid) ?? '{}') as Block), ...block } as Block));
    const source: ReaderSource = {
      ...documentSource({ ...written, blocks }),
      spawned: (call) => Promise.resolve((spawned.get(call) ?? []).map((child): Spawned => byCid.get(child)?.conversation ?? { cid: child })),
      inner,
      badge: (block) => badge(block, masked.get(block)),
    };
    made.set(cid, source);
    return source;
  }
  return inner(document.conversations[0]!.conversation.cid)!;
}
