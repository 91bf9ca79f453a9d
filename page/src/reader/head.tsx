// Above the conversation: what it is, in one line and a second one of facts, and the three levels of detail.
import { setQuery } from '../data/state.ts';
import { ordinalInMain, type Level } from '../model/rows.ts';
import { count, dayName, digits, plural } from '../model/format.ts';
import { oneLine } from '../model/signs.ts';
import { Icon } from '../parts/icon.tsx';
import type { ReaderState } from './state.ts';

const kLevels: { level: Level; name: string; title: string }[] = [
  { level: 1, name: 'Answers', title: 'Prompts and answers (1)' },
  { level: 2, name: 'Steps', title: 'And each step in one line (2)' },
  { level: 3, name: 'All', title: 'Everything open (3)' },
];

// The block that is being read stays, as far as the main branch has it.
function switchBranches(state: ReaderState): void {
  const outline = state.outline.peek();
  const here = state.current.peek();
  if (state.scope.peek().all) setQuery({ all: null, branch: null, t: null, main: null, at: outline && here ? String(ordinalInMain(outline, here)) : null });
  else setQuery({ all: 'true', branch: null, t: null, at: null, main: here ? String(here) : null });
}

export function ReaderHead({ state, setLevel }: { state: ReaderState; setLevel: (level: Level) => void }) {
  const row = state.conversation.value;
  const outline = state.outline.value;
  const Title = state.prefix ? 'h2' : 'h1';
  return (
    <header class="reader-head">
      <div class="reader-title">
        <Title>{row ? oneLine(row.title ?? 'Untitled', 160) : '\u00a0'}</Title>
        <p class="facts">
          {row && (
            <>
              {row.project && (state.source.isServer ? <a href={`/sessions?project=${encodeURIComponent(row.project)}`}>{oneLine(row.project, 60)}</a> : <span>{oneLine(row.project, 60)}</span>)}
              {row.git_branch && <span><Icon name="branch" /> {oneLine(row.git_branch, 40)}</span>}
              <span>{row.format}</span>
              {row.models.length > 0 && <span>{oneLine(row.models.join(', '), 80)}</span>}
              <span>{dayName(row.updated_at, Date.now())}</span>
              {outline && state.isWhole.value && <span>{plural(outline.count, 'block')}</span>}
              {outline?.sealed ? <span><Icon name="lock" /> {count(outline.sealed)} sealed</span> : null}
              {row.parent && state.source.isServer && <a href={`/c/${digits(row.parent)}`}><Icon name="agent" /> started by another session</a>}
            </>
          )}
        </p>
      </div>
      <div class="reader-tools">
        <div class="choice" role="group" aria-label="level of detail">
          {kLevels.map(({ level, name, title }) => (
            <button key={level} type="button" title={title} aria-pressed={state.level.value === level} onClick={() => setLevel(level)}>{name}</button>
          ))}
        </div>
        {state.source.isServer && !state.prefix && row && <a class="tool-link" href={`/c/${digits(row.cid)}/files`} title="Files that this conversation changed (f)"><Icon name="file" /> Files</a>}
        {state.source.isServer && !state.prefix && (
          <button type="button" class="tool-button" title="Other branches and superseded blocks, too" aria-pressed={Boolean(state.scope.value.all)}
            onClick={() => switchBranches(state)}><Icon name="branch" label="other branches and superseded blocks" /></button>
        )}
        {!state.prefix && <button type="button" class="tool-button" title="Find in this conversation (Ctrl+F)" aria-expanded={state.finding.value !== undefined}
          onClick={() => { state.finding.value = state.finding.value === undefined ? '' : undefined; }}><Icon name="search" label="find in this conversation" /></button>}
      </div>
    </header>
  );
}
