// Search as one types: each key asks, an older answer never replaces a newer one, and what was found before stays until
// then. The words are in the URL unless the server's keys open sealed text: a URL stays in the browser's history.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ask, AnswerError } from '../data/server.ts';
import { go, isSealedOpen, keep, keptBefore, place } from '../data/state.ts';
import type { Hit, Hits, Suggestions } from '../data/types.ts';
import { count, digits, fullTime, isoTime, kindName, kindOf } from '../model/format.ts';
import { completions, filtersOf, joinHits, whileTyping, withFilter, withMonth, withoutFilter } from '../model/query.ts';
import { oneLine, visible } from '../model/signs.ts';
import { Icon } from '../parts/icon.tsx';
import { Nothing, Notes, Problem } from '../parts/states.tsx';
import { SessionRow } from './session_row.tsx';
import { toneOf } from './trace.tsx';

const kPause = 150;
const kPage = 30;

interface Shown { query: string; hits: Hits; suggested: Suggestions | undefined }

// Marks count characters, not units of UTF-16.
function Snippet({ hit }: { hit: Hit }) {
  const characters = [...hit.snippet];
  const parts: preact.ComponentChild[] = [];
  let from = 0;
  hit.marks.forEach(([start, end], at) => {
    parts.push(visible(characters.slice(from, start).join('')), <mark key={at}>{visible(characters.slice(start, end).join(''))}</mark>);
    from = end;
  });
  parts.push(visible(characters.slice(from).join('')));
  return <span class="snippet">{parts}</span>;
}

function HitRow({ hit }: { hit: Hit }) {
  const kind = kindOf(hit.type);
  return (
    <li>
      <a class="hit" href={hit.conversation_cid ? `/c/${digits(hit.conversation_cid)}?t=${digits(hit.cid)}` : `/t/${digits(hit.cid)}`}>
        <span class="hit-head"><b class={`tone-${toneOf(kind)}`}>{kindName(kind)}</b> <span class="hit-title">{oneLine(hit.title ?? 'Untitled', 100)}</span>
          {hit.sealed && <span class="badge"><Icon name="lock" /> sealed</span>}
          {hit.places > 1 && <span class="quiet">{hit.places} places</span>}
          <time dateTime={isoTime(hit.created_at)}>{fullTime(hit.created_at).slice(0, 16)}</time></span>
        <Snippet hit={hit} />
      </a>
    </li>
  );
}

// How often each value stands among the hits that are shown, as filters to add.
function Facets({ hits, query, setQuery }: { hits: readonly Hit[]; query: string; setQuery: (query: string) => void }) {
  const groups = useMemo(() => {
    const tally = (valueOf: (hit: Hit) => string | null) => {
      const counts = new Map<string, number>();
      for (const hit of hits) {
        const value = valueOf(hit);
        if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 6);
    };
    const month = (hit: Hit) => new Date(hit.created_at).toISOString().slice(0, 7);
    return [['type:', tally((hit) => kindOf(hit.type))], ['tool:', tally((hit) => hit.tool ?? null)], ['project:', tally((hit) => hit.project)], ['month', tally(month)]] as const;
  }, [hits]);
  return (
    <div class="facets" aria-label="narrow the results">
      {groups.map(([name, values]) => values.length > 1 && (
        <p key={name}>{values.map(([value, number]) => (
          <button key={value} type="button" class="chip quiet" onClick={() => setQuery(name === 'month' ? withMonth(query, value) : withFilter(query, name, value))}>{name === 'type:' ? kindName(value) : oneLine(value, 30)} <span class="quiet">{number}</span></button>
        ))}</p>
      ))}
    </div>
  );
}

// What can be typed, for somebody who has typed nothing yet. Each is a button that types it.
const kExamples: [string, string][] = [
  ['time zone', 'any of these words; results with more of them, and rarer ones, come first'],
  ['"no such file"', 'these words in this order'],
  ['migra*', 'words that begin with this'],
  ['error -test', 'results without the second word'],
  ['tool:Bash ', 'calls and results of one tool'],
  ['type:thinking ', 'one kind: thinking, response, human_input, tool_result…'],
  ['project:', 'one project'],
  ['since:7d ', 'the last seven days; until: sets an end'],
];

