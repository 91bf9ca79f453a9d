// Every screen in every state, in every look: no violation of axe's rules, no sideways scroll. ./test takes each screen
// once, half of them in light and wide, half in dark and narrow. ./test long takes the whole matrix, ten looks of each and
// every width from 320 to 2560 pixels: a screen is opened twice, wide and narrow, and put into its other looks where it is.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hasBrowser, isLong, isQuiet } from './harness.mjs';
import { Gallery, sideways, violations } from './states.mjs';

const skip = hasBrowser ? false : 'no browser: install chromium';
const gallery = new Gallery();
before(async () => { if (!skip) await gallery.start(); });
after(() => gallery.stop());

// Themes are those of the page's own settings; the system's high contrast is forced colours.
const kLooks = [{ theme: 'light' }, { theme: 'dark' }, { theme: 'contrast' }, { theme: 'light', scale: 2 }, { theme: 'system', forced: 'active' }];
const kShapes = [
  { name: 'wide', size: { width: 1280, height: 860 }, looks: kLooks, widths: [861, 980, 981, 1024, 1100, 1101, 1440, 1920, 2560] },
  { name: 'narrow', size: { width: 360, height: 740 }, looks: kLooks.map((look) => (look.scale ? { ...look, theme: 'dark' } : look)), widths: [320, 480, 700, 701, 860] },
];
const nameOf = ({ theme, scale = 1, forced }) => [forced ? 'forced colours' : theme, scale > 1 ? 'two pixels in one' : ''].filter(Boolean).join(', ');

// Puts an open page into a look. `screen` is its end of the browser's own protocol: the library does not change the pixels
// of an open page.
async function put(page, screen, size, { theme, scale = 1, forced = 'none' }) {
  await page.emulateMedia({ forcedColors: forced, reducedMotion: 'reduce' });
  await screen.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: scale, mobile: false });
  await page.evaluate((name) => { document.documentElement.dataset.theme = name; }, theme);
  await isQuiet(page);
}

async function look(page, what, found) {
  for (const violation of await violations(page)) found.push(`${what}: ${violation}`);
  const wide = await sideways(page);
  if (wide > 0) found.push(`${what} scrolls sideways by ${wide} px`);
}

for (const [number, { name, size, looks, widths }] of kShapes.entries()) {
  test(`${isLong ? 'every screen' : 'half of the screens'}, ${name}: no error, no violation, no sideways scroll`, { skip }, async () => {
    const found = [];
    for (const [at, [screen, what]] of Object.entries(gallery.screens()).entries()) {
      if (!isLong && at % 2 !== number) continue;
      const { page, close } = await gallery.openScreen(what, { viewport: size, bypassCSP: true, reducedMotion: 'reduce' });
      const protocol = await page.context().newCDPSession(page);
      for (const one of isLong ? looks : [looks[number]]) {
        await put(page, protocol, size, one);
        await look(page, `${screen}, ${name}, ${nameOf(one)}`, found);
      }
      for (const width of isLong ? widths : []) {
        await page.setViewportSize({ width, height: size.height });
        await isQuiet(page);
        const wide = await sideways(page);
        if (wide > 0) found.push(`${screen} scrolls sideways by ${wide} px at ${width}`);
      }
      await close();
    }
    assert.deepEqual(found, []);
  });
}
