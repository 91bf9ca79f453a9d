// Tool calls by what they do, whatever an agent calls the tool: a command, a file read, an edit. Each call has one
// line that says what it is about, and a shape that the card draws. What is not known here is shown as its input.
import type { Content, Json } from '../data/types.ts';
import { own } from './own.ts';
import { oneLine } from './signs.ts';

export interface Edit { path: string; before: string; after: string }
export interface Todo { text: string; state: 'open' | 'doing' | 'done' }

export type Card =
  | { shape: 'command'; command: string }
  | { shape: 'read'; path: string; lines?: string }
  | { shape: 'edit'; edits: Edit[] }
  | { shape: 'patch'; patch: string }
  | { shape: 'write'; path: string; text: string }
  | { shape: 'find'; pattern: string; where: string }
  | { shape: 'task'; agent: string; prompt: string }
  | { shape: 'todo'; items: Todo[] }
  | { shape: 'web'; address: string; prompt: string }
  | { shape: 'question'; prompt: string }
  | { shape: 'other' };

export interface ToolCall { name: string; server: string; line: string; card: Card }

type Input = { [name: string]: Json };
const isObject = (value: Json | undefined): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value);

function pick(input: Input, ...names: string[]): string {
  for (const name of names) {
    const value = input[name];
    if (typeof value === 'string') return value;
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(' ');
    if (typeof value === 'number') return String(value);
  }
  return '';
}

const pathOf = (input: Input) => pick(input, 'file_path', 'path', 'filePath', 'filename', 'absolute_path', 'notebook_path', 'dir_path');

function commandOf(input: Input): string {
  const command = input.command ?? input.cmd ?? input.script;
  // Codex wraps a command in a shell: ["bash", "-lc", "the command"].
  if (Array.isArray(command) && command.length === 3 && /sh$/.test(String(command[0])) && /^-l?c$/.test(String(command[1]))) return String(command[2]);
  return pick(input, 'command', 'cmd', 'script');
}

function editsOf(input: Input): Edit[] {
  const path = pathOf(input);
  const one = (edit: Input): Edit => ({
    path,
    before: pick(edit, 'old_string', 'oldText', 'old_str', 'oldString', 'search'),
    after: pick(edit, 'new_string', 'newText', 'new_str', 'newString', 'replace'),
  });
  if (Array.isArray(input.edits)) return input.edits.filter(isObject).map(one);
  return [one(input)];
}

const kTodoStates: Record<string, Todo['state']> = { completed: 'done', done: 'done', in_progress: 'doing', doing: 'doing' };
function todosOf(input: Input): Todo[] {
  const list = input.todos ?? input.plan ?? input.items;
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map((item) => ({
    text: pick(item, 'content', 'step', 'text', 'title', 'description'),
    state: own(kTodoStates, pick(item, 'status', 'state')) ?? 'open',
  }));
}

function linesOf(input: Input): string | undefined {
  const { offset, limit } = input;
  if (typeof offset !== 'number' && typeof limit !== 'number') return undefined;
  const from = typeof offset === 'number' ? offset : 1;
  return typeof limit === 'number' ? `lines ${from}–${from + limit - 1}` : `from line ${from}`;
}

// The names that agents give to one thing, in lower case and without _ and -.
const kNames: Record<string, Card['shape']> = {};
const names = (shape: Card['shape'], words: string) => { for (const word of words.split(' ')) kNames[word] = shape; };
names('command', 'bash shell exec execcommand runshellcommand runcommand runterminal runterminalcmd shellcommand shellexec terminal localshellcall executecommand functions.exec functions.shell powershell');
names('read', 'read readfile view readmanyfiles viewimage cat notebookread ls listdirectory listdir listfiles');
names('edit', 'edit multiedit editfile replace strreplace strreplaceeditor searchreplace strreplacebasededittool notebookedit replaceinfile');
names('patch', 'applypatch patch functions.applypatch');
names('write', 'write writefile writetofile createfile create');
names('find', 'grep glob search searchfilecontent find codebasesearch filesearch grepsearch toolsearch findfiles ripgrep');
names('task', 'task agent spawnagent subagent dispatchagent newtask delegate');
names('todo', 'todowrite updateplan todo writetodos todolist');
names('web', 'webfetch websearch fetch googlewebsearch webbrowse browse urlfetch');
names('question', 'askuserquestion askuser askfollowupquestion');

const shapeOf = (tool: string) => own(kNames, tool.toLowerCase().replace(/[_-]/g, '')) ?? 'other';
const kChanging: ReadonlySet<Card['shape']> = new Set(['edit', 'patch', 'write']);
// Whether a tool of this name changes files.
export function changesFile(tool: string | undefined): boolean { return tool !== undefined && kChanging.has(shapeOf(tool)); }

// The files that a call changed and left, by their numbers among all that it changed (API: `file`).
export function changedPaths(card: Card): { number: number; path: string }[] {
  if (card.shape === 'write') return card.path ? [{ number: 0, path: card.path }] : [];
  if (card.shape === 'edit') return card.edits[0]?.path ? [{ number: 0, path: card.edits[0].path }] : [];
  if (card.shape !== 'patch') return [];
  const files = [...card.patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm)];
  return files.flatMap(([, what, path], number) => (what === 'Delete' ? [] : [{ number, path: path!.trim() }]));
}

