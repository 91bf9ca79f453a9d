// The types that the page is compiled with are those of the server's answers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kFile, schemasOf, typesOf } from '../../page/tools/types.mjs';

test('page/src/data/api.ts is what the server describes', async () => {
  const schemas = await schemasOf(process.env.WEFT_BINARY);
  assert.ok(schemas.routes.length > 20);
  assert.equal(readFileSync(kFile, 'utf8'), typesOf(schemas), 'write it again: node page/tools/types.mjs build/release/weft');
});

test('a member that may be missing, a list of pairs and a choice are typed as such', () => {
  const answer = { title: 'One', type: 'object', required: ['a'], properties: {
    a: { type: ['string', 'null'] }, b: { type: 'array', items: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 } }, c: { type: 'string', enum: ['x', 'y'] } } };
  const text = typesOf({ routes: [{ path: '/api/one/{name}', parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] }, answer }] });
  assert.match(text, /a: string \| null;\n {2}b\?: \[number, number\]\[\];\n {2}c\?: 'x' \| 'y';/);
  assert.match(text, /'\/api\/one\/\{name\}': \{ parameters: \{ name: string; q: string \}; answer: One \};/);
  assert.throws(() => typesOf({ routes: [{ path: '/a', parameters: {}, answer }, { path: '/b', parameters: {}, answer: { ...answer, required: [] } }] }), /two shapes are called One/);
});
