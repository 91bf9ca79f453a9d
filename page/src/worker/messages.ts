// What the page asks of the worker, and what it answers.
import type { Node, Piece } from './tree.ts';
import type { DiffLine } from '../model/diff.ts';
import type { Layout } from '../model/picture.ts';
import type { Sizes } from './layout.ts';

export type Ask =
  | { id: number; markdown: string }
  | { id: number; code: string; language: string }
  | { id: number; before: string; after: string }
  | { id: number; hunks: DiffLine[][] }  // to mark the words that changed
  | { id: number; graph: Sizes };

export type Answer =
  | { id: number; tree: Node[] }
  | { id: number; pieces: Piece[] | undefined }
  | { id: number; lines: DiffLine[] }
  | { id: number; marked: DiffLine[][] }
  | { id: number; layout: Layout };
