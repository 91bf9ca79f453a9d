// What a screen shows when it has nothing to show yet, or cannot.
import type { ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

// Appears only after a moment: an answer that comes at once should not flash.
export function Waiting({ what }: { what: string }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 250);
    return () => clearTimeout(timer);
  }, []);
  return <p class="nothing waiting-for" role="status">{isLate ? `Reading ${what}…` : ''}</p>;
}

export function Problem({ message, again }: { message: string; again?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p><Icon name="alert" /> {message}</p>
      {again && <button type="button" onClick={again}>Try again</button>}
    </div>
  );
}

export function Nothing({ title, children }: { title: string; children?: ComponentChild }) {
  return <div class="nothing"><p class="nothing-title">{title}</p>{children}</div>;
}

export function Notes({ notes }: { notes: readonly string[] | undefined }) {
  if (!notes?.length) return null;
  return <ul class="notes">{notes.map((note, at) => <li key={at}>{note}</li>)}</ul>;
}
