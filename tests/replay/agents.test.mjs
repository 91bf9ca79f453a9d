// Sessions that `weft resume` writes, against what agents send of them: the bodies of their next
// requests are recorded in bodies/, and a session must hold what they hold. `./test long` runs the
// agents themselves, where WEFT_AGENTS names the folder in which they are installed
// (claude-code, codex and gemini-cli, each with its node_modules; node24 runs them). WEFT_RECORD=1
// records the bodies anew.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { blocksOfBody, blocksOfSession, claudeSession, expected } from './agents.mjs';

const here = import.meta.dirname;
const weftBinary = process.env.WEFT_BINARY ?? path.join(here, '../../build/release/weft');
const agents = process.env.WEFT_AGENTS;
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'weft-agents-'));
after(() => fs.rmSync(scratch, { recursive: true, force: true }));

const id = '0d5f1a3c-9a58-4f0e-9f0b-2f6f1f0f7c11';
const prompt = 'and what of the heddle?';
const targets = ['claude', 'codex', 'gemini'];

// A machine of its own, with the conversation ingested.
function machine(name) {
  const home = path.join(scratch, name);
  const project = path.join(home, 'looms');
  fs.mkdirSync(project, { recursive: true });
  const weft = (...args) => {
    const ran = spawnSync(weftBinary, args, {
      encoding: 'utf8', maxBuffer: 1 << 28, env: { HOME: home, PATH: process.env.PATH },
    });
    assert.equal(ran.status, 0, `weft ${args.join(' ')}: ${ran.stderr}`);
    return ran.stdout;
  };
  const file = path.join(home, '.claude/projects/-looms', `${id}.jsonl`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, claudeSession(id, project));
  weft('ingest');
  return { home, project, weft };
}

// The expected blocks stand in these, in order; others may stand between them.
function holdsInOrder(blocks, wanted) {
  let at = 0;
  for (const block of wanted) {
    const found = blocks.indexOf(block, at);
    assert.ok(found >= 0, `${JSON.stringify(block)} is missing, or out of order, in ${JSON.stringify(blocks, null, 1)}`);
    at = found + 1;
  }
}

const bodyFile = (target) => path.join(here, 'bodies', `${target}.json`);
// Of a body what the session had and what was asked now, without what the agent says of itself and of
// the machine.
function trimmed(target, body) {
  const wanted = new Set([...expected(target), `user: ${prompt}`]);
  const has = (part) => blocksOfBody(target, part).some((block) => wanted.has(block));
  const kept = (list, part) => list.filter((one) => has(part(one)));
  return ({
    claude: () => ({ messages: body.messages.map(({ role, content }) => ({ role, content: typeof content === 'string' ? content
      : kept(content, (block) => ({ messages: [{ role, content: [block] }] })) })) }),
    codex: () => ({ input: kept(body.input, (item) => ({ input: [item] })) }),
    gemini: () => ({ contents: body.contents.map(({ role, parts }) => ({ role,
      parts: kept(parts, (part) => ({ contents: [{ role, parts: [part] }] })) })) }),
  })[target]();
}

for (const target of targets) {
  test(`a session for ${target} holds every block, in order`, () => {
    const { project, weft } = machine(`print-${target}`);
    const session = weft('resume', id, '--in', target, '--cwd', project, '--print');
    assert.deepEqual(blocksOfSession(target, session), expected(target));
  });

  test(`the recorded request of ${target} holds what the session holds`, { skip: !fs.existsSync(bodyFile(target)) }, () => {
    const body = JSON.parse(fs.readFileSync(bodyFile(target), 'utf8'));
    holdsInOrder(blocksOfBody(target, body), [...expected(target), `user: ${prompt}`]);
  });
}

// --- the agents themselves --------------------------------------------------------------

