// A file that sessions changed, as it is today, with a gutter: each run of lines has the mark of its session, the rule that
// found it, its time, and the words that asked for it. What the gutter says in short, the panel says in full.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { FileLines, type ShownLine } from '../data/file_lines.ts';
import { refreshed, useGrown } from '../data/live.ts';
import { keep, keptBefore, place } from '../data/state.ts';
import type { BlameRun } from '../data/types.ts';
import { letterOf, linesOf, marksOf, type Mark } from '../model/blame.ts';
import { count, digits, fullTime, plural, shortDay } from '../model/format.ts';
import { pathParts } from '../model/hunks.ts';
import { oneLine, visible } from '../model/signs.ts';
import { Pieces } from '../parts/code.tsx';
import { Icon } from '../parts/icon.tsx';
import { Nothing, Notes, Problem, Waiting } from '../parts/states.tsx';
import { useListControl, VirtualList } from '../parts/virtual_list.tsx';
import { useBlameKeys } from './blame_keys.ts';
import { editOf, RunPanel, Sureness } from './blame_panel.tsx';

const kLineHeight = 24;

// What the first line of a run says, for those who hear it.
function labelOf(run: BlameRun, mark: Mark | undefined): string {
  if (!run.rule) return `${linesOf(run)}: no answer`;
  return [`${linesOf(run)}: ${run.rule}, ${run.sure}`, `session ${mark?.letter ?? ''}`, run.model && oneLine(run.model, 60),
    run.time !== undefined && fullTime(run.time), run.reason && `asked: ${oneLine(run.reason, 160)}`].filter(Boolean).join(', ');
}

// In short: the session's letter, how sure, the rule, the day, the words that asked for it. Of lines without an answer what
// git says of them.
function Said({ run, mark }: { run: BlameRun; mark: Mark | undefined }) {
  const { commit } = run;
  const time = run.rule ? run.time : commit?.author_time;
  return (
    <>
      <span class="hidden">{labelOf(run, mark)}</span>
      <b class="session-letter" aria-hidden="true">{run.rule && mark?.letter}</b>
      <Sureness sure={run.sure} />
      <span class="origin-rule" aria-hidden="true">{run.rule ?? commit?.sha.slice(0, 7) ?? 'new'}</span>
      <span class="origin-day" aria-hidden="true">{time === undefined ? '' : shortDay(time, Date.now())}</span>
      <span class="origin-words" aria-hidden="true">{oneLine((run.rule ? run.reason : commit?.author) ?? '', 80)}</span>
    </>
  );
}

function GutterCell({ run, mark, isFirst }: { run: BlameRun; mark: Mark | undefined; isFirst: boolean }) {
  const name = run.rule ? `origin sure-${run.sure} tone-${mark?.tone ?? 'other'}` : 'origin';
  const href = editOf(run);
  if (!isFirst) return href ? <a class={name} href={href} tabIndex={-1} aria-hidden="true" /> : <span class={name} />;
  const more = { id: `run-${run.first}`, class: `${name} first` };
  return href ? <a {...more} href={href}><Said run={run} mark={mark} /></a> : <button type="button" {...more}><Said run={run} mark={mark} /></button>;
}

function Text({ line }: { line: ShownLine }) {
  return (
    <code class="line-text">
      {line.pieces ? <Pieces pieces={line.pieces} /> : visible(line.text)}
      {line.length !== undefined && <span class="quiet"> … {count(line.length)} characters</span>}
    </code>
  );
}

function FileHead({ lines, cid }: { lines: FileLines; cid: string }) {
  const head = lines.head.value!;
  const { folder, name } = pathParts(visible(head.path));
  return (
    <div class="blame-head">
      <h1 class="file-path"><span class="quiet">{folder}</span>{name}</h1>
      <p class="facts">
        <a href={`/c/${digits(head.conversation_cid)}?t=${digits(cid)}`}><Icon name="left" /> the edit</a>
        {head.repository && <span title={visible(head.repository)}>in {oneLine(pathParts(head.repository).name, 80)}</span>}
        <span>{plural(head.lines, 'line')}: {count(head.answered)} by sessions{head.weak > 0 && `, ${count(head.weak)} more weakly`}</span>
      </p>
      <Notes notes={head.notes} />
    </div>
  );
}

// The sessions that wrote lines, with their letters.
function Sessions({ lines }: { lines: FileLines }) {
  const sessions = lines.head.value?.sessions ?? [];
  if (sessions.length === 0) return null;
  return (
    <section>
      <h2>Sessions</h2>
      <ol class="blame-sessions">
        {sessions.slice(0, 30).map((session, number) => (
          <li key={session.conversation_cid}><b class={`session-letter tone-${marksOf(sessions).get(session.conversation_cid)!.tone}`}>{letterOf(number)}</b>
            <a href={`/c/${digits(session.conversation_cid)}`}>{oneLine(session.title ?? 'Untitled', 90)}</a> <span class="quiet">{plural(session.lines, 'line')}</span></li>
        ))}
      </ol>
      {sessions.length > 30 && <p class="quiet">and {plural(sessions.length - 30, 'more session')}</p>}
    </section>
  );
}

