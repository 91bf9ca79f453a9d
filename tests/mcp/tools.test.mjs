// Every tool through the official clients, over both transports and in both eras: what it answers,
// each argument, wrong values, what is not there, and what is sealed.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Home, fixture, text, ways, weft } from './harness.mjs';

const home = new Home();
let web; // what weft's own commands say of it

before(() => {
  home.run('ingest', fixture('anthropic_transcript/every-block.txt'), fixture('anthropic_transcript/two-rounds.txt'), fixture('claude_code/main.jsonl'));
  const conversations = home.json('list').conversations;
  const one = conversations.find((conversation) => conversation.format === 'claude-code' && conversation.source === 'primary');
  const turns = home.json('walk', one.cid).turns;
  const thoughts = turns.flatMap((turn) => turn.thoughts);
  writeFileSync(home.path('metadata.json'), home.run('keys', 'export', '--layer', 'metadata'), { mode: 0o600 });
  mkdirSync(home.path('inbox'));
  copyFileSync(fixture('anthropic_transcript/turns.json'), home.path('inbox/turns.json'));
  web = {
    conversations,
    one,
    session: `${one.format}:${one.session_id}`,
    turns,
    thoughts,
    human: thoughts.find((thought) => thought.type.endsWith('/human_input')),
    prompt: thoughts.find((thought) => thought.type.endsWith('/human_input')),
    answer: thoughts.findLast((thought) => thought.type.endsWith('/response')),
    thinking: thoughts.find((thought) => thought.type.endsWith('/thinking')),
  };
});
after(() => home.remove());

const short = (cid) => cid.replace('cid:blake3:', '').slice(0, 12);

// The tools that say what a command says: how each is called, and the command that says the same.
const mirrors = [
  ['wot_conversation_list', () => ({}), () => ['list', '--limit', '50']],
  ['wot_conversation_list', () => ({ format: 'claude-code', limit: 1 }), () => ['list', '--format', 'claude-code', '--limit', '1']],
  ['wot_conversation_list', () => ({ limit: 1, offset: 1 }), () => ['list', '--limit', '1', '--offset', '1']],
  ['wot_thought_get', () => ({ cid: web.answer.cid }), () => ['get', web.answer.cid]],
  ['wot_thought_get', () => ({ cid: short(web.human.cid) }), () => ['get', web.human.cid]],
  ['wot_thought_search', () => ({ query: 'tulips' }), () => ['search', 'tulips']],
  ['wot_thought_search', () => ({ query: 'tulips', limit: 2, offset: 1 }), () => ['search', 'tulips', '--limit', '2', '--offset', '1']],
  ['wot_thought_search', () => ({ query: 'south', type_filter: 'response' }), () => ['search', 'south', '--type', 'response']],
  ['wot_walk_because', () => ({ cid: web.answer.cid }), () => ['why', web.answer.cid, '--limit', '200']],
  ['wot_walk_because', () => ({ cid: web.answer.cid, depth: 1 }), () => ['why', web.answer.cid, '--depth', '1', '--limit', '200']],
  ['wot_effects', () => ({ cid: web.prompt.cid }), () => ['effects', web.prompt.cid, '--limit', '200']],
  ['wot_diff', () => ({ conversation_cid: web.one.cid }), () => ['diff', web.one.cid]],
  ['wot_diff', () => ({ cid: web.prompt.cid }), () => ['diff', web.prompt.cid]],
  ['wot_cost', () => ({ by: 'model' }), () => ['cost', '--by', 'model']],
  ['wot_walk_because', () => ({ cid: web.answer.cid, limit: 2 }), () => ['why', web.answer.cid, '--limit', '2']],
  ['wot_walk_sequence', () => ({ conversation_cid: web.one.cid }), () => ['walk', web.one.cid]],
  ['wot_walk_sequence', () => ({ conversation_cid: web.session, turn: 1 }), () => ['walk', web.one.cid, '--turn', '1']],
  ['wot_connections', () => ({ cid: web.answer.cid }), () => ['connections', web.answer.cid]],
  ['wot_connections', () => ({ cid: web.answer.cid, relation: 'contains', direction: 'to' }), () => ['connections', web.answer.cid, '--relation', 'contains', '--direction', 'to']],
  ['wot_conversation_stats', () => ({}), () => ['stats']],
  ['wot_cost', () => ({ by: 'model' }), () => ['cost', '--by', 'model']],
  ['wot_conversation_stats', () => ({ cid: web.one.cid }), () => ['stats', web.one.cid]],
  ['wot_verify', () => ({}), () => ['verify']],
  ['wot_verify', () => ({ cid: web.one.cid }), () => ['verify', web.one.cid]],
];

