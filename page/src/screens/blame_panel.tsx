// The panel of blame: who wrote some lines, how that is known, and where to read on.
import type { BlameRun } from '../data/types.ts';
import { kRuleWords, kSilenceWords, linesOf, type Mark } from '../model/blame.ts';
import { digits, fullTime, isoTime } from '../model/format.ts';
import { oneLine, visible } from '../model/signs.ts';
import { Icon } from '../parts/icon.tsx';

// The block of the edit that wrote a run, or, if a report names no more than it, the conversation.
export function editOf(run: BlameRun): string | undefined {
  if (!run.conversation_cid) return undefined;
  return `/c/${digits(run.conversation_cid)}${run.request_cid ? `?t=${digits(run.request_cid)}` : ''}`;
}
export function whyOf(run: BlameRun): string | undefined {
  return run.request_cid && `/t/${digits(run.request_cid)}?view=why`;
}

// How sure an answer is, as a shape: full, half, empty; a stroke for none.
export function Sureness({ sure }: { sure: BlameRun['sure'] }) {
  return (
    <svg class="sureness" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
      {sure ? <circle cx="5" cy="5" r="4" fill={sure === 'certain' ? 'currentColor' : 'none'} stroke="currentColor" stroke-width="1.4" /> : <path d="M2 5h6" stroke="currentColor" stroke-width="1.2" />}
      {sure === 'likely' && <path d="M5 1a4 4 0 0 0 0 8Z" fill="currentColor" />}
    </svg>
  );
}

function CommitLine({ run }: { run: BlameRun }) {
  const { commit } = run;
  if (!commit) return <p class="quiet">Not committed.</p>;
  return (
    <p class="commit"><code>{commit.sha.slice(0, 10)}</code> {oneLine(commit.subject, 140)}
      <span class="quiet"> {oneLine(commit.author, 60)}, <time dateTime={isoTime(commit.author_time)}>{fullTime(commit.author_time).slice(0, 10)}</time></span></p>
  );
}

function Answered({ run, mark }: { run: BlameRun; mark: Mark | undefined }) {
  const why = whyOf(run);
  return (
    <>
      <p class="rule-line"><span class="badge"><Sureness sure={run.sure} /> {run.rule}, {run.sure}</span></p>
      <p class="quiet">{kRuleWords[run.rule!]}{run.reported_by && ` It says so by ${run.reported_by}.`}</p>
      {run.reason && (
        <blockquote class="asked">{run.prompt_cid ? <a href={`/t/${digits(run.prompt_cid)}`}>{visible(run.reason)}</a> : visible(run.reason)}</blockquote>
      )}
      <p><b class={`session-letter tone-${mark?.tone ?? 'other'}`}>{mark?.letter}</b> {oneLine(run.title ?? 'Untitled', 140)}</p>
      <p class="quiet">{run.model && oneLine(run.model, 60)}{run.model && run.time !== undefined && ', '}{run.time !== undefined && <time dateTime={isoTime(run.time)}>{fullTime(run.time)}</time>}</p>
      <p class="panel-links">
        <a class="chip" href={editOf(run)}><Icon name="edit" /> {run.request_cid ? 'open the edit' : 'open the conversation'}</a>
        {why && <a class="chip" href={why}><Icon name="why" /> why</a>}
        {run.thinking_cid && <a class="chip quiet" href={`/t/${digits(run.thinking_cid)}`}><Icon name="thinking" /> thinking before it</a>}
      </p>
    </>
  );
}

export function RunPanel({ run, mark }: { run: BlameRun; mark: Mark | undefined }) {
  const name = linesOf(run);
  return (
    <section class="run-panel">
      <h2>{name[0]!.toUpperCase() + name.slice(1)}</h2>
      {run.rule ? <Answered run={run} mark={mark} /> : <><p class="rule-line"><span class="badge"><Sureness sure={undefined} /> no answer</span></p><p>{run.silence && kSilenceWords[run.silence]}</p></>}
      <CommitLine run={run} />
    </section>
  );
}