function Examples({ choose }: { choose: (text: string) => void }) {
  return (
    <section class="examples">
      <h2>What can be typed</h2>
      <ul>{kExamples.map(([text, meaning]) => <li key={text}><button type="button" class="chip quiet" onClick={() => choose(text)}><code>{text.trim()}</code></button> <span class="quiet">{meaning}</span></li>)}</ul>
    </section>
  );
}

export function SearchScreen() {
  const start = keptBefore<string>('words') ?? place.value.query.get('q') ?? '';
  const [query, setQuery] = useState(start);
  const [cursor, setCursor] = useState(start.length);
  const [shown, setShown] = useState<Shown | undefined>(() => keptBefore<Shown>('shown'));
  const [error, setError] = useState<AnswerError | undefined>(undefined);
  const [known, setKnown] = useState<Record<string, string[]>>({});
  const [chosen, setChosen] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const newest = useRef(0);
  const answered = useRef(0);

  // Each question has a number; an answer older than the one on the screen is dropped.
  const run = useRef<AbortController | undefined>(undefined);
  const send = async (text: string) => {
    const number = ++newest.current;
    run.current?.abort();
    const abort = new AbortController();
    run.current = abort;
    if (text.trim() === '') { setShown(undefined); setError(undefined); answered.current = number; return; }
    try {
      const words = query.trim();
      const [hits, suggested] = await Promise.all([
        text.trim().length > 1 ? ask('/api/search', { q: text, limit: kPage }, abort.signal) : Promise.resolve<Hits>({ query: text, total: 0, results: [] }),
        filtersOf(words).length ? Promise.resolve(undefined) : ask('/api/suggest', { q: words }, abort.signal),
      ]);
      if (number < answered.current || abort.signal.aborted) return;
      answered.current = number;
      setShown((old) => {
        const begun = old && old.query === whileTyping(text) && old.query !== text ? old : undefined;
        const next = begun ? { ...begun, hits: joinHits(hits, begun.hits) } : { query: text, hits, suggested };
        keep('shown', next);
        return next;
      });
      setError(undefined);
    } catch (failed) {
      if (!abort.signal.aborted) setError(failed as AnswerError);
    }
  };

  const isFirst = useRef(true);
  useEffect(() => {
    const isRestored = isFirst.current && keptBefore('shown') !== undefined;
    isFirst.current = false;
    keep('words', query);
    if (isRestored) return undefined;
    void send(whileTyping(query));
    // Sealed text is found by whole words only: after a pause the words are sent as they stand.
    const timer = setTimeout(() => {
      if (whileTyping(query) !== query) void send(query);
      const inUrl = isSealedOpen.value ? '' : query;
      if ((place.value.query.get('q') ?? '') !== inUrl && place.value.path === '/search') go(`/search${inUrl ? `?q=${encodeURIComponent(inUrl)}` : ''}`, 'replace');
    }, kPause);
    return () => clearTimeout(timer);
  }, [query]);
  useEffect(() => () => run.current?.abort(), []);
  useEffect(() => {
    field.current?.focus();
    void ask('/api/names', {}).then(({ tools, projects }) => setKnown({ 'tool:': tools, 'project:': projects }), () => { /* no completion, then */ });
  }, []);

  const offered = completions(query, cursor, known);
  const accepted = useRef<number | undefined>(undefined);
  const accept = (index: number) => {
    const taken = offered[index];
    if (!taken) return;
    setQuery(taken.query);
    setCursor(taken.cursor);
    setChosen(-1);
    accepted.current = taken.cursor;
  };
  // The cursor moves with the text, before another key can come between.
  useLayoutEffect(() => {
    if (accepted.current === undefined) return;
    field.current?.focus();
    field.current?.setSelectionRange(accepted.current, accepted.current);
    accepted.current = undefined;
  });
  const onKey = (event: KeyboardEvent) => {
    if (offered.length && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      setChosen((chosen + (event.key === 'ArrowDown' ? 1 : -1) + offered.length + 1) % (offered.length + 1));
    } else if (offered.length && (event.key === 'Tab' && !event.shiftKey && chosen >= 0 || event.key === 'Enter' && chosen >= 0)) {
      event.preventDefault();
      accept(chosen);
    } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      const first = document.querySelector<HTMLAnchorElement>('.hits a.hit');
      if (!first) return;
      event.preventDefault();  // the first result is chosen; the next Enter opens it
      first.focus();
    }
  };
  // From result to result, and back to the words.
  const onHitKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const all = [...document.querySelectorAll<HTMLAnchorElement>('.hits a.hit')];
    const here = all.findIndex((hit) => hit === document.activeElement);
    if (!by || here < 0) return;
    event.preventDefault();
    if (here + by < 0) field.current?.focus();
    else all[here + by]?.focus();
  };
  const more = async () => {
    if (!shown?.hits.next_cursor) return;
    const next = await ask('/api/search', { q: shown.query, limit: kPage, cursor: shown.hits.next_cursor });
    const joined = { ...shown, hits: { ...next, total: shown.hits.total, results: [...shown.hits.results, ...next.results] } };
    keep('shown', joined);
    setShown(joined);
  };
  const filters = filtersOf(query);
  const results = shown?.hits.results ?? [];
  const suggested = shown?.suggested;
  return (
    <main class="screen search-screen" id="main">
      <h1 class="hidden">Search</h1>
      <div class="search-field">
        <Icon name="search" />
        <input ref={field} type="search" list={undefined} role="combobox" aria-label="search" aria-expanded={offered.length > 0} aria-controls="completions" aria-autocomplete="list"
          aria-activedescendant={chosen >= 0 ? `completion-${chosen}` : undefined} spellcheck={false} autocomplete="off" placeholder="Search everything: words, “a phrase”, -without, tool:Bash, since:7d"
          value={query} onInput={(event) => { setQuery(event.currentTarget.value); setCursor(event.currentTarget.selectionStart ?? 0); setChosen(-1); }}
          onClick={(event) => setCursor(event.currentTarget.selectionStart ?? 0)} onKeyDown={onKey} />
      </div>
      <ul id="completions" role="listbox" class="completions" aria-label="completions" hidden={offered.length === 0}>
        {offered.map((item, at) => <li key={item.text} id={`completion-${at}`} role="option" aria-selected={at === chosen} onMouseDown={(event) => { event.preventDefault(); accept(at); }}>{item.text}</li>)}
      </ul>
      {filters.length > 0 && <p class="chips">{filters.map((filter) => <button key={filter.text} type="button" class="chip" onClick={() => setQuery(withoutFilter(query, filter))}>{filter.text} <Icon name="cross" label="remove" /></button>)}</p>}
      {error && <Problem message={error.message} />}
      {shown && <p class="quiet found" role="status">{shown.hits.total > 0 ? `${count(shown.hits.total)} found` : ''}</p>}
      <Notes notes={shown?.hits.notes} />
      {suggested && suggested.projects.length + suggested.tools.length > 0 && (
        <p class="chips">
          {suggested.projects.slice(0, 5).map((name) => <a key={name} class="chip quiet" href={`/sessions?project=${encodeURIComponent(name)}`}><Icon name="sources" /> {oneLine(name, 40)}</a>)}
          {suggested.tools.slice(0, 5).map((name) => <button key={name} type="button" class="chip quiet" onClick={() => setQuery(`tool:${name} `)}><Icon name="tool" /> {oneLine(name, 40)}</button>)}
        </p>
      )}
      {suggested && suggested.sessions.length > 0 && (
        <section class="found-sessions"><h2>Sessions</h2><ul class="plain-list">{suggested.sessions.slice(0, results.length ? 4 : 8).map((row) => <li key={row.cid}><SessionRow row={row} withDay /></li>)}</ul></section>
      )}
      {results.length > 0 && <Facets hits={results} query={query} setQuery={setQuery} />}
      {results.length > 0 && <ol class="hits" onKeyDown={onHitKey}>{results.map((hit) => <HitRow key={hit.cid} hit={hit} />)}</ol>}
      {shown?.hits.next_cursor && <button type="button" class="more" onClick={() => void more()}>more results</button>}
      {shown && query.trim().length > 1 && results.length === 0 && !suggested?.sessions.length && !error && (
        <Nothing title="Nothing found."><p>{filters.length ? 'Removing a filter may help. ' : ''}Sealed text is found by whole words only.</p></Nothing>
      )}
      {query === '' && <Examples choose={(text) => { setQuery(text); setCursor(text.length); field.current?.focus(); }} />}
    </main>
  );
}
