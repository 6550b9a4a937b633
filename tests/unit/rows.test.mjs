// Which places lie inside the loaded window.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const { isInWindow, idSuffixOf, sectionOf } = await import('../../static/js/core/rows.js');

/** A list whose window ends at these places; without one it is loaded up to there. */
function windowOf(ends) {
  const sentinels = Object.entries(ends).map(([side, order]) => ({ id: `cgm-${side}`, dataset: { order } }));
  return { id: 'cgm', querySelector: (selector) => sentinels.find(({ id }) => selector === `#${id}`) ?? null };
}

test('a window with two ends holds what lies between them, its first and last row included', () => {
  const root = windowOf({ previous: '32d.ben', next: '35f.eve' });
  assert.deepEqual(
    ['32c.ada', '32d.ben', '33a.cy', '35f.eve', '35f.eve2', '10a.dee'].map((order) => isInWindow(root, order)),
    [false, true, true, true, false, false],
  );
});

test('an end that is loaded bounds nothing', () => {
  assert.ok(isInWindow(windowOf({ next: '35f.eve' }), '00a.ada'));
  assert.ok(isInWindow(windowOf({ previous: '32d.ben' }), '3zz.zoe'));
  assert.ok(isInWindow(windowOf({}), '3zz.zoe'));
});

test('a row is known by its person and a heading by its section, which begins the place of its rows', () => {
  assert.equal(idSuffixOf({ dataset: { uid: 'ben', order: '32d.ben' } }), 'm-ben');
  assert.equal(idSuffixOf({ dataset: { heading: 'admin' } }), 'h-admin');
  assert.equal(sectionOf({ dataset: { order: '32d.ben' } }), '3');
});
