// A user's folder as the tools leave it: fixtures in the places where weft looks by itself, two
// databases, and files that weft must leave alone.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryFixtures, touch, writeScene } from './scene.mjs';

const session = '5f0c1a52-94d1-4c0e-8a55-0d1f6f6a7c01';
const files = {
  [`.claude/projects/-home-ada-garden/${session}.jsonl`]: 'claude_code/main.jsonl',
  [`.claude/projects/-home-ada-garden/${session}/subagents/agent-a7d3.jsonl`]: 'claude_code/agent-a7d3.jsonl',
  '.claude/projects/-home-ada-garden/history.jsonl': 'claude_code/branches.jsonl',
  '.codex/sessions/2026/09/01/rollout-2026-09-01T08-00-00-legacy-1.jsonl': 'codex/legacy.jsonl',
  '.codex/sessions/2026/09/01/rollout-2026-09-01T08-00-00-01990000-0000-7000-8000-000000000001.jsonl': 'codex/paginated.jsonl',
  '.gemini/tmp/garden/chats/session-2026-02-01T09-00-7d3c1f52.json': 'gemini/document.json',
  '.gemini/tmp/garden/chats/session-2026-02-02T09-00-7d3c1f53.jsonl': 'gemini/log.jsonl',
  '.gemini/tmp/garden/logs.json': 'gemini/history.json',
  '.qwen/projects/-srv-garden/chats/session.jsonl': 'qwen/session.jsonl',
  '.copilot/session-state/harbour/events.jsonl': 'copilot/resumed.jsonl',
  '.kimi/sessions/a/b/wire.jsonl': 'kimi/wire.jsonl',
  '.kimi/sessions/a/b/context.jsonl': 'kimi/context.jsonl',
  '.cursor/projects/p/agent-transcripts/c2.jsonl': 'cursor/transcript.jsonl',
  '.cline/data/sessions/s-wool/s-wool.messages.json': 'cline/session.messages.json',
  '.openclaw/agents/main/sessions/gateway.jsonl': 'openclaw/gateway.jsonl',
  '.pi/agent/sessions/--srv-garden--/branches.jsonl': 'pi/branches.jsonl',
};

const databases = {
  '.local/share/opencode/opencode.db': `
    CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, slug TEXT,
      directory TEXT, title TEXT, version TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER,
      time_updated INTEGER, data TEXT);
    INSERT INTO session VALUES ('ses_1', 'global', NULL, 'x', '/srv/loom', 'Looms', '1.2.0', NULL, 1, 2);
    INSERT INTO message VALUES ('msg_1', 'ses_1', 10, 101, '{"role":"user","time":{"created":10}}');
    INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', 1, 102, '{"type":"text","text":"where is the loom?"}');
    INSERT INTO message VALUES ('msg_2', 'ses_1', 11, 103, '{"role":"assistant","modelID":"m","time":{"created":11}}');
    INSERT INTO part VALUES ('prt_2', 'msg_2', 'ses_1', 1, 104, '{"type":"text","text":"In the attic."}');`,
  '.config/Cursor/User/globalStorage/state.vscdb': `
    CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
    CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
    INSERT INTO cursorDiskKV VALUES ('composerData:c1', '{"composerId":"c1","name":"Loom",` +
    `"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2}]}');
    INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b1', '{"type":1,"text":"where is the loom?"}');
    INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b2', '{"type":2,"text":"in the attic"}');`,
};

// Fills the folder `user`.
export function makePlaces(user) {
  for (const [place, fixture] of Object.entries(files)) {
    writeScene(join(user, place), readFileSync(join(repositoryFixtures, fixture)));
  }
  for (const [place, sql] of Object.entries(databases)) {
    mkdirSync(dirname(join(user, place)), { recursive: true });
    execFileSync('sqlite3', [join(user, place), sql]);
    touch(join(user, place));
  }
}
