// The questions of the server and their answers. Written by tools/types.mjs from /api/schemas: do not edit.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface AllForgotten {
  forgotten: Forgotten[];
}

export interface AllNames {
  projects: string[];
  tools: string[];
}

export interface Anchor {
  exact: string;
  prefix: string;
  suffix: string;
}

export interface Behind {
  done: number;
  all: number;
}

export interface BlameRun {
  first: number;
  last: number;
  commit?: { sha: string; subject: string; author: string; author_time: number; };
  rule?: 'replayed' | 'written' | 'reported' | 'earlier';
  sure?: 'certain' | 'likely' | 'weak';
  reported_by?: 'Weft-Thought' | 'git-ai';
  request_cid?: string;
  conversation_cid?: string;
  session_id?: string;
  title?: string | null;
  time?: number;
  model?: string;
  thinking_cid?: string;
  prompt_cid?: string;
  reason?: string;
  silence?: 'no_edit_of_path' | 'older_than_sessions' | 'too_short' | 'not_this_line' | 'not_in_git';
}

export interface BlameSession {
  conversation_cid: string;
  title: string | null;
  lines: number;
}

export interface BlamedLines {
  path: string;
  repository?: string;
  rev: string | null;
  lines: number;
  answered: number;
  weak: number;
  silent: Record<string, Json>;
  notes?: string[];
  conversation_cid: string;  // of the call
  state: string;  // names the state of the file that this is a page of
  from: number;  // the number of the first line here
  text: string[];  // the lines here
  lengths?: Record<string, number>;  // full lengths of lines that were cut, by their number
  runs: BlameRun[];
  sessions?: BlameSession[];
}

export interface Block {
  cid: string;
  type: string;
  content: Record<string, Json>;
  created_by: string;
  created_at: number;  // ms since 1970
  source?: string;
  because: Reference[];
  signature: string;
  foreign?: boolean;  // signed by another than the owner
  witnessed?: Witness;  // weft record heard it
  masked?: string[];  // what is masked in its content, such as github-token
  ordinal: number;
  turn: number;
  lengths?: Record<string, number>;  // full lengths of texts that were cut, by JSON pointer
  superseded?: boolean;
  other_branch?: boolean;
  summary?: ReasoningSummary;  // of reasoning that cannot be read
}

export interface Blocks {
  conversation_cid: string;
  count: number;
  from: number;
  blocks: Block[];
}

export interface CarriedOut {
  tombstone: string;
  conversations: string[];
  thoughts: number;
  at: number;
}

export interface Columns {
  kind: number[];
  time: number[];
  duration_ms: (number | null)[];
  length: (number | null)[];
  tool: (number | null)[];
  flags: number[];
  turn: number[];
  causes: number[][];
}

export interface Conversation {
  cid: string;
  session_id: string;
  format: string;
  source: string;  // primary, or subagent:<id>
  project: string | null;
  cwd: string | null;
  git_branch: string | null;
  title: string | null;
  summary: string | null;
  created_at: number;  // ms since 1970
  updated_at: number;  // ms since 1970
  turn_count: number;
  thought_count: number;
  models: string[];
  parent?: string;  // the conversation whose call spawned it
  internal?: boolean;  // a program spoke to itself
  subagents?: number;  // with fold: conversations that it spawned
  foreign?: boolean;
  fork?: Fork;
}

export interface Conversations {
  conversations: Conversation[];
  total: number;  // number of matches
  next_cursor?: string;
  notes?: string[];
  behind?: Behind;  // how many rows of tables were there already
}

export interface Cost {
  by: string;
  zone: string;
  rows: CostRow[];
  total: CostTotal;
  unpriced: Unpriced[];
  prices: Record<string, Json>;
  notes?: string[];
  behind?: Behind;  // how many rows of tables were there already
}

export interface CostRow {
  requests: number;
  input: number;
  output: number;
  cache_read: number;
  cache_write_5m: number;
  cache_write_1h: number;
  reasoning: number;
  cost: number | null;  // in dollars; null if no request has a price
  unpriced_requests: number;
  key: string;
  title?: string | null;
}

export interface CostTotal {
  requests: number;
  input: number;
  output: number;
  cache_read: number;
  cache_write_5m: number;
  cache_write_1h: number;
  reasoning: number;
  cost: number | null;  // in dollars; null if no request has a price
  unpriced_requests: number;
}