// Calls that cannot be answered, and what the refusal names.
const refusals = [
  ['wot_thought_get', {}, /cid: is missing[\s\S]*A correct call: wot_thought_get/],
  ['wot_thought_get', { cid: 'nonsense' }, /not a CID/],
  ['wot_thought_get', { cid: '0'.repeat(64) }, /./],
  ['wot_thought_get', { cid: '00000000', depth: 1 }, /unknown argument 'depth'/],
  ['wot_thought_search', { query: '' }, /query: is empty/],
  ['wot_thought_search', { query: 'x', limit: 0 }, /limit: 0 is less than 1/],
  ['wot_thought_search', { query: 'x', response_format: 'loud' }, /response_format: expected one of/],
  ['wot_walk_because', { cid: '00000000' }, /no thought begins with/],
  ['wot_effects', { cid: '00000000' }, /no thought begins with/],
  ['wot_diff', {}, /either conversation_cid or cid/],
  ['wot_diff', { cid: '00000000' }, /no thought begins with/],
  ['wot_blame', { path: 'loom.py' }, /must be absolute/],
  ['wot_blame', { path: '/nowhere/loom.py' }, /not a file of this user/],
  ['wot_walk_because', { cid: 'x', depth: -1 }, /depth/],
  ['wot_walk_sequence', { conversation_cid: 'nobody' }, /no conversation has that name/],
  ['wot_connections', { cid: '00000000' }, /no thought begins with/],
  ['wot_connections', { cid: '00000000', direction: 'up' }, /direction: expected one of/],
  ['wot_conversation_stats', { cid: 'nobody' }, /./],
  ['wot_verify', { cid: 'nobody' }, /./],
  ['search_conversations', {}, /query: is missing/],
  ['read_turn', { session_id: 'nobody', turn_number: 0 }, /./],
  ['read_conversation', { session_id: 'nobody' }, /./],
  ['wot_conversation_ingest', { transcript_path: '/etc/passwd' }, /./],
  ['wot_conversation_ingest', { transcript_path: '../../etc/passwd' }, /./],
  ['wot_capture_block', { session_id: 'nobody', block: { type: 'text', text: 'x' } }, /./],
  ['wot_capture_stop', { session_id: 'nobody' }, /./],
];

