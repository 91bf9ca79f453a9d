// Above the conversation: what it is, in one line and a second one of facts, and the three levels of detail.
import { setQuery } from '../data/state.ts';
import type { Level } from '../model/rows.ts';
import { count, dayName, digits, plural } from '../model/format.ts';
import { oneLine } from '../model/signs.ts';
import { Icon } from '../parts/icon.tsx';
import type { ReaderState } from './state.ts';

const kLevels: { level: Level; name: string; title: string }[] = [
  { level: 1, name: 'Answers', title: 'Prompts and answers (1)' },
  { level: 2, name: 'Steps', title: 'And each step in one line (2)' },
  { level: 3, name: 'All', title: 'Everything open (3)' },
];

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
              {row.project && <a href={`/sessions?project=${encodeURIComponent(row.project)}`}>{oneLine(row.project, 60)}</a>}
              {row.git_branch && <span><Icon name="branch" /> {oneLine(row.git_branch, 40)}</span>}
              <span>{row.format}</span>
              {row.models.length > 0 && <span>{oneLine(row.models.join(', '), 80)}</span>}
              <span>{dayName(row.updated_at, Date.now())}</span>
              {outline && state.isWhole.value && <span>{plural(outline.count, 'block')}</span>}
              {outline?.sealed ? <span><Icon name="lock" /> {count(outline.sealed)} sealed</span> : null}
              {row.parent && <a href={`/c/${digits(row.parent)}`}><Icon name="agent" /> started by another session</a>}
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
        {state.source.isServer && !state.prefix && (
          <button type="button" class="tool-button" title="Other branches and superseded blocks, too" aria-pressed={Boolean(state.scope.value.all)}
            onClick={() => setQuery({ all: state.scope.peek().all ? null : 'true', at: null, t: null })}><Icon name="branch" label="other branches and superseded blocks" /></button>
        )}
        {!state.prefix && <button type="button" class="tool-button" title="Find in this conversation (Ctrl+F)" aria-expanded={state.finding.value !== undefined}
          onClick={() => { state.finding.value = state.finding.value === undefined ? '' : undefined; }}><Icon name="search" label="find in this conversation" /></button>}
      </div>
    </header>
  );
}