export interface Day {
  thinking_ms: number | null;
  response_ms: number | null;
  tool_ms: number | null;
  waiting_ms: number | null;
  tool_calls: number;
  tool_errors: number;
  turn_count: number;
  day: string;
  block_count: number;
}

export interface Days {
  zone: string;
  days: Day[];
  undated_blocks?: number;
  notes?: string[];
  behind?: Behind;  // how many rows of tables were there already
}

export interface Elsewhere {
  ordinal: number;
  cid: string;
}

export interface Forgotten {
  cid: string;  // of the tombstone
  created_at: number;
  created_by: string;
  conversations: string[];
  thoughts: number;  // how many were removed
  verdict: 'valid' | 'consistent' | 'foreign' | 'bad';
  reason?: string;
}

export interface Fork {
  of: string;  // the conversation that it was forked or resumed from
  shared: number;  // blocks that stood there before
  blocks: number;
}

export interface Found {
  total: number;
  ordinals: number[];  // ascending
  notes?: string[];
}

export interface Hello {
  version: string;
  build: string;
  keys: 'none' | 'metadata' | 'content';
  conversations: number;
  blocks: number;
  checkpoint: string | null;  // the newest of the store
  files: boolean;  // whether this server shows the texts of files
  owner?: Owner;  // whom the keyring names; not without one
}

export interface Hit {
  cid: string;
  type: string;
  score: number;
  snippet: string;
  marks: [number, number][];  // which code points of the snippet match: from, to
  conversation_cid: string | null;
  session_id: string | null;
  title: string | null;
  project: string | null;
  turn: number | null;
  created_at: number;  // ms since 1970
  places: number;  // number of places where the thought occurs
  more?: number;  // with group session: further matches there
  tool?: string;  // that a call called
  sealed?: boolean;  // it has text that is stored sealed
  foreign?: boolean;
}

export interface Hits {
  query: string;
  total: number;  // number of matches
  results: Hit[];
  next_cursor?: string;  // of the next page, if there is one
  sealed_not_searched?: boolean;
  not_searched?: number;  // thoughts with sealed text that no key opens
  notes?: string[];
}

export interface Keeper {
  is_kept: boolean;  // whether a process keeps the web now
  keeper: KeptBy | null;
  behind: number;  // how many rows are still to be checked
  checked: number;
  rounds: number;
  findings: KeeperFinding[];
  forgotten: CarriedOut[];
  waiting: WaitingToForget[];
  wiped: boolean;
  merged_at: number | null;
  analyzed_at: number | null;
  error: string | null;
}

export interface KeeperFinding {
  cid: string;
  kind: 'bad' | 'missing' | 'foreign';
}

export interface KeptBy {
  name: string;
  since: number;
}

export interface OnPath {
  cid: string;
  type: string;
  content: Record<string, Json>;
  created_by: string;
  created_at: number;  // ms since 1970
  source?: string;
  because: Reference[];
  signature: string;
  foreign?: boolean;  // signed by another than the owner
  witnessed?: Witness;  // weft record heard it
  masked?: string[];  // what is masked in its content, such as github-token
  reached_by?: string;  // the edge; not at the first
}

export interface Outline {
  conversation_cid: string;
  count: number;
  from: number;
  kinds: string[];
  tools: string[];
  flags: string[];
  columns: Columns;
  elsewhere: Elsewhere[];
  sealed?: number;
  notes?: string[];
}

export interface Owner {
  name: string;
  pubkey: string;
}

export interface Path {
  path: OnPath[];
  rests: 'from' | 'to' | null;  // which of the two rests on the other, and is the first of the path
  searched: number;
  truncated: boolean;  // the limit was reached: there may be a path
}

export interface Place {
  cid: string;
  session_id: string;
  format: string;
  source: string;  // primary, or subagent:<id>
  project: string | null;
  cwd: string | null;
  git_branch: string | null;
  title: string | null;
  summary: string | null;
  created_at: number;  // ms since 1970
  updated_at: number;  // ms since 1970
  turn_count: number;
  thought_count: number;
  models: string[];
  parent?: string;  // the conversation whose call spawned it
  internal?: boolean;  // a program spoke to itself
  subagents?: number;  // with fold: conversations that it spawned
  foreign?: boolean;
  ordinal: number | null;  // in the outline of the main branch
  ordinal_in_all?: number;  // in the outline of all branches, if it is not in the main one
}