export function BlameView({ cid, file }: { cid: string; file: number }) {
  const lines = useMemo(() => new FileLines(cid, file), [cid, file]);
  const asked = Number(place.value.query.get('line') ?? '');
  const start = keptBefore<number>('line') ?? (Number.isInteger(asked) && asked > 0 ? asked : 1);
  const current = useSignal(start);
  const pointed = useSignal<number | undefined>(undefined);
  const [hasGrown, setGrown] = useState(false);
  const { control, range } = useListControl();
  const pointing = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  useEffect(() => {
    void lines.open(start);
    return () => lines.close();
  }, [lines]);
  const round = refreshed.value;
  const firstRound = useRef(round);
  useEffect(() => { if (round !== firstRound.current) void lines.open(current.peek()); }, [round]);
  useGrown(({ conversation }) => {
    const known = lines.head.peek();
    if (conversation === known?.conversation_cid || known?.sessions?.some((session) => session.conversation_cid === conversation)) setGrown(true);
  });

  const head = lines.head.value;
  const drawn = useRef<{ lines: FileLines; count: number } | undefined>(undefined);
  useLayoutEffect(() => {
    if (!head) return;
    const before = drawn.current?.lines === lines ? drawn.current.count : undefined;
    drawn.current = { lines, count: head.lines };
    current.value = Math.min(Math.max(1, current.peek()), Math.max(1, head.lines));
    // Of a file that was read again, what is on the screen stays there.
    if (before !== undefined) control.replace(head.lines, () => kLineHeight, (row) => (row < before ? row : -1), (row) => Math.min(row, head.lines - 1));
    else control.reset(head.lines, () => kLineHeight, current.peek() - 1, current.peek() === 1 ? 0 : 90);
  }, [head]);
  useEffect(() => { if (head && range.last >= 0) lines.want(range.first + 1, range.last + 1); }, [head, range, lines]);
  useBlameKeys(lines, control, current);
  useEffect(() => { keep('line', current.value); }, [current.value]);

  // The colours and pages that came are drawn.
  void lines.version.value;
  void lines.coloured.value;
  const marks = useMemo(() => marksOf(head?.sessions ?? []), [head]);
  const markOf = (run: BlameRun | undefined) => marks.get(run?.conversation_cid ?? '');
  const shown = lines.runOf(pointed.value ?? current.value);
  const here = lines.runOf(current.value);
  if (lines.error.value && !head) return <main class="screen" id="main"><h1>Who wrote the lines of this file</h1><Problem message={lines.error.value.message} again={() => void lines.open(start)} /></main>;
  if (!head) return <main class="screen" id="main"><h1 class="hidden">Who wrote the lines of this file</h1><Waiting what="the file" /></main>;

  // What the pointer rests on is told; what it passes is not meant.
  const point = (line: number | undefined) => {
    clearTimeout(pointing.current);
    pointing.current = setTimeout(() => { pointed.value = line; }, 90);
  };
  const drawRow = (row: number) => {
    const number = row + 1;
    const line = lines.line(number);
    const run = lines.runOf(number);
    const isLit = run !== undefined && run.first === shown?.first;
    const name = `blame-line${isLit ? ' lit' : ''}${run && run.first === here?.first ? ' current' : ''}${run?.first === number ? ' begins' : ''}`;
    return (
      <div class={name} onPointerEnter={() => point(number)} onFocusCapture={() => { current.value = number; pointed.value = undefined; }} onClick={() => { current.value = number; }}>
        {run ? <GutterCell run={run} mark={markOf(run)} isFirst={run.first === number} /> : <span class="origin" />}
        <span class="number">{number}</span>
        {line ? <Text line={line} /> : <span class="line-text waiting-line" />}
      </div>
    );
  };
  return (
    <main class="blame-screen" id="main">
      <FileHead lines={lines} cid={cid} />
      {hasGrown && <p class="blame-grown"><button type="button" class="more" onClick={() => { setGrown(false); void lines.open(current.peek()); }}>Something came in since: read the file again</button></p>}
      {lines.error.value && <Problem message={lines.error.value.message} again={() => void lines.open(current.peek())} />}
      {head.lines === 0 && <Nothing title="The file is empty." />}
      <div class="blame-body">
        <div class="blame-list" onPointerLeave={() => point(undefined)}>
          <VirtualList control={control} range={range} role="list" label={`lines of ${visible(head.path)}`} class="blame-lines" keyOf={(row) => row} row={drawRow} />
        </div>
        <aside class="blame-panel" aria-label="about these lines" tabIndex={0}>
          {shown && <RunPanel run={shown} mark={markOf(shown)} />}
          <Sessions lines={lines} />
        </aside>
      </div>
      {lines.failed.value && <p class="failed" role="alert">Some lines could not be read: {lines.failed.value}</p>}
    </main>
  );
}
