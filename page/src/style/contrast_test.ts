// Every pair of text and ground has a contrast of at least 4.5 : 1, of signs at least 3 : 1, in every theme.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const css = readFileSync('src/style/tokens.css', 'utf8');
const themes: [string, RegExp][] = [['light', /:root \{([^}]*)\}/], ['dark', /:root\[data-theme="dark"\] \{([^}]*)\}/], ['system dark', /:root:not\([^{]*\{([^}]*)\}/], ['contrast', /:root\[data-theme="contrast"\] \{([^}]*)\}/]];

function colours(body: string): Record<string, string> {
  return Object.fromEntries([...body.matchAll(/--([a-z-]+):\s*(#[0-9a-f]{6});/g)].map((found) => [found[1]!, found[2]!]));
}
function luminance(hex: string): number {
  const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * parts[0]! + 0.7152 * parts[1]! + 0.0722 * parts[2]!;
}
function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

for (const [name, pattern] of themes) {
  test(`contrast, ${name}`, () => {
    const found = colours(pattern.exec(css)![1]!);
    for (const ground of ['ground', 'surface', 'sunken', 'selected', 'mark']) {
      assert.ok(contrast(found.ink!, found[ground]!) >= 4.5, `ink on ${ground}`);
    }
    for (const ground of ['ground', 'surface', 'sunken', 'selected']) {
      for (const text of ['quiet', 'human', 'thinking', 'tool', 'good', 'bad']) {
        assert.ok(contrast(found[text]!, found[ground]!) >= 4.5, `${text} on ${ground}: ${contrast(found[text]!, found[ground]!).toFixed(2)}`);
      }
      assert.ok(contrast(found.line!, found[ground]!) >= 3, `line on ${ground}: ${contrast(found.line!, found[ground]!).toFixed(2)}`);
    }
  });
}
test('both ways into the dark are the same', () => {
  assert.deepEqual(colours(themes[1]![1].exec(css)![1]!), colours(themes[2]![1].exec(css)![1]!));
});