export interface Places {
  places: Place[];
}

export interface Quarter {
  time: number;  // its beginning, ms since 1970
  blocks: number;
  turns: number;
  tool_calls: number;
  tool_errors: number;
}

export interface Reached {
  cid: string;
  type: string;
  content: Record<string, Json>;
  created_by: string;
  created_at: number;  // ms since 1970
  source?: string;
  because: Reference[];
  signature: string;
  foreign?: boolean;  // signed by another than the owner
  witnessed?: Witness;  // weft record heard it
  masked?: string[];  // what is masked in its content, such as github-token
  depth: number;  // steps from the start, which has 0
  reached_by?: string;  // the edge; not at the start
  reached_from?: string;  // the CID at its other end
  summary?: ReasoningSummary;  // of reasoning that cannot be read
}

export interface ReasoningSummary {
  cid: string;
  text: string;
}

export interface Reference {
  thought_cid: string;
  anchor?: Anchor;
}

export interface RouteSchema {
  path: string;
  parameters: Record<string, Json>;
  answer?: Record<string, Json>;
}

export interface Schemas {
  routes: RouteSchema[];
}

export interface SourceFile {
  format: string;
  path: string;
  project: string;
  archived_bytes: number;
  gone: boolean;
  conversations: number;
  last_ingest: number;
}

export interface SourceFolder {
  format: string;
  path: string;
  files: number;
  bytes: number;
  ingested: number;
  gone: number;
  archived_bytes: number;
  conversations: number;
  last_ingest: number | null;
}

export interface Sources {
  sources?: SourceFolder[];
  files?: SourceFile[];
}

export interface Stats {
  thinking_ms: number | null;
  response_ms: number | null;
  tool_ms: number | null;
  waiting_ms: number | null;
  tool_calls: number;
  tool_errors: number;
  turn_count: number;
  conversations: number;
  by_type: Record<string, number>;
  by_tool: Record<string, number>;
  by_model: Record<string, number>;
  tokens: Tokens;
  notes?: string[];
  behind?: Behind;  // how many rows of tables were there already
}

export interface Suggestions {
  sessions: Conversation[];
  projects: string[];
  tools: string[];
  notes?: string[];
}

export interface TextPiece {
  pointer: string;
  from: number;
  length: number;  // of the whole text, in characters
  text: string;
}

export interface Thought {
  cid: string;
  type: string;
  content: Record<string, Json>;
  created_by: string;
  created_at: number;  // ms since 1970
  source?: string;
  because: Reference[];
  signature: string;
  foreign?: boolean;  // signed by another than the owner
  witnessed?: Witness;  // weft record heard it
  masked?: string[];  // what is masked in its content, such as github-token
}

export interface Today {
  zone: string;
  start: number;  // of the day, ms since 1970
  quarters: Quarter[];  // those in which something was done, in order
}

export interface Tokens {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  estimated: number;  // if the source does not count them
}

export interface Trace {
  thoughts: Reached[];
  truncated: boolean;  // there are more
}

export interface Unpriced {
  model: string;
  requests: number;
}

export interface WaitingToForget {
  tombstone: string;
  conversations: string[];
  why: string;
}

export interface Witness {
  attestation: string;
  by: string;
  at: number;  // ms since 1970
  request_sha256?: string;
  response_sha256?: string;
}

