// In which order messages of the stream and answers to requests reach the screen.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

/** The texts that reached the screen, in order; those that `again` repeats have a star. */
const shown = [];
let failing = '';
const htmx = {
  registerExtension() {},
  async swap({ text, again }) {
    shown.push(again ? `${text}*` : text);
    if (text === failing) throw new Error('cannot be shown');
  },
};
Object.assign(globalThis, {
  window: { htmx },
  document: { readyState: 'complete', addEventListener() {} },
  addEventListener() {},
  customElements: { get() {} },
});
const { load } = await import('../../static/js/core/loader.js');
const { memoryOf } = await import('../../static/js/core/component.js');
const { applyLate, beginRequest, endRequest, forgetRequests, setSeen, takeMessage } = await import('../../static/js/server/message_order.js');
const { COMPONENT, resyncWith } = await import('../../static/js/server/resync.js');
load(() => {});
resyncWith(() => {});

/** A component that shows the state of this number. */
function showing(number) {
  const root = { id: 'x', dataset: {}, querySelector: () => null, getAttribute: () => null };
  const memory = memoryOf(root);
  forgetRequests(memory);
  setSeen(memory, `e.${number}`);
  shown.length = 0;
  return root;
}
const message = (number) => ({ id: `e.${number}`, text: `${number}` });
const take = (root, ...numbers) => numbers.forEach((number) => takeMessage(root, message(number)));

test('messages are shown as they come; the last is what the screen stands at', () => {
  const root = showing(4);
  take(root, 5, 6);
  assert.deepEqual(shown, ['5', '6']);
  assert.equal(memoryOf(root).seen, 'e.6');
});

test('messages older than the screen wait for one that is not, and are shown before it', () => {
  const root = showing(8);
  take(root, 6, 7);
  assert.deepEqual(shown, [], 'no older state in between');
  take(root, 8);
  assert.deepEqual(shown, ['6', '7', '8'], 'one as old as the screen is shown');
  assert.equal(memoryOf(root).seen, 'e.8');
});

test('when none comes they are shown after a second, and once', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const root = showing(8);
  take(root, 6, 7);
  mock.timers.tick(999);
  assert.deepEqual(shown, []);
  mock.timers.tick(1);
  assert.deepEqual(shown, ['6', '7']);
  take(root, 9);
  mock.timers.tick(2_000);
  assert.deepEqual(shown, ['6', '7', '9']);
  assert.equal(memoryOf(root).seen, 'e.9', 'an older message does not take the screen back');
  mock.timers.reset();
});

test('when a connection ends they are shown at once', () => {
  const root = showing(8);
  take(root, 7);
  applyLate(root);
  assert.deepEqual(shown, ['7']);
  assert.equal(memoryOf(root).received, 'e.7', 'the next connection goes on there');
});

test('after an answer, the messages since its request are shown again, but none that is older than the answer', () => {
  const root = showing(3);
  take(root, 4);
  const request = beginRequest(root);
  take(root, 5, 6, 7);
  shown.length = 0;
  endRequest(root, request, 'e.6');
  assert.deepEqual(shown, ['6*', '7*']);
  assert.equal(memoryOf(root).seen, 'e.7');
});

test('an answer that is newer than every message is what the screen stands at', () => {
  const root = showing(3);
  const request = beginRequest(root);
  take(root, 4);
  shown.length = 0;
  endRequest(root, request, 'e.9');
  assert.deepEqual([shown, memoryOf(root).seen], [[], 'e.9']);
  take(root, 8);
  assert.deepEqual(shown, [], 'and what is older waits');
});

test('an answer that failed changes nothing, and each of two requests has its own beginning', () => {
  const root = showing(3);
  const first = beginRequest(root);
  take(root, 4);
  const second = beginRequest(root);
  take(root, 5);
  shown.length = 0;
  endRequest(root, second, 'e.3');
  assert.deepEqual(shown, ['5*']);
  endRequest(root, first, false);
  assert.deepEqual(shown, ['5*']);
  assert.deepEqual(memoryOf(root).journal, [], 'nothing is kept for longer than it is needed');
});

test('numbers of another history are not compared: the answer counts', () => {
  const root = showing(30);
  const request = beginRequest(root);
  endRequest(root, request, 'other.2');
  assert.equal(memoryOf(root).seen, 'other.2');
});

test('when more messages come than are kept, the whole component is owed, also to the answer that comes then', () => {
  const root = showing(0);
  const request = beginRequest(root);
  for (let number = 1; number <= 1_001; number++) take(root, number);
  assert.equal(memoryOf(root).missing, COMPONENT);
  assert.equal(shown.length, 1_001, 'each was shown all the same');
  memoryOf(root).missing = 0;
  endRequest(root, request, 'e.5');
  assert.equal(memoryOf(root).missing, COMPONENT);
});

test('a message that cannot be shown stops none after it, and the component is owed', async () => {
  const root = showing(1);
  failing = '2';
  const said = mock.method(console, 'error', () => {});
  take(root, 2, 3);
  await new Promise((done) => setImmediate(done));
  said.mock.restore();
  assert.deepEqual(shown, ['2', '3']);
  assert.equal(memoryOf(root).missing, COMPONENT);
});
