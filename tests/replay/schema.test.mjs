// What `weft export` prints for an API is checked against the types that the API's makers
// publish: each export becomes a literal that must satisfy the type of a request, and the
// TypeScript compiler says whether it does.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const fixtures = join(here, '..', 'fixtures');
const scratch = mkdtempSync(join(tmpdir(), 'weft-replay-'));
// Where the compiler finds the packages.
const checked = mkdtempSync(join(here, 'node_modules', '.checked-'));
after(() => {
  for (const folder of [scratch, checked]) rmSync(folder, { recursive: true, force: true });
});

function weft(...args) {
  const ran = spawnSync(process.env.WEFT_BINARY, [...args, '--home', join(scratch, 'home')], {
    encoding: 'utf8', maxBuffer: 1 << 28,
  });
  assert.equal(ran.error, undefined);
  return ran;
}

// What the compiler has against these literals, each `{type, text}`.
function complaints(literals) {
  const lines = [
    "import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/beta/messages/messages';",
    "import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions/completions';",
    "type Anthropic = Pick<MessageCreateParamsNonStreaming, 'messages' | 'system' | 'tools'>;",
    "type OpenAi = Pick<ChatCompletionCreateParamsNonStreaming, 'messages' | 'tools'>;",
    ...literals.map(({ type, text }, i) => `export const c${i} = ${text.trim()} satisfies ${type};`),
  ];
  const file = join(checked, 'exports.ts');
  writeFileSync(file, lines.join('\n'));
  const ran = spawnSync(join(here, 'node_modules', '.bin', 'tsc'), [
    '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext',
    '--types', '', file,
  ], { encoding: 'utf8', cwd: checked, maxBuffer: 1 << 28 });
  assert.equal(ran.error, undefined);
  return ran.stdout.trim();
}

// Every block that the published types know, in a log of the API.
const everyBlock = {
  request: {
    model: 'claude-opus-4-5', max_tokens: 1024, system: 'Be terse.',
    tools: [
      { name: 'look', description: 'Looks.', input_schema: { type: 'object', properties: {} } },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
    ],
    messages: [
      { role: 'user', content: [
        { type: 'text', text: 'What is in these?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
        { type: 'document', title: 'Grass', context: 'Botany', citations: { enabled: true },
          source: { type: 'text', media_type: 'text/plain', data: 'Grass is green.' } },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'one' }] } },
        { type: 'search_result', source: 'https://example.org', title: 'T',
          content: [{ type: 'text', text: 'found' }] },
        { type: 'container_upload', file_id: 'file_022D' },
      ] },
      { role: 'assistant', content: [
        { type: 'thinking', thinking: 'Look.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'ZGF0YQ==' },
        { type: 'tool_use', id: 'toolu_01A', name: 'look', input: { at: 'here' },
          caller: { type: 'direct' } },
      ] },
      { role: 'user', content: [
        { type: 'tool_result', tool_use_id: 'toolu_01A', is_error: true, content: [
          { type: 'text', text: 'blind' },
          { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'R0lGOD==' } },
        ] },
      ] },
      { role: 'system', content: 'The user is in a hurry.' },
    ],
  },
  response: {
    id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-4-5', content: [
      { type: 'server_tool_use', id: 'srvtoolu_01', name: 'web_search', input: { query: 'grass' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_01', content: [
        { type: 'web_search_result', url: 'https://example.org/g', title: 'Grass',
          encrypted_content: 'ZW5j', page_age: null },
      ] },
      { type: 'mcp_tool_use', id: 'mcptoolu_01', name: 'echo', server_name: 'srv', input: {} },
      { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_01', is_error: false,
        content: [{ type: 'text', text: 'one' }] },
      { type: 'text', text: 'Green.', citations: [
        { type: 'web_search_result_location', url: 'https://example.org/g', title: 'Grass',
          cited_text: 'Grass is green.', encrypted_index: 'aWR4' },
      ] },
      { type: 'compaction', content: 'So far: grass.' },
    ],
  },
};

test('every export satisfies the published type of a request', { timeout: 300_000 }, () => {
  const log = join(scratch, 'log.jsonl');
  writeFileSync(log, JSON.stringify(everyBlock) + '\n');
  assert.equal(weft('ingest', log, '--format', 'anthropic-messages').status, 0);
  for (const format of readdirSync(fixtures)) {
    // It has blocks that no API ever sent, and they go back as they came.
    if (format === 'anthropic_messages') continue;
    assert.notEqual(weft('ingest', join(fixtures, format)).status, 2);
  }
  const { conversations } = JSON.parse(weft('list', '--json', '--limit', '1000').stdout);
  assert.ok(conversations.length > 20);
  const literals = [];
  for (const { cid } of conversations) {
    for (const [form, type] of [['anthropic-messages', 'Anthropic'], ['openai-messages', 'OpenAi']]) {
      const ran = weft('export', cid, '--as', form);
      if (ran.status === 0) literals.push({ type, text: ran.stdout });
      // An error or a title alone says nothing that could be sent.
      else assert.match(ran.stderr, /nothing in it can be sent/);
    }
  }
  assert.ok(literals.length > 40);
  assert.equal(complaints(literals), '');
});

test('the types do refuse what is wrong', () => {
  for (const wrong of [
    '{"messages":[{"role":"user","content":[{"type":"tool_result"}]}]}',
    '{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"x"}]}]}',
    '{"messages":[{"role":"user","content":"x","extra":1}]}',
  ]) {
    assert.notEqual(complaints([{ type: 'Anthropic', text: wrong }]), '');
  }
  assert.notEqual(complaints([{ type: 'OpenAi', text: '{"messages":[{"role":"tool","content":"x"}]}' }]), '');
});