function cardOf(shape: Card['shape'], input: Input): Card {
  switch (shape) {
    case 'command': { const command = commandOf(input); return command ? { shape, command } : { shape: 'other' }; }
    case 'read': return { shape, path: pathOf(input), lines: linesOf(input) };
    case 'edit': { const edits = editsOf(input); return edits.some((edit) => edit.before || edit.after) ? { shape, edits } : { shape: 'other' }; }
    case 'patch': { const patch = pick(input, 'input', 'patch', 'diff'); return patch ? { shape, patch } : { shape: 'other' }; }
    case 'write': return { shape, path: pathOf(input), text: pick(input, 'content', 'text', 'file_text', 'contents') };
    case 'find': return { shape, pattern: pick(input, 'pattern', 'query', 'regex', 'q'), where: pick(input, 'path', 'dir_path', 'glob', 'include', 'directory') };
    case 'task': return { shape, agent: pick(input, 'subagent_type', 'agent_type', 'agent', 'name'), prompt: pick(input, 'prompt', 'task', 'message', 'description') };
    case 'todo': { const items = todosOf(input); return items.length ? { shape, items } : { shape: 'other' }; }
    case 'web': return { shape, address: pick(input, 'url', 'query', 'q', 'search_term'), prompt: pick(input, 'prompt') };
    case 'question': return { shape, prompt: pick(input, 'question', 'questions', 'text') || questionsOf(input) };
    default: return { shape: 'other' };
  }
}
function questionsOf(input: Input): string {
  return Array.isArray(input.questions) ? input.questions.filter(isObject).map((item) => pick(item, 'question')).join('\n') : '';
}

// A path as it is seen from the directory that the session worked in.
function seenFrom(directory: string, path: string): string {
  const below = directory.endsWith('/') ? directory : `${directory}/`;
  return directory && path.startsWith(below) && path.length > below.length ? path.slice(below.length) : path;
}

function lineOf(card: Card, input: Input, directory: string): string {
  const near = (path: string) => seenFrom(directory, path);
  switch (card.shape) {
    case 'command': return card.command;
    case 'read': return [near(card.path), card.lines].filter(Boolean).join(', ');
    case 'edit': return near(card.edits[0]!.path) + (card.edits.length > 1 ? `, ${card.edits.length} places` : '');
    case 'patch': return [...card.patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map((found) => found[1]).join(', ') || 'a patch';
    case 'write': return near(card.path);
    case 'find': return [card.pattern, card.where && `in ${near(card.where)}`].filter(Boolean).join(' ');
    case 'task': return card.prompt;
    case 'todo': return `${card.items.filter((item) => item.state === 'done').length} of ${card.items.length} done`;
    case 'web': return card.address;
    case 'question': return card.prompt;
    case 'other': {
      const first = Object.values(input).find((value) => typeof value === 'string' && value.length > 0);
      return typeof first === 'string' ? first : Object.keys(input).join(', ');
    }
  }
}

// The input of a call. Some agents write it down as JSON in a text.
function inputOf(raw: Json | undefined): Input {
  if (isObject(raw)) return raw;
  if (typeof raw !== 'string') return {};
  try {
    const read = JSON.parse(raw) as Json;
    if (isObject(read)) return read;
  } catch { /* it is a text */ }
  return { input: raw };
}

// `directory`: the one that the session worked in; paths below it are shown without it.
export function toolCall(content: Content, directory = ''): ToolCall {
  const full = typeof content.tool_name === 'string' ? content.tool_name : '';
  const server = /^mcp__(.+?)__(.+)$/.exec(full);
  const name = server ? server[2]! : full || 'a tool';
  const input = inputOf(content.input);
  const shape = shapeOf(full);
  const card = cardOf(shape, input);
  const said = typeof content.description === 'string' ? content.description : pick(input, 'description');
  const line = card.shape === 'task' && said ? said : lineOf(card, input, directory) || said;
  return { name: oneLine(name, 60), server: server ? oneLine(server[1]!, 40) : '', line: oneLine(line, 300), card };
}

// The language of a file by its ending, as the highlighter names it.
const kLanguages: Record<string, string> = {
  sh: 'bash', bash: 'bash', zsh: 'bash', c: 'c', h: 'cpp', cc: 'cpp', cpp: 'cpp', hpp: 'cpp', cxx: 'cpp', css: 'css', scss: 'css',
  diff: 'diff', patch: 'diff', dockerfile: 'dockerfile', go: 'go', ini: 'ini', toml: 'ini', java: 'java', kt: 'java', js: 'javascript',
  mjs: 'javascript', cjs: 'javascript', jsx: 'javascript', json: 'json', jsonl: 'json', md: 'markdown', py: 'python', rb: 'ruby',
  rs: 'rust', sql: 'sql', ts: 'typescript', tsx: 'typescript', html: 'xml', xml: 'xml', svg: 'xml', vue: 'xml', svelte: 'xml', yaml: 'yaml', yml: 'yaml',
};
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return own(kLanguages, name.slice(name.lastIndexOf('.') + 1)) ?? '';
}