for (const [way, open] of Object.entries(ways)) {
  describe(way, () => {
    let client, tools;
    before(async () => {
      client = await open(home, ['--allow', home.path('inbox')]);
      tools = new Map((await client.listTools()).tools.map((tool) => [tool.name, tool]));
    });
    after(() => client.close());

    const call = (name, args) => client.callTool({ name, arguments: args });
    // The answer, checked against its schema, and told in words too.
    async function asked(name, args) {
      const result = await call(name, args);
      assert.ok(!result.isError, text(result));
      const ajv = new Ajv2020({ strict: false, allErrors: true });
      addFormats(ajv);
      const fits = ajv.compile(tools.get(name).outputSchema);
      assert.ok(fits(result.structuredContent), JSON.stringify(fits.errors));
      assert.ok(text(result).length > 0);
      return result;
    }

    test('every tool says what it is', () => {
      assert.equal(tools.size, 20);
      for (const tool of tools.values()) {
        assert.ok(tool.title && tool.description.length < 2048, tool.name);
        for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
          assert.equal(typeof tool.annotations[hint], 'boolean', `${tool.name} ${hint}`);
        }
        assert.equal(tool.inputSchema.type, 'object');
        assert.equal(tool.outputSchema.type, 'object');
      }
    });

    for (const [name, args, command] of mirrors) {
      test(`${name} ${args.toString().slice(6)} says what the command says`, async () => {
        const { structuredContent } = await asked(name, args());
        assert.deepEqual(structuredContent, home.json(...command()));
      });
    }

    for (const [name, args, fault] of refusals) {
      test(`${name} ${JSON.stringify(args)} is refused`, async () => {
        const result = await call(name, args);
        assert.equal(result.isError, true, text(result));
        assert.match(text(result), fault);
      });
    }

    test('an unknown tool is an error of the protocol', async () => {
      await assert.rejects(call('wot_nothing', {}), (error) => error.code === -32602);
    });

    test('a detailed search has whole thoughts', async () => {
      const { structuredContent } = await asked('wot_thought_search', { query: 'tulips', limit: 1, response_format: 'detailed' });
      const [found] = structuredContent.results;
      assert.equal(found.thought.cid, found.cid);
    });

    test('the words of a thought are in the text as in the structure', async () => {
      const result = await asked('wot_thought_get', { cid: web.answer.cid });
      assert.ok(text(result).includes(web.answer.content.text.split('\n')[0]));
    });

    test('sessions: found, listed, read', async () => {
      const listed = (await asked('list_conversations', {})).structuredContent;
      const mine = listed.conversations.find((conversation) => conversation.session_id === web.session);
      assert.ok(mine, JSON.stringify(listed.conversations.map((conversation) => conversation.session_id)));
      for (const member of ['session_id', 'slug', 'summary', 'first_timestamp', 'last_timestamp', 'turn_count', 'cwd', 'git_branch', 'project']) assert.ok(member in mine, member);
      const read = (await asked('read_conversation', { session_id: web.session })).structuredContent;
      assert.equal(read.session_id, web.session);
      assert.equal(read.total_turns, mine.turn_count);
      const [first] = read.turns;
      const turn = (await asked('read_turn', { session_id: web.one.session_id, turn_number: 0 })).structuredContent;
      assert.equal(turn.user_text, first.user_text);
      assert.equal(turn.session_id, web.session);
      const word = turn.user_text.match(/\p{L}{5,}/u)[0];
      const found = (await asked('search_conversations', { query: word, session_id: web.session })).structuredContent;
      assert.equal(found.query, word);
      assert.ok(found.results.some((result) => result.turn_number === 0 && result.session_id === web.session));
      const past = await call('read_turn', { session_id: web.session, turn_number: 999 });
      assert.equal(past.isError, true);
    });

    test('resources: listed, read, completed', async () => {
      const { resources } = await client.listResources();
      assert.equal(resources.length, web.conversations.length);
      const { contents } = await client.readResource({ uri: resources[0].uri });
      assert.ok(JSON.parse(contents[0].text).turns.length > 0);
      const thought = await client.readResource({ uri: `weft://thought/${short(web.answer.cid)}` });
      assert.equal(JSON.parse(thought.contents[0].text).cid, web.answer.cid);
      const transcript = await client.readResource({ uri: `weft://transcript/${short(web.one.cid)}` });
      assert.ok(transcript.contents[0].text.includes('USER'));
      await assert.rejects(client.readResource({ uri: 'weft://thought/00000000' }));
      await assert.rejects(client.readResource({ uri: 'file:///etc/passwd' }));
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: 'weft://conversation/{cid}' },
        argument: { name: 'cid', value: short(web.one.cid) },
      });
      assert.deepEqual(completion.values, [web.one.cid]);
    });

    test('prompts: handover, why, recall, resume', async () => {
      const { prompts } = await client.listPrompts();
      assert.deepEqual(prompts.map((prompt) => prompt.name), ['handover', 'recall', 'resume', 'why']);
      const why = await client.getPrompt({ name: 'why', arguments: { subject: short(web.answer.cid) } });
      assert.ok(why.messages[0].content.text.includes(short(web.answer.cid)));
      const resume = await client.getPrompt({ name: 'resume', arguments: { session: web.session } });
      assert.ok(resume.messages[0].content.text.includes(web.session));
      const handover = await client.getPrompt({ name: 'handover', arguments: { session: web.session } });
      assert.match(handover.messages[0].content.text, /task/);
      const recall = await client.getPrompt({ name: 'recall', arguments: { topic: 'tulips' } });
      assert.ok(recall.messages[0].content.text.length > 0);
      await assert.rejects(client.getPrompt({ name: 'recall', arguments: {} }));
      const { completion } = await client.complete({
        ref: { type: 'ref/prompt', name: 'resume' },
        argument: { name: 'session', value: 'claude-code:' },
      });
      assert.ok(completion.values.includes(web.session));
    });

    test('a transcript is taken in from where that is allowed', async () => {
      const { structuredContent } = await asked('wot_conversation_ingest', { transcript_path: home.path('inbox/turns.json') });
      assert.match(structuredContent.conversation_cid, /^cid:blake3:[0-9a-f]{64}$/);
      assert.ok(structuredContent.thought_count > 0);
      web.conversations = home.json('list').conversations;
    });

    test('a session is captured', async () => {
      const session_id = `captured over ${way}`;
      assert.deepEqual((await asked('wot_capture_start', { session_id })).structuredContent, { status: 'recording' });
      const asking = await asked('wot_capture_block', { session_id, role: 'human', block: { type: 'text', text: 'Where is the quill?' } });
      assert.equal(home.json('get', asking.structuredContent.thought_cid).content.text, 'Where is the quill?');
      const answering = await asked('wot_capture_block', { role: 'assistant', block: { type: 'text', text: 'In the drawer.' } });
      const { conversation_cid } = (await asked('wot_capture_stop', { session_id })).structuredContent;
      const thoughts = home.json('walk', conversation_cid).turns.flatMap((turn) => turn.thoughts);
      assert.deepEqual(thoughts.map((thought) => thought.cid), [asking.structuredContent.thought_cid, answering.structuredContent.thought_cid]);
      assert.equal(home.json('verify').verdict, 'valid');
      web.conversations = home.json('list').conversations;
    });
  });

  describe(`${way}, with the metadata keyring`, () => {
    let client;
    before(async () => {
      client = await open(home, ['--keys', home.path('metadata.json')]);
    });
    after(() => client.close());

    test('reasoning stays sealed, and says so', async () => {
      const result = await client.callTool({ name: 'wot_thought_get', arguments: { cid: web.thinking.cid } });
      assert.ok(!result.isError);
      assert.ok(!JSON.stringify(result).includes(web.thinking.content.reasoning.slice(0, 40)));
      assert.match(text(result), /sealed/);
    });
    test('reading goes on', async () => {
      for (const [name, args] of [
        ['wot_conversation_list', {}],
        ['wot_walk_sequence', { conversation_cid: web.one.cid }],
        ['wot_walk_because', { cid: web.answer.cid }],
        ['wot_thought_search', { query: 'tulips' }],
        ['wot_conversation_stats', {}],
        ['wot_verify', {}],
        ['list_conversations', {}],
        ['read_conversation', { session_id: web.session }],
      ]) {
        const result = await client.callTool({ name, arguments: args });
        assert.ok(!result.isError, `${name}: ${text(result)}`);
        assert.ok(!JSON.stringify(result).includes(web.thinking.content.reasoning.slice(0, 40)), name);
      }
    });
    test('nothing is taken in', async () => {
      const result = await client.callTool({ name: 'wot_capture_start', arguments: { session_id: 'x' } });
      assert.equal(result.isError, true);
      assert.match(text(result), /keyring/);
    });
  });
}
