// The licences of everything that is bundled, as one text. A package without a licence text stops the build.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function packagesOf(metafiles) {
  const names = new Set();
  for (const metafile of metafiles) {
    for (const path of Object.keys(metafile.inputs)) {
      const found = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path);
      if (found) names.add(found[1]);
    }
  }
  return [...names].sort();
}

export function collectLicences(root, metafiles) {
  const parts = packagesOf(metafiles).map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = existsSync(folder) && readdirSync(folder).find((entry) => /^licen[cs]e([.-].*)?$/i.test(entry));
    if (!file) throw new Error(`${name}: the package has no licence text; it must not be bundled`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return `The page of weft contains these works of others.\n\n${parts.join(`\n${'-'.repeat(100)}\n\n`)}`;
}