// A model that says one thing, in the three APIs, and keeps what it was asked.
async function model() {
  const bodies = [];
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      let body = {};
      try { body = JSON.parse(Buffer.concat(chunks).toString()); } catch { /* no body */ }
      bodies.push({ url: request.url, body });
      answer(request.url, body, response);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { bodies, url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

function answer(url, body, response) {
  const said = 'It is straight.';
  const json = (value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const stream = (...events) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) response.write(`${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
    response.end();
  };
  if (/count_?tokens/i.test(url)) return json({ input_tokens: 10, totalTokens: 10 });
  if (url.includes('/messages')) {
    const message = { id: 'msg_m', type: 'message', role: 'assistant', model: body.model, stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 3 } };
    if (!body.stream) return json({ ...message, content: [{ type: 'text', text: said }], stop_reason: 'end_turn' });
    return stream({ type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: said } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 3 } },
      { type: 'message_stop' });
  }
  if (url.includes('/responses')) {
    const item = { type: 'message', id: 'm_1', role: 'assistant', content: [{ type: 'output_text', text: said, annotations: [] }] };
    return stream({ type: 'response.created', response: { id: 'resp_1', object: 'response', status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item }, { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id: 'resp_1', object: 'response', status: 'completed', output: [item],
        usage: { input_tokens: 10, input_tokens_details: { cached_tokens: 0 }, output_tokens: 3,
          output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 13 } } });
  }
  if (/enerateContent/.test(url)) {
    const value = { candidates: [{ content: { role: 'model', parts: [{ text: said }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 3, totalTokenCount: 13 }, modelVersion: 'm', responseId: 'r' };
    return url.includes('stream') ? stream(value) : json(value);
  }
  return response.writeHead(404).end();
}

// How each agent goes on with a session, without a terminal.
const started = {
  claude: (url, home, command) => ({
    words: [path.join(agents, 'claude-code/node_modules/.bin/claude'), '-p', prompt, ...command.slice(1)],
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'dummy', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1' },
  }),
  codex: (url, home, command) => {
    fs.mkdirSync(path.join(home, '.codex'), { recursive: true });
    fs.writeFileSync(path.join(home, '.codex/config.toml'), `model = "mock"\nmodel_provider = "mock"\n`
      + `approval_policy = "never"\nsandbox_mode = "danger-full-access"\n[model_providers.mock]\nname = "mock"\n`
      + `base_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "DUMMY_KEY"\n`);
    return {
      words: [path.join(agents, 'codex/node_modules/.bin/codex'), 'exec', '--skip-git-repo-check', ...command.slice(1), prompt],
      env: { DUMMY_KEY: 'x' },
    };
  },
  gemini: (url, home, command, project) => {
    fs.mkdirSync(path.join(home, '.gemini'), { recursive: true });
    fs.writeFileSync(path.join(home, '.gemini/trustedFolders.json'), JSON.stringify({ [project]: 'TRUST_FOLDER' }));
    fs.writeFileSync(path.join(home, '.gemini/settings.json'), '{"security":{"auth":{"selectedType":"gemini-api-key"}}}');
    return {
      words: [path.join(agents, 'gemini-cli/node_modules/.bin/gemini'), '-m', 'gemini-2.5-pro', '--approval-mode', 'yolo',
        ...command.slice(1), '-p', prompt],
      env: { GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url },
    };
  },
};

async function run(words, options) {
  const child = spawn(words[0], words.slice(1), { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stdout.on('data', (chunk) => { printed += chunk; });
  child.stderr.on('data', (chunk) => { printed += chunk; });
  const timer = setTimeout(() => child.kill('SIGKILL'), 240_000);
  const code = await new Promise((done) => child.on('close', done));
  clearTimeout(timer);
  return { code, printed };
}

const canRun = agents && (process.env.WEFT_LONG || process.env.WEFT_RECORD);
for (const target of targets) {
  test(`${target} goes on with the session`, { skip: canRun ? false : 'needs WEFT_AGENTS and ./test long' }, async () => {
    const { home, project, weft } = machine(`run-${target}`);
    const next = JSON.parse(weft('resume', id, '--in', target, '--cwd', project, '--json'));
    const { bodies, url, close } = await model();
    const { words, env } = started[target](url, home, next.command, project);
    const node = path.join(agents, 'node24/node_modules/node/bin');
    const ran = await run(words, {
      cwd: project, env: { HOME: home, PATH: `${node}:${process.env.PATH}`, TERM: 'dumb', ...env },
    });
    close();
    const asked = bodies.find(({ body }) => JSON.stringify(body).includes(prompt));
    assert.ok(asked, `no request: ${ran.printed}`);
    holdsInOrder(blocksOfBody(target, asked.body), [...expected(target), `user: ${prompt}`]);
    if (process.env.WEFT_RECORD) {
      fs.mkdirSync(path.dirname(bodyFile(target)), { recursive: true });
      fs.writeFileSync(bodyFile(target), JSON.stringify(trimmed(target, asked.body), null, 1) + '\n');
    }
    // weft knows the session again: it continues the conversation, and no block is there twice.
    const before = JSON.parse(weft('stats', '--json'));
    weft('ingest');
    const list = JSON.parse(weft('list', '--json')).conversations;
    const continued = list.find((row) => row.session_id !== id);
    assert.ok(continued, 'the session was not ingested');
    const edges = JSON.parse(weft('connections', continued.cid, '--relation', 'continues', '--json')).connections;
    assert.equal(edges.length, 1);
    assert.equal(edges[0].to, list.find((row) => row.session_id === id).cid);
    const now = JSON.parse(weft('stats', '--json'));
    assert.equal(now.tool_calls, before.tool_calls);
    assert.equal(JSON.parse(weft('search', 'squeaks', '--type', 'tool_result', '--json')).total, 1);
    weft('verify');
  });
}
