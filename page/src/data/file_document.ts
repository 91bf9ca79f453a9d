// A conversation in a file, as `weft export --as html` writes it (src/weft/cli/hand/html_export.cpp): what the reader
// shows, and the signed thoughts behind it, one on each line after the digits of its CID. What a signed thought says is
// taken from there, so that what is shown is what is checked. A block has content of its own only if a layer was opened or
// a secret masked, and is then shown as such.
import { documentSource, type BadgeState, type ConversationDocument, type ReaderSource, type Spawned } from './source.ts';
import type { Block } from './types.ts';
import { kindOf } from '../model/format.ts';

export type FileBlock = Partial<Block> & { cid: string; ordinal: number; turn: number; masked?: string[] };
// Where the text of a block comes from: the signed thought; a layer of it that was opened; or nothing that is signed.
export type Origin = 'signed' | 'opened' | 'masked' | 'foreign';
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

// What only the reader's document says of a block.
const kBeside = ['ordinal', 'turn', 'superseded', 'other_branch', 'summary', 'foreign'] as const;

function blockOf(written: FileBlock, line: string | undefined): { block: Block; origin: Origin } {
  const stored = line === undefined ? undefined : JSON.parse(line) as Block & { masked?: string[] };
  if (stored?.content === undefined) return { block: written as Block, origin: stored?.masked ? 'masked' : 'foreign' };
  const beside = Object.fromEntries(kBeside.filter((name) => Object.hasOwn(written, name)).map((name) => [name, written[name]]));
  const block = { ...stored, ...beside } as Block;
  if (written.content === undefined) return { block, origin: 'signed' };
  return { block: { ...block, content: written.content }, origin: Object.hasOwn(stored.content, '$layers') ? 'opened' : 'foreign' };
}

// Kinds and times of the rows as the blocks have them.
function outlineOf(outline: Written['outline'], blocks: Block[]): Written['outline'] {
  const kinds = [...new Set(blocks.map((block) => kindOf(block.type)))];
  return { ...outline, kinds, columns: { ...outline.columns, kind: blocks.map((block) => kinds.indexOf(kindOf(block.type))), time: blocks.map((block) => block.created_at) } };
}

// `badge`: what is known of a block; see file_check.ts.
export function sourcesOf(document: FileDocument, lines: Lines, badge: (cid: string, origin: Origin, masked: string[]) => BadgeState | undefined): ReaderSource {
  const spawned = spawnedBy(lines);
  const byCid = new Map(document.conversations.map((one) => [one.conversation.cid, one]));
  const made = new Map<string, ReaderSource>();
  function inner(cid: string): ReaderSource | undefined {
    const written = byCid.get(cid);
    if (!written || made.has(cid)) return made.get(cid);
    const read = written.blocks.map((block) => blockOf(block, lines.get(block.cid)));
    const origins = new Map(read.map(({ block, origin }) => [block.cid, origin]));
    const masked = new Map(written.blocks.map((block) => [block.cid, block.masked ?? []]));
    const blocks = read.map(({ block }) => block);
    const source: ReaderSource = {
      ...documentSource({ ...written, outline: outlineOf(written.outline, blocks), blocks }),
      spawned: (call) => Promise.resolve((spawned.get(call) ?? []).map((child): Spawned => byCid.get(child)?.conversation ?? { cid: child })),
      inner,
      badge: (block) => badge(block, origins.get(block) ?? 'foreign', masked.get(block) ?? []),
    };
    made.set(cid, source);
    return source;
  }
  return inner(document.conversations[0]!.conversation.cid)!;
}
