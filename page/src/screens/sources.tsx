// Where conversations come from: each folder, what was read of it, and what is gone there but kept here.
import { ask } from '../data/server.ts';
import type { SourceFolder } from '../data/types.ts';
import { useAnswer } from '../data/use_answer.ts';
import { ago, bytes, count, plural } from '../model/format.ts';
import { visible } from '../model/signs.ts';
import { Nothing, Problem, Waiting } from '../parts/states.tsx';

const isUsed = (source: SourceFolder) => source.files + source.ingested + source.gone + source.conversations > 0;

function SourceTable({ sources }: { sources: readonly SourceFolder[] }) {
  const now = Date.now();
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="sources">
      <table class="plain-table">
        <thead><tr><th>Folder</th><th>Format</th><th class="figure">Files</th><th class="figure">Read</th><th class="figure">Gone there</th><th class="figure">Kept</th><th class="figure">Sessions</th><th>Last read</th></tr></thead>
        <tbody>
          {sources.map((source) => (
            <tr key={`${source.format} ${source.path}`}>
              <th scope="row" class="path">{visible(source.path)}</th><td>{source.format}</td><td class="figure">{count(source.files)}</td><td class="figure">{count(source.ingested)}</td>
              <td class={source.gone ? 'figure strong' : 'figure quiet'}>{source.gone ? `${count(source.gone)}, kept here` : '0'}</td><td class="figure">{bytes(source.archived_bytes)}</td><td class="figure">{count(source.conversations)}</td><td>{source.last_ingest ? ago(source.last_ingest, now) : 'never'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function SourcesScreen() {
  const { data, error, again } = useAnswer('sources', (signal) => ask('/api/sources', {}, signal));
  const all = data?.sources ?? [];
  const used = all.filter(isUsed);
  const unused = all.filter((source) => !isUsed(source));
  return (
    <main class="screen sources-screen" id="main">
      <h1>Sources</h1>
      <p class="quiet">Files that weft read conversations from. What an agent deletes is still here, byte for byte: <code>weft restore</code> brings it back.</p>
      {error && <Problem message={error.message} again={again} />}
      {!data && !error && <Waiting what="the sources" />}
      {data && used.length === 0 && <Nothing title="Nothing was read yet."><p><code>weft up</code> looks in the folders of the agents that it knows; <code>weft ingest FILE</code> reads one file.</p></Nothing>}
      {used.length > 0 && <section><SourceTable sources={used} /></section>}
      {unused.length > 0 && <details class="unused"><summary>{plural(unused.length, 'more folder')} in which weft looks, and found nothing</summary><SourceTable sources={unused} /></details>}
    </main>
  );
}
