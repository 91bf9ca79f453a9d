// An answer in a component. The old one stays on the screen while a new one comes; a question that nobody waits for
// any more is cancelled; an answer that comes late is dropped.
import { useEffect, useRef, useState } from 'preact/hooks';
import { refreshed } from './live.ts';
import { AnswerError } from './server.ts';

export interface Answered<T> { data: T | undefined; error: AnswerError | undefined; isWaiting: boolean; again: () => void }

// Asks when `key` changes and when everything may have changed; not at all for an undefined key.
export function useAnswer<T>(key: string | undefined, question: (signal: AbortSignal) => Promise<T>): Answered<T> {
  const [state, setState] = useState<{ key?: string; data?: T; error?: AnswerError; isWaiting: boolean }>({ isWaiting: key !== undefined });
  const [round, setRound] = useState(0);
  const latest = useRef(question);
  latest.current = question;
  const change = refreshed.value;
  useEffect(() => {
    if (key === undefined) {
      setState({ isWaiting: false });
      return undefined;
    }
    const abort = new AbortController();
    setState((old) => ({ ...old, isWaiting: true }));
    latest.current(abort.signal).then(
      (data) => { if (!abort.signal.aborted) setState({ key, data, isWaiting: false }); },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const known = error instanceof AnswerError ? error : new AnswerError('internal', String(error), 0);
        setState((old) => ({ key, data: old.key === key ? old.data : undefined, error: known, isWaiting: false }));
      });
    return () => abort.abort();
  }, [key, round, change]);
  return { data: state.data, error: state.error, isWaiting: state.isWaiting, again: () => setRound((old) => old + 1) };
}
