// The palette (Ctrl+K): go to a session, a thought by the start of its CID, or a screen; do what the page can do.
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../data/server.ts';
import { choose, go, isHelpOpen, isPaletteOpen, startSearch } from '../data/state.ts';
import { digits } from '../model/format.ts';
import { oneLine } from '../model/signs.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';

interface Command { name: string; detail: string; icon: IconName; run: () => void }

const kCommands: Command[] = [
  { name: 'Home', detail: 'g h', icon: 'home', run: () => go('/') },
  { name: 'Sessions', detail: 'g l', icon: 'list', run: () => go('/sessions') },
  { name: 'Search', detail: '/', icon: 'search', run: () => go('/search') },
  { name: 'Figures', detail: 'g t', icon: 'chart', run: () => go('/stats') },
  { name: 'Cost', detail: 'g c', icon: 'chart', run: () => go('/cost') },
  { name: 'Sources', detail: 'g o', icon: 'sources', run: () => go('/sources') },
  { name: 'Keys and settings', detail: '?', icon: 'settings', run: () => { isHelpOpen.value = true; } },
  { name: 'Theme: as the system', detail: '', icon: 'settings', run: () => choose({ theme: 'system' }) },
  { name: 'Theme: light', detail: '', icon: 'settings', run: () => choose({ theme: 'light' }) },
  { name: 'Theme: dark', detail: '', icon: 'settings', run: () => choose({ theme: 'dark' }) },
  { name: 'Theme: high contrast', detail: '', icon: 'settings', run: () => choose({ theme: 'contrast' }) },
];

function useFound(words: string): Command[] {
  const [found, setFound] = useState<{ words: string; commands: Command[] }>({ words: '', commands: [] });
  useEffect(() => {
    const text = words.trim();
    const abort = new AbortController();
    const question = text ? ask('/api/suggest', { q: text }, abort.signal).then(({ sessions }) => sessions) : ask('/api/conversations', { limit: 6, fold: true }, abort.signal).then((list) => list.conversations);
    void question.then((conversations) => {
      setFound({ words, commands: conversations.map((row) => ({ name: oneLine(row.title ?? 'Untitled', 90), detail: oneLine(row.project ?? row.format, 30), icon: 'answer' as const, run: () => go(`/c/${digits(row.cid)}`) })) });
    }, () => { /* a newer question, or a server that is gone: the bar says so */ });
    return () => abort.abort();
  }, [words]);
  const text = words.trim().toLowerCase();
  const commands = kCommands.filter((command) => text !== '' && command.name.toLowerCase().includes(text));
  // Until the answer to these words is here, of the sessions found before only those that have the words are offered.
  const sessions = found.words === words ? found.commands : found.commands.filter((command) => command.name.toLowerCase().includes(text));
  const cid = /^(?:cid:blake3:)?([0-9a-f]{8,64})$/.exec(text);
  const thought: Command[] = cid ? [{ name: `Thought ${cid[1]!.slice(0, 12)}`, detail: 'by its CID', icon: 'link', run: () => go(`/t/${cid[1]}`) }] : [];
  const search: Command[] = text.length > 1 ? [{ name: `Search for “${words.trim()}”`, detail: 'everything', icon: 'search', run: () => startSearch(words.trim()) }] : [];
  return [...thought, ...commands, ...sessions, ...search, ...(text === '' ? kCommands.slice(0, 7) : [])];
}

export function Palette() {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const found = useFound(words);
  const chosen = Math.min(at, found.length - 1);
  const close = () => { isPaletteOpen.value = false; };
  const run = (command: Command | undefined) => { if (command) { close(); command.run(); } };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setAt((chosen + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[chosen]);
    }
  };
  return (
    <Dialog label="palette" class="palette" close={close}>
      <div class="search-field">
        <Icon name="search" />
        <input type="search" list={undefined} role="combobox" aria-label="go to" aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list" aria-activedescendant={found.length ? `palette-${chosen}` : undefined}
          placeholder="A session, a CID, a command" value={words} autocomplete="off" spellcheck={false} autofocus
          onInput={(event) => { setWords(event.currentTarget.value); setAt(0); }} onKeyDown={onKey} />
      </div>
      <ul id="palette-list" role="listbox" aria-label="results" class="palette-list">
        {found.map((command, index) => (
          <li key={`${command.name} ${index}`} id={`palette-${index}`} role="option" aria-selected={index === chosen} onMouseEnter={() => setAt(index)} onClick={() => run(command)}>
            <Icon name={command.icon} /> <span>{command.name}</span> <span class="quiet">{command.detail}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
