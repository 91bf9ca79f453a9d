// The licences of the works of others that the page contains. The build collects them.
import { useAnswer } from '../data/use_answer.ts';
import { Problem, Waiting } from '../parts/states.tsx';

async function licences(signal: AbortSignal): Promise<string> {
  const response = await fetch(WEFT_LICENCES, { signal });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.text();
}

export function LicencesScreen() {
  const { data, error, again } = useAnswer('licences', licences);
  return (
    <main class="screen" id="main">
      <h1>Works of others</h1>
      {error && <Problem message={error.message} again={again} />}
      {!data && !error && <Waiting what="the licences" />}
      {data && <pre class="licences" tabIndex={0}>{data}</pre>}
    </main>
  );
}
