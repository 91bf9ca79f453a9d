// Conversations that reach weft while they happen, in two parts: a session captured block by block
// through `weft mcp`, and exchanges with three APIs that `weft record` hears. The second part goes
// on with the conversations of the first, in another process and perhaps another version of weft.
import { createServer, request } from 'node:http';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { McpSession } from './weft.mjs';

const session_id = 'digest-captured-session';
const captured = [
  [
    ['human', { type: 'text', text: 'Where does the punt lie?' }],
    ['assistant', { type: 'thinking', thinking: 'The mooring list says.', signature: 'c2ln' }],
    ['assistant', { type: 'tool_use', id: 't1', name: 'moorings', input: { boat: 'punt' } }],
  ],
  [
    ['assistant', { type: 'tool_result', tool_use_id: 't1', content: 'third post, upstream' }],
    ['assistant', { type: 'text', text: 'At the third post upstream.' }],
    ['human', { type: 'text', text: 'And the skiff?' }],
    ['assistant', { type: 'text', text: 'On the slip.' }],
  ],
];

async function capture(weft, part) {
  const mcp = await new McpSession(weft).open();
  if (part === 0) await mcp.call('wot_capture_start', { session_id });
  for (const [role, block] of captured[part]) {
    const { result } = JSON.parse(await mcp.call('wot_capture_block', { session_id, role, block }));
    if (!result || result.isError) throw new Error(`a block was not captured: ${JSON.stringify(result)}`);
  }
  if (part === 1) await mcp.call('wot_capture_stop', { session_id });
  await mcp.close();
}

const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

// An answer of the Messages API, as its stream.
function messageStream(id, thinking, text) {
  const delta = (index, delta) => event({ type: 'content_block_delta', index, delta });
  return event({
    type: 'message_start',
    message: { id, type: 'message', role: 'assistant', model: 'claude-x', content: [], usage: { input_tokens: 3, output_tokens: 1 } },
  }) +
    event({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }) +
    delta(0, { type: 'thinking_delta', thinking }) +
    delta(0, { type: 'signature_delta', signature: 'c2ln' }) +
    event({ type: 'content_block_stop', index: 0 }) +
    event({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } }) +
    delta(1, { type: 'text_delta', text }) +
    event({ type: 'content_block_stop', index: 1 }) +
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } }) +
    event({ type: 'message_stop' });
}

const chatAnswer = (id, content) => JSON.stringify({
  id, object: 'chat.completion', created: 1770000000, model: 'gpt-x',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});

const responsesAnswer = (id, text) => JSON.stringify({
  id, object: 'response', created_at: 1770000000, status: 'completed', model: 'gpt-x',
  output: [
    { id: `rs_${id}`, type: 'reasoning', summary: [{ type: 'summary_text', text: 'Counting bollards.' }], encrypted_content: 'gAAAA' },
    { id: `msg_${id}`, type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] },
  ],
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
});

const first = { role: 'user', content: 'How many posts?' };
const second = { role: 'user', content: 'And how many are painted?' };
const thought = { type: 'thinking', thinking: 'I count the posts.', signature: 'c2ln' };
const anthropic = (messages) => ({ model: 'claude-x', max_tokens: 99, stream: true, system: 'Be brief.', messages });
const openai = (messages) => ({ model: 'gpt-x', messages: [{ role: 'system', content: 'Be brief.' }, ...messages] });

// Each exchange is [path, request, type of the answer, answer].
const exchanges = [
  [
    ['/v1/messages', anthropic([first]), 'text/event-stream', messageStream('msg_1', thought.thinking, 'Seven.')],
    ['/v1/chat/completions', openai([first]), 'application/json', chatAnswer('chatcmpl-1', 'Seven posts.')],
    ['/v1/responses', { model: 'gpt-x', instructions: 'Be brief.', input: [{ role: 'user', content: 'How many bollards?' }] }, 'application/json', responsesAnswer('resp_1', 'Seven of them.')],
  ],
  [
    ['/v1/messages', anthropic([first, { role: 'assistant', content: [thought, { type: 'text', text: 'Seven.' }] }, second]),
      'text/event-stream', messageStream('msg_2', 'Paint, then.', 'Two.')],
    ['/v1/chat/completions', openai([first, { role: 'assistant', content: 'Seven posts.' }, second]), 'application/json', chatAnswer('chatcmpl-2', 'Two posts.')],
    ['/v1/responses', { model: 'gpt-x', instructions: 'Be brief.', previous_response_id: 'resp_1', input: [second] }, 'application/json', responsesAnswer('resp_2', 'Two of them.')],
  ],
];

// Sends one request through the proxy and waits for the end of its answer.
function post(port, path, body) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', agent: false, headers: { 'content-type': 'application/json' } }, (answer) => {
      answer.resume().on('end', resolve);
    });
    sent.on('error', reject).end(JSON.stringify(body));
  });
}

async function record(weft, part) {
  const answers = new Map(exchanges[part].map(([path, , type, body]) => [path, { type, body }]));
  const upstream = createServer((asked, reply) => {
    asked.resume().on('end', () => {
      const { type, body } = answers.get(asked.url);
      reply.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
    });
  });
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${upstream.address().port}`;
  const proxy = weft.start(['record', '--listen', '127.0.0.1:0', '--json', '--upstream', url]);
  proxy.stderr.resume();
  const [line] = await once(createInterface({ input: proxy.stdout }), 'line');
  const port = Number(new URL(JSON.parse(line).url).port);
  for (const [path, body] of exchanges[part]) await post(port, path, body);
  // On SIGTERM it ends once everything that it heard is in the store.
  proxy.kill('SIGTERM');
  const [code] = await once(proxy, 'exit');
  if (code !== 0) throw new Error(`weft record ended with ${code}`);
  upstream.close();
}

// Part 0 begins four conversations, part 1 ends them.
export async function live(weft, part) {
  await capture(weft, part);
  await record(weft, part);
}
