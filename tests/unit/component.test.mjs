// What the script knows without a page: words about numbers, and which of two states is older.

import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.document = { readyState: 'complete', addEventListener() {} };
globalThis.addEventListener = () => {};
const { plural } = await import('../../static/js/core/component.js');
const { isOlder } = await import('../../static/js/server/message_order.js');

const saying = (lang, forms) => ({ lang, getAttribute: (name) => (name === 'data-word-held' ? forms : null) });

test('a number takes the form of its language, and is written as there', () => {
  const english = saying('en', 'one={n} change|other={n} changes');
  assert.equal(plural(english, 'held', 1), '1 change');
  assert.equal(plural(english, 'held', 1234), '1,234 changes');
  const russian = saying('ru', 'one={n} a|few={n} b|many={n} c|other={n} d');
  assert.deepEqual(
    [1, 2, 5, 21].map((number) => plural(russian, 'held', number)),
    ['1 a', '2 b', '5 c', '21 a'],
  );
});

test('a form that is missing is the other one, and without any nothing is said', () => {
  assert.equal(plural(saying('ar', 'other={n} x'), 'held', 2).slice(1), ' x');
  assert.equal(plural(saying('en', ''), 'held', 2), '');
});

test('of two states of one history the smaller number is older, however many digits it has', () => {
  assert.ok(isOlder('e.9', 'e.10'));
  assert.ok(!isOlder('e.10', 'e.9'));
  assert.ok(!isOlder('e.9', 'e.9'));
});

test('states of two histories cannot be compared, also where their epochs have points', () => {
  assert.ok(!isOlder('old.1', 'new.2'));
  assert.ok(isOlder('a.b.1', 'a.b.2'));
  assert.ok(!isOlder('a.b.1', 'a.c.2'));
});
