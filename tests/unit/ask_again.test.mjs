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
/** The sums of these waits. */
const MOMENTS = [5_000, 15_000, 42_857];

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
    return { status, redirected: false, headers: new Headers(), text: async () => `answer ${status}` };
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

test('each wait is three tenths shorter or longer at most, and the last question comes after the end of the time to undo', async () => {
  for (const [random, part] of [
    [0, 0.7],
    [1 - Number.EPSILON, 1.3],
  ]) {
    mock.method(Math, 'random', () => random);
    const asked = await momentsOf(ended());
    assert.deepEqual(
      asked.map(Math.round),
      MOMENTS.map((moment) => Math.round(moment * part)),
    );
    assert.ok(Math.round(asked.at(-1)) >= 30_000);
    mock.restoreAll();
  }
});

test('people who are put out together ask at different moments', async () => {
  const screens = [];
  for (let person = 0; person < 100; person++) screens.push(await momentsOf(ended()));
  for (const turn of MOMENTS.keys()) {
    const waits = screens.map((asked) => asked[turn] - (asked[turn - 1] ?? 0));
    const wait = MOMENTS[turn] - (MOMENTS[turn - 1] ?? 0);
    assert.equal(new Set(waits).size, screens.length, `question ${turn + 1}`);
    assert.ok(Math.min(...waits) >= wait * 0.7 - 1 && Math.max(...waits) <= wait * 1.3 + 1, `${waits}`);
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