export interface Api {
  '/api/conversations': { parameters: { project?: string | undefined; format?: string | undefined; since?: string | undefined; title?: string | undefined; cursor?: string | undefined; fold?: boolean | undefined; internal?: boolean | undefined; limit?: number | undefined }; answer: Conversations };
  '/api/conversations/{conversation}': { parameters: { conversation: string }; answer: Conversation };
  '/api/conversations/{conversation}/blocks': { parameters: { conversation: string; branch?: string | undefined; all?: boolean | undefined; from?: number | undefined; limit?: number | undefined; cut?: number | undefined }; answer: Blocks };
  '/api/conversations/{conversation}/diff': { parameters: { conversation: string; block?: string | undefined; file?: string | undefined }; answer: { conversation_cid: string; block_cid?: string; files: ({ path: string; status: 'added' | 'changed' | 'removed' | 'moved'; moved_from?: string; whole: boolean; added: number; removed: number; edits: { cid: string; result_cid?: string; time: number; file?: number; }[]; hunks: ({ before_first: number | null; before_count: number; after_first: number | null; after_count: number; lines: string[]; })[]; })[]; added: number; removed: number; sealed?: number; } };
  '/api/conversations/{conversation}/find': { parameters: { conversation: string; q: string; branch?: string | undefined; all?: boolean | undefined; limit?: number | undefined }; answer: Found };
  '/api/conversations/{conversation}/outline': { parameters: { conversation: string; branch?: string | undefined; all?: boolean | undefined; from?: number | undefined; limit?: number | undefined }; answer: Outline };
  '/api/conversations/{conversation}/stats': { parameters: { conversation: string; by?: 'day' | undefined }; answer: Stats | Days };
  '/api/cost': { parameters: { by?: 'day' | 'week' | 'month' | 'model' | 'project' | 'session' | 'prompt' | undefined; since?: string | undefined; until?: string | undefined; conversation?: string | undefined }; answer: Cost };
  '/api/forgotten': { parameters: Record<never, never>; answer: AllForgotten };
  '/api/hello': { parameters: Record<never, never>; answer: Hello };
  '/api/keeper': { parameters: Record<never, never>; answer: Keeper };
  '/api/names': { parameters: Record<never, never>; answer: AllNames };
  '/api/path': { parameters: { from: string; to: string; limit?: number | undefined }; answer: Path };
  '/api/schemas': { parameters: Record<never, never>; answer: Schemas };
  '/api/search': { parameters: { q: string; type?: string | undefined; project?: string | undefined; role?: 'human' | 'assistant' | 'system' | undefined; since?: string | undefined; until?: string | undefined; conversation?: string | undefined; group?: 'session' | undefined; cursor?: string | undefined; limit?: number | undefined }; answer: Hits };
  '/api/sources': { parameters: { files?: boolean | undefined }; answer: Sources };
  '/api/stats': { parameters: { by?: 'day' | undefined }; answer: Stats | Days };
  '/api/suggest': { parameters: { q: string }; answer: Suggestions };
  '/api/thoughts/{cid}': { parameters: { cid: string; sealed?: boolean | undefined; reveal?: boolean | undefined }; answer: Thought };
  '/api/thoughts/{cid}/blame': { parameters: { cid: string; file?: number | undefined; from?: number | undefined; limit?: number | undefined; state?: string | undefined }; answer: BlamedLines };
  '/api/thoughts/{cid}/connections': { parameters: { cid: string; relation?: string | undefined }; answer: { connections: ({ cid: string; relation: string; from: string; to: string; label?: string | null; index?: number | null; created_by: string; created_at: number; })[]; total?: number; next_offset?: number; } };
  '/api/thoughts/{cid}/effects': { parameters: { cid: string; depth?: number | undefined; limit?: number | undefined }; answer: Trace };
  '/api/thoughts/{cid}/places': { parameters: { cid: string }; answer: Places };
  '/api/thoughts/{cid}/text': { parameters: { cid: string; pointer: string; from?: number | undefined; count?: number | undefined }; answer: TextPiece };
  '/api/thoughts/{cid}/why': { parameters: { cid: string; depth?: number | undefined; limit?: number | undefined }; answer: Trace };
  '/api/today': { parameters: Record<never, never>; answer: Today };
  '/api/verify': { parameters: { of?: string | undefined; quick?: boolean | undefined }; answer: { checked: number; valid: number; trusted?: number; foreign: number; consistent?: number; bad: { cid: string; reason: string; }[]; bad_total?: number; missing: string[]; missing_total?: number; foreign_structure?: ({ cid: string; conversation: string | null; reason: string; created_by?: string; key?: string | null; })[]; foreign_structure_total?: number; signers?: { name: string; key: string; trusted: boolean; signatures: number; }[]; signers_total?: number; store?: { table: string; what: string; cid?: string; cure: string; }[]; store_total?: number; notes?: string[]; head: string; verdict?: 'valid' | 'consistent' | 'bad'; } };
}
