// The answers of the server, as `weft COMMAND --json` prints them (docs/commands.md).

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Content = { [name: string]: Json };

export interface Reference { thought_cid: string; anchor?: { exact: string; prefix: string; suffix: string } }

export interface Thought {
  cid: string;
  type: string;
  content: Content;
  created_by: string;
  created_at: number;
  source?: string;
  because: Reference[];
  signature: string;
}

export interface Block extends Thought {
  ordinal: number;
  turn: number;
  lengths?: Record<string, number>;  // full length of each text that was cut, by its JSON pointer
  superseded?: boolean;
  other_branch?: boolean;
}
export interface Blocks { conversation_cid: string; count: number; from: number; blocks: Block[] }

export interface Outline {
  conversation_cid: string;
  count: number;
  from: number;
  kinds: string[];
  tools: string[];
  flags: string[];
  columns: {
    kind: number[];
    time: number[];
    duration_ms: (number | null)[];
    length: (number | null)[];
    tool: (number | null)[];
    flags: number[];
    turn: number[];
    causes: number[][];
  };
  elsewhere: { ordinal: number; cid: string }[];
  sealed?: number;
  notes?: string[];
}

export interface Conversation {
  cid: string;
  session_id: string;
  format: string;
  source: string;
  project: string | null;
  cwd: string | null;
  git_branch: string | null;
  title: string | null;
  summary: string | null;
  created_at: number;
  updated_at: number;
  turn_count: number;
  thought_count: number;
  models: string[];
  parent?: string;
  internal?: boolean;
  subagents?: number;
}
export interface Conversations {
  conversations: Conversation[];
  total: number;
  next_cursor?: string;
  behind?: { done: number; all: number };
  notes?: string[];
}

export interface Hit {
  cid: string;
  type: string;
  score: number;
  snippet: string;
  marks: [number, number][];
  conversation_cid: string;
  session_id: string;
  title: string | null;
  project: string | null;
  turn: number;
  created_at: number;
  places: number;
  sealed?: boolean;
  ordinal?: number;
}
export interface Hits { query: string; total: number; results: Hit[]; next_cursor?: string; notes?: string[] }

export interface Reached extends Thought { depth: number; reached_by?: string; reached_from?: string; conversation_cid?: string }
export interface Trace { thoughts: Reached[]; notes?: string[]; next_cursor?: string }

export interface Connection {
  cid: string;
  relation: string;
  from: string;
  to: string;
  label: string | null;
  index: number | null;
  created_by: string;
  created_at: number;
}
export interface Connections { connections: Connection[] }

export interface Times { thinking_ms: number | null; response_ms: number | null; tool_ms: number | null; waiting_ms: number | null }
export interface Stats extends Times {
  conversations: number;
  turn_count: number;
  tool_calls: number;
  tool_errors: number;
  by_type: Record<string, number>;
  by_tool: Record<string, number>;
  by_model: Record<string, number>;
  tokens: Record<string, number>;
}
export interface Day extends Times { day: string; turn_count: number; block_count: number; tool_calls: number; tool_errors: number }
export interface Days { zone: string; days: Day[] }

export interface CostRow {
  key: string;
  requests: number;
  input: number;
  output: number;
  cache_read: number;
  cache_write_5m: number;
  cache_write_1h: number;
  reasoning: number;
  cost: number | null;
  unpriced_requests: number;
  title?: string | null;
}
export interface Cost { by: string; zone: string; rows: CostRow[]; total?: CostRow; notes?: string[] }

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
export interface Sources { sources: SourceFolder[] }

export interface Hello {
  version: string;
  build: string;
  keys: 'none' | 'metadata' | 'content';
  conversations: number;
  blocks: number;
  checkpoint: string | null;
}

export interface Verdict {
  checked: number;
  valid: number;
  foreign: number;
  consistent: number;
  bad: unknown[];
  missing: unknown[];
  foreign_structure: unknown[];
  store: unknown[];
  head: string;
  verdict: string;
}

export interface Found { ordinals: number[]; total: number; notes?: string[] }
export interface Suggestions { sessions: Conversation[]; projects: string[]; tools: string[] }
