// When the screen of somebody who was put out asks whether that was undone, and when it asks no more.

import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';

globalThis.document = { readyState: 'complete', addEventListener() {} };
globalThis.addEventListener = globalThis.removeEventListener = () => {};
globalThis.customElements = { get() {} };
const shown = [];
globalThis.window = {
  htmx: {
    registerExtension() {},
    ajax: (_method, address, { fetch }) => fetch(address),
    swap: ({ text }) => shown.push(text),
  },
};
const { load } = await import('../../static/js/core/loader.js');
load(() => {});
const { askAgain } = await import('../../static/js/acts/ask_again.js');

/** What the service writes where acts are undone for half a minute. */
const WAITS = '5000 10000 27857';
/** When it asks by these, where chance takes the middle. */
const MOMENTS = [5_000, 15_000, 37_500];
/** The earliest and the latest moment of each question. */
const BOUNDS = [
  [3_500, 6_500],
  [10_500, 19_500],
  [30_000, 45_000],
];

const ended = (more) => ({
  id: 'cgm-den',
  isConnected: true,
  dataset: { waits: WAITS, href: '/groups/den/members?part=component' },
  querySelector: () => null,
  // The focus is elsewhere.
  matches: () => false,
  ...more,
});

/**
 * The moments in which this screen asks, in milliseconds from its end; `statuses` are those of the answers, and 404 of all others. Of
 * status 0 there is no answer.
 */
async function momentsOf(screen, statuses = []) {
  const asked = [];
  let now = 0;
  // Time goes on by the waits alone.
  const timer = mock.method(globalThis, 'setTimeout', (done, milliseconds) => {
    now += milliseconds;
    queueMicrotask(done);
  });
  globalThis.fetch = async () => {
    const status = statuses[asked.length] ?? 404;
    asked.push(now);
    if (status === 0) throw new TypeError('Failed to fetch');
    return { status, redirected: false, headers: new Headers(status === 200 ? { 'Last-Event-ID': 'e.1' } : {}), text: async () => `answer ${status}` };
  };
  await askAgain(screen);
  const { length } = asked;
  // A wait that it had begun besides would be over by now.
  await new Promise(setImmediate);
  timer.mock.restore();
  assert.equal(asked.length, length, 'it asks no more');
  return asked;
}

afterEach(() => {
  mock.restoreAll();
  shown.length = 0;
});

test('Dee’s screen asks after five seconds, after fifteen and at the end of the time to undo, and then never again', async () => {
  mock.method(Math, 'random', () => 0.5);
  const asked = await momentsOf(ended());
  assert.deepEqual(asked.map(Math.round), MOMENTS);
  assert.deepEqual(shown, [], 'what she reads stays');
});

/** The same where chance takes the least and the most, rounded. */
async function boundsOf(screen) {
  const bounds = [];
  for (const random of [0, 1 - Number.EPSILON]) {
    mock.method(Math, 'random', () => random);
    bounds.push((await momentsOf(screen)).map(Math.round));
    mock.restoreAll();
  }
  const [earliest, latest] = bounds;
  return earliest.map((moment, turn) => [moment, latest[turn]]);
}

test('the first two waits are three tenths shorter or longer at most; the last question comes when the time to undo is over, and soon', async () => {
  assert.deepEqual(await boundsOf(ended()), BOUNDS);
});

test('where acts are undone for ten minutes, the last question comes fifteen seconds after them at most', async () => {
  const [, , last] = await boundsOf(ended({ dataset: { waits: '5000 10000 842142' } }));
  // The waits are whole milliseconds.
  assert.deepEqual(last, [599_999, 614_999]);
});

test('where acts are undone for five seconds, there is one question', async () => {
  assert.deepEqual(await boundsOf(ended({ dataset: { waits: '7142' } })), [[4_999, 19_999]]);
});

test('people who are put out together ask at different moments', async () => {
  const screens = [];
  for (let person = 0; person < 100; person++) screens.push(await momentsOf(ended()));
  for (const [turn, [earliest, latest]] of BOUNDS.entries()) {
    const moments = screens.map((asked) => asked[turn]);
    assert.equal(new Set(moments).size, screens.length, `question ${turn + 1}`);
    assert.ok(Math.min(...moments) >= earliest - 1 && Math.max(...moments) <= latest + 1, `${moments}`);
  }
});

test('who is back has the list, and asks no more', async () => {
  assert.equal((await momentsOf(ended(), [404, 200])).length, 2);
  assert.deepEqual(shown, ['answer 200']);
});

test('a service that fails is asked no oftener', async () => {
  assert.equal((await momentsOf(ended(), [503, 502, 500])).length, 3);
  assert.deepEqual(shown, []);
});

test('a browser that comes online again asks no earlier', async () => {
  mock.method(Math, 'random', () => 0.5);
  mock.method(globalThis, 'addEventListener', (name, wake) => name === 'online' && wake());
  assert.deepEqual((await momentsOf(ended())).map(Math.round), MOMENTS);
});

test('a question that nobody answers is asked again, and is none of the three', async () => {
  mock.method(Math, 'random', () => 0.5);
  const asked = await momentsOf(ended(), [404, 404, 0, 0]);
  assert.deepEqual(asked.map(Math.round), [...MOMENTS, MOMENTS[2] + 15_000, MOMENTS[2] + 30_000]);
});

test('a screen that is gone, or that has a list again, does not ask', async () => {
  assert.deepEqual(await momentsOf(ended({ isConnected: false })), []);
  assert.deepEqual(await momentsOf(ended({ querySelector: () => ({}) })), []);
});
