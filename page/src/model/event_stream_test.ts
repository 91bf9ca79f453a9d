import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventReader } from './event_stream.ts';

const kStream = ': hello\nevent: grown\nid: cid:blake3:1\ndata: {"a":\ndata: 1}\n\nevent: gone\ndata: {}\n\n';
const kEvents = [{ name: 'grown', data: '{"a":\n1}', id: 'cid:blake3:1' }, { name: 'gone', data: '{}', id: 'cid:blake3:1' }];

test('events come out whole, wherever the stream is cut', () => {
  for (let size = 1; size <= kStream.length; size++) {
    const reader = new EventReader();
    const events = [];
    for (let at = 0; at < kStream.length; at += size) events.push(...reader.push(kStream.slice(at, at + size)));
    assert.deepEqual(events, kEvents, `pieces of ${size}`);
  }
});
test('CR LF ends lines, too', () => {
  assert.deepEqual(new EventReader().push(kStream.replaceAll('\n', '\r\n')), kEvents);
});
