// What the tests of resumed sessions share: a conversation, and the blocks of a request body or of a
// session, each as one line, in order.

// A session of Claude Code with everything that a session of another agent must hold.
export function claudeSession(id, cwd) {
  const lines = [];
  let parent = null;
  const add = (type, message, more = {}) => {
    const uuid = `${String(lines.length).padStart(8, '0')}-0000-4000-8000-000000000000`;
    lines.push(JSON.stringify({
      parentUuid: parent, isSidechain: false, userType: 'external', cwd, sessionId: id, version: '2.1.325', type, message,
      uuid, timestamp: new Date(1_770_000_000_000 + 1000 * lines.length).toISOString(), ...more,
    }));
    parent = uuid;
  };
  const said = (id, ...content) => add('assistant', {
    id, type: 'message', role: 'assistant', model: 'claude-opus-4-5', content, stop_reason: null, stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  });
  add('user', { role: 'user', content: 'look at the loom' });
  said('msg_1', { type: 'thinking', thinking: 'Where is it?', signature: 'c2lnbmVk' },
    { type: 'text', text: 'I look at two things.' },
    { type: 'tool_use', id: 'toolu_a', name: 'Bash', input: { command: 'ls loom' } },
    { type: 'tool_use', id: 'toolu_b', name: 'Read', input: { file_path: '/loom/notes' } });
  add('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_a', content: 'shuttle\nspindle' }] });
  add('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_b', content: 'it squeaks — ünïcode' }] });
  said('msg_2', { type: 'tool_use', id: 'toolu_c', name: 'Bash', input: { command: 'oil it' } });
  add('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_c', content: 'no oil', is_error: true }] });
  said('msg_3', { type: 'text', text: 'There is no oil.' });
  add('user', { role: 'user', content: 'then buy some' });
  said('msg_4', { type: 'text', text: 'I cannot buy things.' });
  return lines.join('\n') + '\n';
}

// What every target's model must be sent of it, in order. Thinking goes to its own provider alone.
export const expected = (target) => [
  'user: look at the loom',
  ...(target === 'claude' ? ['thinking: c2lnbmVk'] : []),
  'model: I look at two things.',
  'call: Bash {"command":"ls loom"}',
  'call: Read {"file_path":"/loom/notes"}',
  'result: shuttle\nspindle',
  'result: it squeaks — ünïcode',
  'call: Bash {"command":"oil it"}',
  'result: no oil',
  'model: There is no oil.',
  'user: then buy some',
  'model: I cannot buy things.',
];

const textOf = (content) => (typeof content === 'string' ? content
  : (content ?? []).map((part) => part.text ?? '').join('\n'));

const ofAnthropic = (messages) => messages.flatMap(({ role, content }) =>
  (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((block) => ({
    text: `${role === 'assistant' ? 'model' : 'user'}: ${block.text}`,
    thinking: `thinking: ${block.signature}`,
    tool_use: `call: ${block.name} ${JSON.stringify(block.input)}`,
    tool_result: `result: ${textOf(block.content)}`,
  })[block.type]));
const ofResponses = (items) => items.flatMap((item) => ({
  message: (item.content ?? []).map((part) => `${item.role === 'assistant' ? 'model' : item.role}: ${part.text}`),
  function_call: [`call: ${item.name} ${item.arguments}`],
  function_call_output: [`result: ${textOf(item.output)}`],
  reasoning: [`thinking: ${item.encrypted_content}`],
})[item.type] ?? []);
const ofGemini = (contents) => contents.flatMap(({ role, parts }) => parts.map((part) => (
  part.functionCall ? `call: ${part.functionCall.name} ${JSON.stringify(part.functionCall.args)}`
    : part.functionResponse ? `result: ${part.functionResponse.response.output ?? part.functionResponse.response.error}`
      : `${role === 'model' ? 'model' : 'user'}: ${part.text}`)));

// The blocks of a request to a model.
export const blocksOfBody = (target, body) => ({
  claude: () => ofAnthropic(body.messages),
  codex: () => ofResponses(body.input),
  gemini: () => ofGemini(body.contents),
})[target]().filter(Boolean);

// The blocks of a session that weft wrote, as its agent sends them.
export function blocksOfSession(target, text) {
  const records = text.trim().split('\n').map((line) => JSON.parse(line));
  return ({
    claude: () => ofAnthropic(records.map((record) => record.message)),
    codex: () => ofResponses(records.filter((record) => record.type === 'response_item').map((record) => record.payload)),
    gemini: () => ofGemini(records.slice(1).flatMap((message) => (message.type === 'user'
      ? [{ role: 'user', parts: message.content }]
      : [{ role: 'model', parts: message.content },
        { role: 'user', parts: (message.toolCalls ?? []).flatMap((call) => call.result) }]))),
  })[target]().filter(Boolean);
}
