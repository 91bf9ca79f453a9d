// Writes src/data/api.ts, the types of the server's questions and answers: node tools/types.mjs WEFT
//
// The types come from the JSON Schemas of /api/schemas of the weft that is named, so that a misspelt member of an
// answer, or a parameter that a route does not have, does not compile. tests/page/types.test.mjs fails if the file is
// not what the weft of the same tree describes.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const kFile = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'data', 'api.ts');

const kPlain = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' };

// A schema as a type. Objects with a title become interfaces in `named`; two of one title must be equal.
function typeOf(schema, named) {
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, named)).join(' | ');
  if (schema.enum) return schema.enum.map((value) => (value === null ? 'null' : `'${value}'`)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, named)).join(' | ');
  if (kPlain[schema.type]) return kPlain[schema.type];
  if (schema.type === 'array') {
    if (!schema.items) return 'Json[]';
    const item = typeOf(schema.items, named);
    if (schema.minItems !== undefined && schema.minItems === schema.maxItems) return `[${Array(schema.minItems).fill(item).join(', ')}]`;
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type !== 'object') throw new Error(`a schema that is not understood: ${JSON.stringify(schema)}`);
  if (schema.additionalProperties && !schema.properties) return `Record<string, ${typeOf(schema.additionalProperties, named)}>`;
  if (!schema.properties) return 'Record<string, Json>';
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties).map(([name, member]) => (
    `${name}${required.has(name) ? '' : '?'}: ${typeOf(member, named)};${member.description ? `  // ${member.description}` : ''}`));
  if (!schema.title) return `{ ${members.map((member) => member.replace(/ {2}\/\/.*$/, '')).join(' ')} }`;
  const text = members.map((member) => `  ${member}\n`).join('');
  if (named.has(schema.title) && named.get(schema.title) !== text) throw new Error(`two shapes are called ${schema.title}`);
  named.set(schema.title, text);
  return schema.title;
}

function parametersOf(route) {
  const open = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`);
  const required = new Set(route.parameters.required ?? []);
  const given = Object.entries(route.parameters.properties ?? {}).map(([name, schema]) => (
    `${name}${required.has(name) ? '' : '?'}: ${typeOf(schema, new Map())}${required.has(name) ? '' : ' | undefined'}`));
  const all = [...open, ...given];
  return all.length ? `{ ${all.join('; ')} }` : 'Record<never, never>';
}

// The text of api.ts, from the answer of /api/schemas.
export function typesOf({ routes }) {
  const named = new Map();
  const lines = [];
  for (const route of [...routes].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (!route.answer) continue;  // no JSON
    lines.push(`  '${route.path}': { parameters: ${parametersOf(route)}; answer: ${typeOf(route.answer, named)} };\n`);
  }
  const shapes = [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([title, text]) => `export interface ${title} {\n${text}}\n`);
  return ['// The questions of the server and their answers. Written by tools/types.mjs from /api/schemas: do not edit.\n',
    'export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };\n',
    ...shapes, `export interface Api {\n${lines.join('')}}\n`].join('\n');
}

// The schemas of a weft, which serves an empty web for a moment.
export async function schemasOf(weft) {
  const scratch = mkdtempSync(join(tmpdir(), 'weft-types-'));
  const server = spawn(weft, ['serve', '--listen', '127.0.0.1:0'], { env: { PATH: process.env.PATH, HOME: scratch, WEFT_HOME: join(scratch, 'weft') }, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const address = await new Promise((found, failed) => {
      let said = '';
      const look = (bytes) => {
        said += bytes;
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
        if (url) found(url[0]);
      };
      server.stdout.on('data', look);
      server.stderr.on('data', look);
      server.on('exit', (code) => failed(new Error(`weft serve ended with ${code}: ${said}`)));
    });
    return await (await fetch(`${address}/api/schemas`)).json();
  } finally {
    server.kill();
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv.length !== 3) {
    process.stderr.write('usage: node tools/types.mjs WEFT\n');
    process.exit(2);
  }
  writeFileSync(kFile, typesOf(await schemasOf(resolve(process.argv[2]))));
}
