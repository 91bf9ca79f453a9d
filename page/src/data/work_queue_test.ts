import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { WorkQueue, type WorkerLike } from './work_queue.ts';

interface Question { text: string }
interface Answer { id: number; text?: string }

// Answers when it is told to: starts on start(), and answers the questions that it has on work(), but for "stuck".
class FakeWorker implements WorkerLike<Question, Answer> {
  onmessage: WorkerLike<Question, Answer>['onmessage'] = null;
  onerror: WorkerLike<Question, Answer>['onerror'] = null;
  asked: (Question & { id: number })[] = [];
  isEnded = false;
  postMessage(question: Question & { id: number }) { this.asked.push(question); }
  terminate() { this.isEnded = true; }
  start() { this.onmessage?.({ data: { id: 0 } }); }
  work() {
    while (this.asked.length && this.asked[0]!.text !== 'stuck') {
      const { id, text } = this.asked.shift()!;
      this.onmessage?.({ data: { id, text } });
    }
  }
}

let made: FakeWorker[] = [];
const queue = () => { made = []; return new WorkQueue<Question, Answer>(() => { const one = new FakeWorker(); made.push(one); return one; }); };
beforeEach(() => mock.timers.enable());
afterEach(() => mock.timers.reset());

test('a worker that starts late answers everything', async () => {
  const work = queue();
  const answers = [work.ask({ text: 'one' }), work.ask({ text: 'two' })];
  mock.timers.tick(20_000);
  made[0]!.start();
  mock.timers.tick(1500);
  made[0]!.work();
  assert.deepEqual((await Promise.all(answers)).map((answer) => answer?.text), ['one', 'two']);
  assert.equal(made.length, 1);
});

test('a question that takes too long is given up alone: those behind it are asked again', async () => {
  const work = queue();
  const answers = [work.ask({ text: 'one' }), work.ask({ text: 'stuck' }), work.ask({ text: 'two' })];
  made[0]!.start();
  made[0]!.work();
  mock.timers.tick(5000);
  assert.equal(made.length, 1, 'an answer may have come that was not read yet');
  mock.timers.tick(300);
  assert.ok(made[0]!.isEnded);
  made[1]!.start();
  made[1]!.work();
  assert.deepEqual((await Promise.all(answers)).map((answer) => answer?.text), ['one', undefined, 'two']);
});

test('each answer gives the next question its whole time', async () => {
  const work = queue();
  const first = work.ask({ text: 'one' });
  made[0]!.start();
  mock.timers.tick(4900);
  made[0]!.work();
  assert.equal((await first)?.text, 'one');
  const second = work.ask({ text: 'two' });
  mock.timers.tick(4900);
  made[0]!.work();
  assert.equal((await second)?.text, 'two');
  assert.equal(made.length, 1);
});

test('a worker that never runs is not started again for what waits, only for what comes', async () => {
  const work = queue();
  const answers = [work.ask({ text: 'one' }), work.ask({ text: 'two' })];
  made[0]!.onerror?.(undefined as never);
  assert.deepEqual(await Promise.all(answers), [undefined, undefined]);
  assert.equal(made.length, 1);
  const later = work.ask({ text: 'three' });
  made[1]!.start();
  made[1]!.work();
  assert.equal((await later)?.text, 'three');
});
