// The bar on top: where one can go, and what the server's keys open.
import { hello, isHelpOpen, isPaletteOpen, link, place, wasUpdated } from '../data/state.ts';
import { Icon } from '../parts/icon.tsx';

const kScreens = [{ path: '/', name: 'Home' }, { path: '/sessions', name: 'Sessions' }, { path: '/search', name: 'Search' }, { path: '/stats', name: 'Figures' }, { path: '/cost', name: 'Cost' }, { path: '/sources', name: 'Sources' }];

const kKeyWords = { none: 'no keys', metadata: 'summaries open', content: 'all keys' } as const;
const kKeyTitles = {
  none: 'The server has no keys: sealed text stays closed. weft serve with your keyring opens it.',
  metadata: 'The server has the metadata key: summaries are open, reasoning stays sealed.',
  content: 'The server has both keys: reasoning is open in this page.',
} as const;

const kLinkWords = { connecting: 'connecting', live: 'live', gone: 'server gone', refused: 'not allowed' } as const;

export function Bar() {
  const { path } = place.value;
  const keys = hello.value?.keys;
  return (
    <header class="bar">
      <a class="skip" href="#main">skip to the content</a>
      <a class="sign" href="/" aria-label="weft, home"><Icon name="sign" /> <span>weft</span></a>
      <nav aria-label="screens">
        {kScreens.map((screen) => <a key={screen.path} href={screen.path} aria-current={path === screen.path ? 'page' : undefined}>{screen.name}</a>)}
      </nav>
      <button type="button" class="omnibox" onClick={() => { isPaletteOpen.value = true; }}><Icon name="search" /> <span>Go to…</span> <kbd>Ctrl K</kbd></button>
      <span class="bar-state">
        {keys && <span class={`key-state keys-${keys}`} title={kKeyTitles[keys]}><Icon name="lock" /> <span>{kKeyWords[keys]}</span></span>}
        <span class={`link-state ${link.value}`} role="status"><span class="pulse" aria-hidden="true" /> <span>{kLinkWords[link.value]}</span></span>
        <button type="button" class="tool-button" title="Keys and settings (?)" onClick={() => { isHelpOpen.value = true; }}><Icon name="settings" label="keys and settings" /></button>
      </span>
      {wasUpdated.value && <p class="updated" role="alert">weft was updated. <button type="button" onClick={() => location.reload()}>Reload</button></p>}
    </header>
  );
}
