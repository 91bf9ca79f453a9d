import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlockCache, kPage } from './block_cache.ts';
import { kDefaults, parseSettings } from './settings.ts';
import { documentSource, type ReaderSource } from './source.ts';
import type { Block, Conversation, Outline } from './types.ts';

function block(ordinal: number, text: string): Block {
  return { cid: `cid:blake3:${ordinal}`, type: 'a/response', content: { text }, created_by: '', created_at: ordinal, because: [], signature: '', ordinal, turn: 0 };
}
const outline = { count: 3 } as Outline;
const conversation = { cid: 'cid:blake3:c' } as Conversation;
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test('a document answers as the server does', async () => {
  const source = documentSource({ conversation, outline, blocks: [block(0, 'the ferry'), block(1, 'a Ferry leaves'), block(2, 'no')] });
  assert.equal((await source.conversation()).cid, 'cid:blake3:c');
  assert.deepEqual((await source.blocks(1, 1, 0, {})).blocks.map((one) => one.ordinal), [1]);
  assert.deepEqual((await source.find('FERRY')).ordinals, [0, 1]);
  assert.equal((await source.thought('cid:blake3:2')).content.text, 'no');
  await assert.rejects(source.thought('cid:blake3:9'), /not in this file/);
});

test('blocks are fetched once a page, and a page that grew stays until the new one is there', async () => {
  let blocks = Array.from({ length: 10 }, (_, i) => block(i, 'old'));
  const asked: number[] = [];
  const source = { ...documentSource({ conversation, outline, blocks }), blocks: async (from: number, limit: number) => {
    asked.push(from);
    await settled();
    return { conversation_cid: '', count: blocks.length, from, blocks: blocks.slice(from, from + limit) };
  } } as ReaderSource;
  const cache = new BlockCache(source, {});
  cache.want(0, 9);
  cache.want(0, 9);
  assert.equal(cache.find(0), undefined);
  await settled();
  await settled();
  assert.equal(cache.find(9)?.content.text, 'old');
  assert.deepEqual(asked, [0]);
  blocks = [...blocks, block(10, 'new')];
  cache.grew(10);
  assert.equal(cache.find(9)?.content.text, 'old');
  cache.want(0, 10);
  assert.equal(cache.find(9)?.content.text, 'old');
  await settled();
  await settled();
  assert.equal(cache.find(10)?.content.text, 'new');
  assert.deepEqual(asked, [0, 0]);
  assert.equal(kPage, 50);
});

test('a conversation that grows while a page of it is on its way is asked for that page again', async () => {
  const answers: (() => void)[] = [];
  let blocks = [block(0, 'first')];
  const source = { ...documentSource({ conversation, outline, blocks }), blocks: (from: number, limit: number) => {
    const answer = { conversation_cid: '', count: blocks.length, from, blocks: blocks.slice(from, from + limit) };
    return new Promise((resolve) => { answers.push(() => resolve(answer)); });
  } } as ReaderSource;
  const cache = new BlockCache(source, {});
  cache.want(0, 1);
  blocks = [...blocks, block(1, 'second')];
  cache.grew(1);
  cache.want(0, 2);
  answers.shift()!();
  await settled();
  assert.equal(cache.find(1), undefined);
  assert.equal(answers.length, 1, 'the page is asked for again');
  answers.shift()!();
  await settled();
  assert.equal(cache.find(1)?.content.text, 'second');
  assert.equal(answers.length, 0);
});

test('settings that are no settings are the defaults', () => {
  for (const text of [null, '', '{', '5', 'null', '{"theme":"<script>","size":1e9}']) assert.deepEqual(parseSettings(text), kDefaults);
  assert.equal(parseSettings('{"theme":"dark","level":3}').theme, 'dark');
});

test('a page that was scrolled past is cancelled, and asked for again when one comes back', async () => {
  const blocks = Array.from({ length: 200 }, (_, i) => block(i, 'x'));
  let cancelled = 0;
  const source = { ...documentSource({ conversation, outline, blocks }), blocks: (from: number, limit: number, _cut: number, _scope: object, signal?: AbortSignal) => new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => { cancelled++; reject(new Error('aborted')); });
    setTimeout(() => resolve({ conversation_cid: '', count: 200, from, blocks: blocks.slice(from, from + limit) }), 5);
  }) } as ReaderSource;
  const cache = new BlockCache(source, {});
  cache.want(0, 10);
  cache.want(150, 160);
  cache.want(0, 10);
  assert.equal(cancelled, 2);
  await settled();
  await settled();
  await settled();
  assert.ok(cache.find(5));
  assert.equal(cache.failed.value, undefined);
});
