// The page: the bar, and the screen that the URL names.
import { useEffect } from 'preact/hooks';
import { choose, go, hello, isHelpOpen, isPaletteOpen, link, notice, place, settings } from './data/state.ts';
import { isTyping } from './parts/keyboard.ts';
import { late } from './parts/late.tsx';
import { Nothing } from './parts/states.tsx';
import { Bar } from './screens/bar.tsx';
import { ConversationScreen } from './screens/conversation.tsx';
import { Help } from './screens/help.tsx';
import { HomeScreen } from './screens/home.tsx';
import { LicencesScreen } from './screens/licences.tsx';
import { Palette } from './screens/palette.tsx';
import { SearchScreen } from './screens/search.tsx';
import { SessionsScreen } from './screens/sessions.tsx';
import { SourcesScreen } from './screens/sources.tsx';
import { CostScreen, StatsScreen } from './screens/stats.tsx';
import { ThoughtScreen, kTabs, type ThoughtTab } from './screens/thought.tsx';

const LateFiles = late(() => import('./screens/late_parts.ts').then(({ FilesView }) => FilesView), 'the changes');

const LateBlame = late(() => import('./screens/late_parts.ts').then(({ BlameView }) => BlameView), 'the file');

function Screen() {
  const { path, query, key } = place.value;
  const [, first = '', second = '', third = ''] = path.split('/').map((part) => { try { return decodeURIComponent(part); } catch { return part; } });
  switch (first) {
    case '': return <HomeScreen />;
    case 'sessions': return <SessionsScreen key={key} />;
    case 'search': return <SearchScreen key={key} />;
    case 'stats': return <StatsScreen />;
    case 'cost': return <CostScreen />;
    case 'sources': return <SourcesScreen />;
    case 'licences': return <LicencesScreen />;
    case 'c':
      if (third === 'files') return <main class="screen files-screen" id="main"><LateFiles key={`${second} ${query.get('block')}`} conversation={second} block={query.get('block') ?? undefined} /></main>;
      if (second) return <ConversationScreen key={`${second} ${key}`} conversation={second} />; break;
    case 't':
      if (second && third === 'file') return <LateBlame key={`${second} ${query.get('file')}`} cid={second} file={Math.max(0, Number.parseInt(query.get('file') ?? '', 10) || 0)} />;
      if (second) return <ThoughtScreen key={second} cid={second} tab={(kTabs.find(({ tab }) => tab === query.get('view'))?.tab ?? 'thought') as ThoughtTab} />; break;
  }
  return <main class="screen" id="main"><h1 class="hidden">Not found</h1><Nothing title="There is no such screen."><p><a href="/">Home</a></p></Nothing></main>;
}

// Two keys one after the other: g, then a letter.
const kPlaces: Record<string, string> = { h: '/', l: '/sessions', s: '/search', t: '/stats', c: '/cost', o: '/sources' };

function useKeys(): void {
  useEffect(() => {
    let wasG = false;
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        isPaletteOpen.value = !isPaletteOpen.value;
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || settings.value.keys === 'off' || isPaletteOpen.value || isHelpOpen.value) return;
      const target = wasG && Object.hasOwn(kPlaces, event.key) ? kPlaces[event.key] : undefined;
      wasG = event.key === 'g' && !wasG;
      if (target) go(target);
      else if (event.key === '/') go('/search');
      else if (event.key === '?') isHelpOpen.value = true;
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    // In the capture phase: the reader's keys come after, and must not act on the second key of a pair.
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, []);
}

// Links of the page change the URL, not the document. Everything else is the browser's.
function useLinks(): void {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      const anchor = event.target instanceof Element ? event.target.closest('a') : null;
      if (!anchor || anchor.target || anchor.origin !== location.origin || anchor.pathname.startsWith('/assets/')) return;
      if (anchor.getAttribute('href')?.startsWith('#')) {
        event.preventDefault();
        const main = document.querySelector<HTMLElement>('#main');
        main?.setAttribute('tabindex', '-1');
        main?.focus();
        return;
      }
      event.preventDefault();
      go(anchor.pathname + anchor.search);
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, []);
}

const kTitles: Record<string, string> = { '': 'weft', sessions: 'Sessions', search: 'Search', stats: 'Figures', cost: 'Cost', sources: 'Sources', licences: 'Licences', c: 'Conversation', files: 'Files', file: 'Lines of a file', t: 'Thought' };

export function App() {
  useKeys();
  useLinks();
  const [, first = '', , third = ''] = place.value.path.split('/');
  const name = third || first;
  useEffect(() => { document.title = name && Object.hasOwn(kTitles, name) ? `${kTitles[name]} · weft` : 'weft'; }, [name]);
  useEffect(() => { choose({}); }, []);
  return (
    <>
      <Bar />
      {link.value === 'refused' && !hello.value ? <Refused /> : <Screen />}
      <p class={notice.value ? 'notice shown' : 'notice'} role="status" aria-live="polite">{notice.value}</p>
      {isPaletteOpen.value && <Palette />}
      {isHelpOpen.value && <Help />}
    </>
  );
}

function Refused() {
  return (
    <main class="screen" id="main"><h1 class="hidden">Not allowed</h1>
      <Nothing title="This server asks for its token."><p>Open the page with <code>weft open</code>: it hands the token to the browser without writing it anywhere.</p></Nothing>
    </main>
  );
}
