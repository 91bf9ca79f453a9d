// What a person chose about the page's looks and keys. Kept in localStorage: nothing of a transcript ever is.

export interface Settings {
  theme: 'system' | 'light' | 'dark' | 'contrast';
  density: 'cosy' | 'compact';
  size: 90 | 100 | 115 | 130 | 150;
  keys: 'on' | 'off';  // WCAG 2.1.4: keys of one letter can be switched off
  level: 1 | 2 | 3;
}

export const kDefaults: Settings = { theme: 'system', density: 'cosy', size: 100, keys: 'on', level: 2 };
const kChoices: { [name in keyof Settings]: readonly Settings[name][] } = {
  theme: ['system', 'light', 'dark', 'contrast'], density: ['cosy', 'compact'], size: [90, 100, 115, 130, 150], keys: ['on', 'off'], level: [1, 2, 3],
};
const kName = 'weft.settings';

export function parseSettings(text: string | null): Settings {
  const settings = { ...kDefaults };
  let read: unknown;
  try { read = JSON.parse(text ?? '{}'); } catch { return settings; }
  if (typeof read !== 'object' || read === null) return settings;
  for (const name of Object.keys(kChoices) as (keyof Settings)[]) {
    const value = (read as Record<string, unknown>)[name];
    if ((kChoices[name] as readonly unknown[]).includes(value)) Object.assign(settings, { [name]: value });
  }
  return settings;
}

// A browser may refuse storage; the page then works with what is chosen until it is closed.
export function readSettings(): Settings {
  try { return parseSettings(localStorage.getItem(kName)); } catch { return { ...kDefaults }; }
}
export function writeSettings(settings: Settings): void {
  try { localStorage.setItem(kName, JSON.stringify(settings)); } catch { /* see readSettings */ }
}

export function showSettings({ theme, density, size }: Settings): void {
  const { dataset } = document.documentElement;
  dataset.theme = theme;
  dataset.density = density;
  dataset.size = String(size);
}
