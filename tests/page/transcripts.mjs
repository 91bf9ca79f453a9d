// Sessions of Claude Code, written here: one as people have them, one that tries everything against the page.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

// Writes a session line by line; each record follows the one before it. With `agent`, it is that of the subagent of this
// name, which `delegates` of the session with the same id starts.
export class Session {
  constructor(path, { id, agent, cwd = '/home/ada/harbour', branch = 'main', model = 'claude-opus-5', start = Date.UTC(2026, 10, 2, 9, 0) } = {}) {
    Object.assign(this, { path, id, agent, cwd, branch, model, at: start, last: null, number: 0, calls: 0 });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  }
  #write(type, message, more = {}) {
    this.at += 1500;
    this.number++;
    const uuid = `${this.id.slice(0, 8)}-0000-4000-${this.agent ? '9' : '8'}000-${String(this.number).padStart(12, '0')}`;
    const record = { parentUuid: this.last, isSidechain: Boolean(this.agent), userType: 'external', cwd: this.cwd, sessionId: this.id, version: '2.1.0',
      gitBranch: this.branch, type, message, uuid, timestamp: new Date(this.at).toISOString(), ...(this.agent ? { agentId: this.agent } : {}), ...more };
    this.last = uuid;
    appendFileSync(this.path, JSON.stringify(record) + '\n');
    return this;
  }
  says(text) { return this.#write('user', { role: 'user', content: text }); }
  #model(content) {
    return this.#write('assistant', { id: `msg_${this.id.slice(0, 4)}_${this.number}`, type: 'message', role: 'assistant', model: this.model, content: [content], stop_reason: null,
      usage: { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 100, cache_creation_input_tokens: 5 } });
  }
  thinks(thinking) { return this.#model({ type: 'thinking', thinking, signature: 'c2lnbmF0dXJl' }); }
  redacts() { return this.#model({ type: 'redacted_thinking', data: 'ZW5jcnlwdGVk' }); }
  answers(text) { return this.#model({ type: 'text', text }); }
  // `structured`: the result as the tool states it for programs.
  runs(name, input, result, isError = false, structured = undefined) {
    const id = `toolu_${this.id.slice(0, 6)}_${this.calls++}`;
    this.#model({ type: 'tool_use', id, name, input });
    return this.#write('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result, ...(isError ? { is_error: true } : {}) }] }, structured ? { toolUseResult: structured } : {});
  }
  delegates(agent, prompt, result) {
    const id = `toolu_${this.id.slice(0, 6)}_${this.calls++}`;
    this.#model({ type: 'tool_use', id, name: 'Agent', input: { description: prompt, prompt } });
    const content = [{ type: 'text', text: result }];
    return this.#write('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }, { toolUseResult: { status: 'completed', agentId: agent, content } });
  }
  // What follows is another continuation of the record that was the last one when `mark` was taken.
  get mark() { return this.last; }
  backTo(mark) { this.last = mark; return this; }
  // A session that begins with all records of this one, as forking writes it.
  forkedAs(path, id) {
    const fork = new Session(path, { id, cwd: this.cwd, branch: this.branch, model: this.model, start: this.at });
    for (const line of readFileSync(this.path, 'utf8').trim().split('\n')) {
      const record = JSON.parse(line);
      appendFileSync(path, JSON.stringify({ ...record, sessionId: id, forkedFrom: { sessionId: this.id, messageUuid: record.uuid } }) + '\n');
    }
    return Object.assign(fork, { last: this.last, number: this.number, calls: this.calls });
  }
  attaches(media_type, data) { return this.#write('user', { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type, data } }, { type: 'text', text: 'see the picture' }] }); }
}

const kPng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export function writePlain(path) {
  const session = new Session(path, { id: '11111111-aaaa-4aaa-8aaa-111111111111' });
  session.says('When does the ferry to the island leave, and can we still catch it?')
    .thinks('The timetable is in the repository. I read it first.')
    .runs('Read', { file_path: '/home/ada/harbour/timetable.ts' }, '     1→export const ferry = { leaves: "09:40" };\n     2→')
    .runs('Bash', { command: 'date +%H:%M', description: 'The time now' }, '\u001b[32m09:12\u001b[0m\n')
    .answers('The **ferry** leaves at `09:40`, so there are 28 minutes.\n\n| from | to |\n|---|--:|\n| pier | island |\n\n```ts\nconst leaves = "09:40";\n```')
    .says('Then move it to 09:45 and tell the crew.')
    .thinks('One line changes. The crew list is a todo.')
    .runs('TodoWrite', { todos: [{ content: 'change the timetable', status: 'in_progress', activeForm: 'changing' }, { content: 'tell the crew', status: 'pending', activeForm: 'telling' }] }, 'ok')
    .runs('Edit', { file_path: '/home/ada/harbour/timetable.ts', old_string: 'leaves: "09:40"', new_string: 'leaves: "09:45"' }, 'The file has been updated.')
    .runs('Bash', { command: 'npm test' }, 'Error: the crew is not told\n    at crew.ts:3', true)
    .redacts()
    .answers('The timetable says 09:45 now. One test fails because the crew was not told: shall I?')
    .attaches('image/png', kPng)
    .answers('It is the pier.');
  return session;
}

// Markup, addresses, escapes and names that would run, load or mislead if anything believed them. `__ran` is set by
// whatever runs; 127.0.0.1:9 is where everything that loads would ask.
export const kAttacks = [
  '<script>window.__ran=1</script>', '<img src=x onerror="window.__ran=1">', '<svg onload=window.__ran=1><script>window.__ran=1</script></svg>',
  '<iframe srcdoc="<script>parent.__ran=1</script>"></iframe>', '<math><mtext><table><mglyph><style><img src=x onerror=window.__ran=1>',
  '<base href="http://127.0.0.1:9/">', '<meta http-equiv=refresh content="0;url=http://127.0.0.1:9/">', '<form action=http://127.0.0.1:9/><button>x</button></form>',
  '<style>@import url(http://127.0.0.1:9/x.css)</style>', '<link rel=stylesheet href=http://127.0.0.1:9/x.css>', '<template><script>window.__ran=1</script></template>',
  '[click](javascript:window.__ran=1)', '[click](JaVa\tScript:window.__ran=1)', '[click](&#106;avascript:window.__ran=1)', '[click](data:text/html,<script>window.__ran=1</script>)',
  '[click](vbscript:x)', '[click](file:///etc/passwd)', '[click](//127.0.0.1:9/x)', '![picture](http://127.0.0.1:9/beacon.png)', '![picture](javascript:window.__ran=1)',
  '<a id=page name=page></a><form id=main><input name=querySelector></form>', '```html\n<script>window.__ran=1</script>\n```', '</script><script>window.__ran=1</script>\u2028\u2029',
  '\u001b]8;;http://127.0.0.1:9/\u0007link\u001b]8;;\u0007 \u001b]0;title\u0007', 'abc\u202Egnp.exe', 'tags \u{E0041}\u{E0042}', 'Z\u0300\u0301\u0302\u0303\u0304\u0305'.repeat(50),
  '{{constructor.constructor("window.__ran=1")()}}', '${window.__ran=1}', '__proto__', 'constructor',
];

export function writeHostile(path) {
  const all = kAttacks.join('\n\n');
  const session = new Session(path, { id: '22222222-bbbb-4bbb-8bbb-222222222222', cwd: '/home/x/<img src=x onerror=window.__ran=1>', branch: '"><script>window.__ran=1</script>', model: '<svg onload=window.__ran=1>', start: Date.UTC(2026, 10, 3, 9, 0) });
  session.says(`<img src=x onerror=window.__ran=1> title\n\n${all}`).thinks(all).answers(all);
  for (const attack of kAttacks) session.runs(attack.slice(0, 60), { [attack]: attack, file_path: attack, command: attack }, attack);
  for (const name of ['Bash', 'Edit', 'Write', 'Read', 'Task', 'TodoWrite', 'WebFetch', 'constructor', '__proto__', 'mcp__<b>__<i>']) {
    session.runs(name, { command: all, file_path: all, old_string: all, new_string: `${all}x`, content: all, url: 'javascript:window.__ran=1', prompt: all, todos: [{ content: all, status: all }] }, all, true);
  }
  for (const attack of kAttacks) session.runs('Edit', { file_path: `/home/x/${attack}`, old_string: attack, new_string: `${attack}\n${all}` }, 'The file has been updated.');
  session.answers('> '.repeat(3000) + 'deep').answers('- '.repeat(3000) + 'deep').answers('`'.repeat(40_000)).answers('['.repeat(40_000)).answers('x'.repeat(1_000_000))
    .attaches('image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="window.__ran=1"><script>window.__ran=1</script></svg>').toString('base64'))
    .attaches('image/png', Buffer.from('<html><script>window.__ran=1</script>').toString('base64'))
    .answers('the end');
  return session;
}

// Many rows, quickly.
export function writeLong(path, turns) {
  const session = new Session(path, { id: '33333333-cccc-4ccc-8ccc-333333333333', start: Date.UTC(2026, 10, 1, 9, 0) });
  for (let turn = 0; turn < turns; turn++) {
    session.says(`Question ${turn}: what is in file ${turn}?`).thinks(`I look into file ${turn}. `.repeat(1 + turn % 7))
      .runs('Bash', { command: `cat file-${turn}` }, `line of file ${turn}\n`.repeat(1 + turn % 40))
      .answers(`File ${turn} holds ${turn % 40 + 1} lines.\n\n${'It is an ordinary file. '.repeat(turn % 9)}`);
  }
  return session;
}

// A week of work in a harbour, up to `now`: what the screenshots show.
export function writeHarbour(folder, now) {
  const hour = 3_600_000;
  const at = (hours) => ({ start: now - hours * hour });
  const id = (digit) => `${String(digit).repeat(8)}-aaaa-4aaa-8aaa-${String(digit).repeat(12)}`;
  const write = (digit, hours, more = {}) => new Session(`${folder}/${id(digit)}.jsonl`, { id: id(digit), ...at(hours), ...more });
  write(1, 0.6).says('When does the ferry to the island leave, and can we still catch it?')
    .thinks('The timetable is in the repository. I read it first, then ask the clock: the answer depends on both.')
    .runs('Read', { file_path: '/home/ada/harbour/timetable.ts' }, '     1→export const ferry = {\n     2→  leaves: "09:40",\n     3→  from: "north pier",\n     4→};\n')
    .runs('Bash', { command: 'date +%H:%M', description: 'The time now' }, '\u001b[32m09:12\u001b[0m\n')
    .answers('The **ferry** leaves at `09:40` from the north pier, so there are 28 minutes. It is a ten minute walk.\n\n| from | to | leaves |\n|---|---|--:|\n| north pier | island | 09:40 |\n| island | north pier | 17:20 |')
    .says('Then move it to 09:45 and tell the crew.')
    .thinks('One line changes, and a test pins the old time. The crew reads crew.md, so it is told there.')
    .runs('TodoWrite', { todos: [{ content: 'change the timetable', status: 'completed', activeForm: 'changing' }, { content: 'tell the crew', status: 'in_progress', activeForm: 'telling' }, { content: 'run the tests', status: 'pending', activeForm: 'running' }] }, 'ok')
    .runs('Edit', { file_path: '/home/ada/harbour/timetable.ts', old_string: '  leaves: "09:40",\n  from: "north pier",', new_string: '  leaves: "09:45",\n  from: "north pier",\n  told: ["crew"],' }, 'The file has been updated.')
    .runs('Bash', { command: 'npm test -- timetable' }, '✗ the ferry leaves at 09:40\n    expected "09:40", got "09:45"\n    at timetable.test.ts:12', true)
    .thinks('The test pins the old time. It was asked to change, so the test follows.')
    .runs('Edit', { file_path: '/home/ada/harbour/timetable.test.ts', old_string: 'expect(ferry.leaves).toBe("09:40")', new_string: 'expect(ferry.leaves).toBe("09:45")' }, 'The file has been updated.')
    .runs('Bash', { command: 'npm test -- timetable' }, '✓ the ferry leaves at 09:45\n\n1 passed')
    .answers('The ferry leaves at 09:45 now. One test pinned the old time; it follows, and passes. The crew is told in `timetable.ts`.');
  const topics = [['Why is the tide gauge an hour off?', 'The gauge keeps winter time: its clock was never moved.'], ['Rename the buoys after birds', 'Six buoys have birds’ names now: heron, tern, gull, coot, grebe, teal.'],
    ['The lighthouse test fails at night', 'It compared local times. It compares UTC now.'], ['Draw the depth of the south basin', 'The chart is in depth.svg: 4.2 m at low water.'],
    ['Which boats need a new rope?', 'Three: the *Heron*, the *Tern* and the pilot boat.'], ['Plan the regatta', 'Eleven boats, two starts, one committee boat.']];
  topics.forEach(([question, answer], number) => {
    const session = write(number + 2, 5 + number * 19, { cwd: number % 2 ? '/home/ada/lighthouse' : '/home/ada/harbour', model: number % 3 ? 'claude-opus-5' : 'claude-haiku-5' });
    session.says(question).thinks('I look at what is there before I say anything.');
    for (let step = 0; step < 4 + number * 3; step++) session.runs(['Bash', 'Read', 'Grep', 'Edit'][step % 4], { command: `ls ${step}`, file_path: `/home/ada/harbour/${step}.md`, pattern: 'rope', old_string: 'a', new_string: 'b' }, `line ${step}\n`.repeat(3), step % 7 === 5);
    session.answers(answer);
  });
  for (let number = 0; number < 5; number++) {
    const session = write(`0${number}`.slice(-1) === '0' ? 9 : number + 10, 0, { start: now - (1 + number * 1.3) * hour });
    session.says(`Is pier ${number + 1} sound?`).runs('Bash', { command: 'survey' }, 'sound', number === 2).answers(`Pier ${number + 1} is sound.`);
  }
}

// A valid token that no service issued, said by a person, and reasoning that is nobody else's business.
export const kSecret = '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';
export function writeWithSecret(path) {
  return new Session(path, { id: '33333333-eeee-4eee-8eee-333333333333', start: Date.UTC(2026, 10, 4, 9, 0) })
    .says(`push with ${kSecret} please`)
    .thinks('the owl counts the crates')
    .runs('Bash', { command: `curl -H 'Authorization: ${kSecret}'` }, 'pushed')
    .answers('It is pushed.');
}

// A session with a subagent; the paths of both files.
export function writeWithSubagent(folder) {
  const id = '44444444-dddd-4ddd-8ddd-444444444444';
  const start = Date.UTC(2026, 10, 5, 9, 0);
  new Session(`${folder}/${id}.jsonl`, { id, start }).says('Oil the winch.').delegates('a7', 'oil the winch', 'it is oiled').answers('Done.');
  new Session(`${folder}/${id}/subagents/agent-a7.jsonl`, { id, agent: 'a7', start: start + 2000 }).says('oil the winch').answers('it is oiled');
  return [`${folder}/${id}.jsonl`, `${folder}/${id}/subagents/agent-a7.jsonl`];
}
