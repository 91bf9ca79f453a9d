// What the origins of lines look like: letters of sessions, words for rules and silences, and the colours of code by line.
import type { BlameRun, BlameSession } from '../data/types.ts';
import type { Piece } from '../worker/tree.ts';

// A, B, … Z, AA, AB, …: a session's mark. Letters tell sessions apart where colours, of which there are few, do not.
export function letterOf(number: number): string {
  const last = String.fromCharCode(65 + (number % 26));
  return number < 26 ? last : letterOf(Math.floor(number / 26) - 1) + last;
}

export interface Mark { letter: string; tone: string }
const kTones = ['human', 'thinking', 'tool', 'good'] as const;

// The marks of the sessions that wrote a file, by their conversations.
export function marksOf(sessions: readonly BlameSession[]): Map<string, Mark> {
  return new Map(sessions.map((session, number) => [session.conversation_cid, { letter: letterOf(number), tone: kTones[number % kTones.length]! }]));
}

type Rule = NonNullable<BlameRun['rule']>;
type Silence = NonNullable<BlameRun['silence']>;

export const kRuleWords: Record<Rule, string> = {
  replayed: 'The session shows the file before and after its edits; replayed, they lead to these lines.',
  written: 'An edit wrote these lines between the previous commit of the file and this one.',
  reported: 'The commit itself names the call or the session for these lines.',
  earlier: 'An edit wrote these lines, but before the previous commit of the file: a person may have written them again.',
};

export const kSilenceWords: Record<Silence, string> = {
  no_edit_of_path: 'No conversation has an edit of this file.',
  older_than_sessions: 'The commit is older than every conversation in the store.',
  too_short: 'The lines say too little to be recognised, and their neighbours have no answer of this commit.',
  not_this_line: 'Edits of the file are known, but none that wrote these lines at that time: a person, a shell command, a formatter, or a session that was not ingested.',
  not_in_git: 'The file is not in git, and the known edits do not lead to these lines.',
};

export function linesOf(run: BlameRun): string {
  return run.first === run.last ? `line ${run.first}` : `lines ${run.first} to ${run.last}`;
}

// The colours of a text, line by line.
export function piecesByLine(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const { text, classes } of pieces) {
    for (const [number, part] of text.split('\n').entries()) {
      if (number > 0) lines.push([]);
      if (part) lines.at(-1)!.push({ text: part, classes });
    }
  }
  return lines;
}

// The run of a line among runs that are in order.
export function runAt(runs: readonly BlameRun[], line: number): BlameRun | undefined {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle]!.last < line) low = middle + 1;
    else high = middle;
  }
  const run = runs[low];
  return run && run.first <= line ? run : undefined;
}
