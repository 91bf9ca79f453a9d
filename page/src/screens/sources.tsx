// Where conversations come from: each folder, what was read of it, and what is gone there but kept here.
import { ask } from '../data/server.ts';
import { useAnswer } from '../data/use_answer.ts';
import { ago, bytes, count } from '../model/format.ts';
import { visible } from '../model/signs.ts';
import { Nothing, Problem, Waiting } from '../parts/states.tsx';

export function SourcesScreen() {
  const { data, error, again } = useAnswer('sources', (signal) => ask('/api/sources', {}, signal));
  const now = Date.now();
  const sources = data?.sources ?? [];
  return (
    <main class="screen sources-screen" id="main">
      <h1>Sources</h1>
      <p class="quiet">Files that weft read conversations from. What an agent deletes is still here, byte for byte: <code>weft restore</code> brings it back.</p>
      {error && <Problem message={error.message} again={again} />}
      {!data && !error && <Waiting what="the sources" />}
      {data && sources.length === 0 && <Nothing title="No sources yet." />}
      {sources.length > 0 && (
        <div class="table-box" tabIndex={0} role="region" aria-label="sources">
          <table class="plain-table">
            <thead><tr><th>Folder</th><th>Format</th><th>Files</th><th>Read</th><th>Gone there</th><th>Kept</th><th>Sessions</th><th>Last read</th></tr></thead>
            <tbody>
              {sources.map((source) => (
                <tr key={`${source.format} ${source.path}`}>
                  <th scope="row" class="path">{visible(source.path)}</th><td>{source.format}</td><td>{count(source.files)}</td><td>{count(source.ingested)}</td>
                  <td class={source.gone ? 'strong' : 'quiet'}>{source.gone ? `${count(source.gone)}, kept here` : '0'}</td><td>{bytes(source.archived_bytes)}</td><td>{count(source.conversations)}</td><td>{source.last_ingest ? ago(source.last_ingest, now) : 'never'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </main>
  );
}
