import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, bytes, dayName, dollars, duration, short } from './format.ts';
import { completions, filtersOf, joinHits, whileTyping, withFilter, withoutFilter } from './query.ts';
import { thinkingOf } from './thinking.ts';
import { languageOf, toolCall } from './tools.ts';

test('numbers', () => {
  assert.deepEqual([0, 999, 1000, 1250, 34_000, 999_999, 5_600_000].map(short), ['0', '999', '1k', '1.3k', '34k', '1M', '5.6M']);
  assert.deepEqual([999, 1000, 123_456, 1.5e9].map(bytes), ['999 B', '1.0 kB', '123 kB', '1.5 GB']);
  assert.deepEqual([null, 5, 1500, 61_000, 3_700_000].map(duration), ['', '5 ms', '1.5 s', '1 min 1 s', '1 h 2 min']);
  assert.deepEqual([null, 0, 0.001, 3.456, 1234.5].map(dollars), ['no price', '$0', '< $0.01', '$3.46', '$1,235']);
});
test('days', () => {
  const now = new Date(2026, 10, 18, 12).getTime();
  assert.equal(dayName(now - 3_600_000, now), 'Today');
  assert.equal(dayName(now - 86_400_000, now), 'Yesterday');
  assert.equal(dayName(now - 2 * 86_400_000, now), 'Monday 16 November');
  assert.equal(dayName(new Date(2025, 4, 3).getTime(), now), '3 May 2025');
  assert.equal(ago(now - 7_200_000, now), '2 h ago');
});

test('completion of filters and their values', () => {
  assert.deepEqual(completions('ferry ty', 8).map((found) => found.query), ['ferry type:']);
  assert.deepEqual(completions('type:tool_', 10).map((found) => found.text), ['type:tool_request', 'type:tool_result']);
  const [project] = completions('a project:we b', 12, { 'project:': ['weft page'] });
  assert.equal(project!.query, 'a project:"weft page" b');
  assert.equal(project!.cursor, 22);
  assert.deepEqual(completions('-too', 4).map((found) => found.text), ['-tool:']);
  assert.deepEqual(completions('', 0), []);
});
test('an unfinished word is sent as a beginning', () => {
  assert.equal(whileTyping('ferry tim'), 'ferry tim*');
  for (const query of ['ferry ', '"ferry tim', 'a', 'x OR', 'type:tool', 'src/main', '']) assert.equal(whileTyping(query), query);
});
test('whole words come before beginnings, each hit once', () => {
  const hits = (total: number, ...cids: string[]) => ({ query: '', total, results: cids.map((cid) => ({ cid })) }) as unknown as Parameters<typeof joinHits>[0];
  const joined = joinHits(hits(1, 'b'), { ...hits(9, 'a', 'b', 'c'), next_cursor: 'x', notes: ['n'] });
  assert.deepEqual(joined.results.map((hit) => hit.cid), ['b', 'a', 'c']);
  assert.deepEqual([joined.total, joined.next_cursor, joined.notes], [9, 'x', ['n']]);
});
test('filters are chips', () => {
  const query = 'ferry project:"weft page" -type:thinking';
  assert.deepEqual(filtersOf(query).map((filter) => filter.value), ['weft page', 'thinking']);
  assert.equal(withoutFilter(query, filtersOf(query)[0]!), 'ferry -type:thinking');
  assert.equal(withFilter('a', 'tool:', 'Bash'), 'a tool:Bash');
  assert.equal(withFilter('a tool:Bash', 'tool:', 'Bash'), 'a tool:Bash');
});

test('five states of reasoning', () => {
  assert.equal(thinkingOf('thinking', { reasoning: 'x', chars: 1 }).state, 'open');
  assert.equal(thinkingOf('thinking', { reasoning: '', withheld: true, signature: 's' }, 'brief').state, 'summary');
  assert.equal(thinkingOf('thinking', { $layers: { content: 'xc20p:…' }, chars: 9 }).state, 'sealed');
  assert.equal(thinkingOf('thinking', { reasoning: '', withheld: true, signature: 's' }).state, 'withheld');
  assert.equal(thinkingOf('redacted_thinking', { data: 'x', chars: 20 }).state, 'redacted');
});

test('tools by what they do', () => {
  const line = (tool_name: string, input: object) => {
    const call = toolCall({ tool_name, input: input as never });
    return [call.card.shape, call.line];
  };
  assert.deepEqual(line('Bash', { command: 'git status' }), ['command', 'git status']);
  assert.deepEqual(line('shell', { command: ['bash', '-lc', 'ls -a'] }), ['command', 'ls -a']);
  assert.deepEqual(line('run_shell_command', { command: 'ls' }), ['command', 'ls']);
  assert.deepEqual(line('Read', { file_path: 'a.ts', offset: 5, limit: 10 }), ['read', 'a.ts, lines 5–14']);
  assert.deepEqual(line('Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }), ['edit', 'a.ts']);
  assert.deepEqual(line('apply_patch', { input: '*** Begin Patch\n*** Update File: a.py\n' }), ['patch', 'a.py']);
  assert.deepEqual(line('TodoWrite', { todos: [{ content: 'a', status: 'completed' }, { content: 'b', status: 'pending' }] }), ['todo', '1 of 2 done']);
  assert.deepEqual(line('WebFetch', { url: 'https://a.example/' }), ['web', 'https://a.example/']);
  for (const [directory, seen] of [['/home/ada/harbour', 'src/pier.ts'], ['/home/ada/harbour/', 'src/pier.ts'], ['/home/ada/har', '/home/ada/harbour/src/pier.ts'], ['', '/home/ada/harbour/src/pier.ts']]) {
    assert.equal(toolCall({ tool_name: 'Read', input: { file_path: '/home/ada/harbour/src/pier.ts' } }, directory).line, seen);
  }
  const mcp = toolCall({ tool_name: 'mcp__journal__write_note', input: { text: 'x' } });
  assert.deepEqual([mcp.name, mcp.server, mcp.card.shape, mcp.line], ['write_note', 'journal', 'other', 'x']);
});
test('strange calls are shown as their input', () => {
  for (const input of [null, 5, 'text', [], { edits: 5 }, { todos: [1, 2] }, { command: {} }]) {
    for (const tool_name of ['Bash', 'Edit', 'TodoWrite', 'constructor', '__proto__', '']) {
      assert.equal(typeof toolCall({ tool_name, input: input as never }).line, 'string');
    }
  }
  assert.equal(toolCall({ tool_name: 'constructor', input: {} }).card.shape, 'other');
  assert.equal(languageOf('/a/b.constructor'), '');
});

test('an input that is written as JSON in a text is read; another text is the input', () => {
  assert.deepEqual(toolCall({ tool_name: 'Shell', input: '{"command": "ls -la"}' }), { name: 'Shell', server: '', line: 'ls -la', card: { shape: 'command', command: 'ls -la' } });
  for (const input of ['search("rope")', '{"command": "cut off', '[1]', '"x"']) {
    const call = toolCall({ tool_name: 'browser', input });
    assert.equal(call.card.shape, 'other');
    assert.equal(call.line, input);
  }
});
