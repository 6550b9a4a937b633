// Whom a press is meant for.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const { isFlinging, isTouched, pressBegan, pressEnded, pressReleased, scrolled } = await import('../../static/js/input/press.js');

const list = {};
const rowOf = (uid, movedAt) => {
  const row = Object.assign(new EventTarget(), { dataset: { uid }, movedAt });
  row.closest = (selector) => (selector.startsWith('section') ? list : row);
  return row;
};
const outside = Object.assign(new EventTarget(), { closest: () => null });

/** What becomes of a press that goes down on one target and of the click that comes of it on another. */
function click(target, detail = 1) {
  let kept = true;
  pressEnded({ target, detail, preventDefault: () => (kept = false), stopImmediatePropagation: () => (kept = false) });
  return kept;
}

test('a press that ends on the person it began on is theirs', () => {
  pressBegan({ target: rowOf('ben'), pointerType: 'mouse' });
  assert.ok(click(rowOf('ben')));
});

test('a press that ends on somebody else is nobody’s, also when it began beside the list', () => {
  pressBegan({ target: rowOf('ben'), pointerType: 'mouse' });
  assert.ok(!click(rowOf('cy')));
  pressBegan({ target: outside, pointerType: 'mouse' });
  assert.ok(!click(rowOf('cy')));
});

test('a row that came or moved less than half a second ago was not what somebody aimed at', () => {
  pressBegan({ target: rowOf('ben', performance.now() - 400), pointerType: 'touch' });
  assert.ok(!click(rowOf('ben')));
  pressBegan({ target: rowOf('ben', performance.now() - 501), pointerType: 'touch' });
  assert.ok(click(rowOf('ben')));
});

test('a key has no press, and acts on whom it is for', () => {
  pressBegan({ target: rowOf('ben', performance.now()), pointerType: 'touch' });
  assert.ok(click(rowOf('cy'), 0));
});

test('a click beside the list is left alone', () => {
  pressBegan({ target: rowOf('ben'), pointerType: 'mouse' });
  assert.ok(click(outside));
});

test('a finger rests on the list until a second after it was lifted; one that scrolls is still there', () => {
  pressBegan({ target: rowOf('ben'), pointerType: 'touch' });
  assert.ok(isTouched());
  pressReleased({ type: 'pointercancel', pointerType: 'touch' });
  assert.ok(isTouched());
  pressReleased({ type: 'touchend', touches: [] });
  assert.ok(isTouched(), 'the fling may go on');
});

/** The box that a list is in, scrolled to here, and one beside it. */
const box = (scrollTop, more) => ({ scrollTop, closest: () => list, ...more });
const beside = { scrollTop: 40, closest: () => null, querySelectorAll: () => [] };

test('a list may go on scrolling once a finger was lifted, not while one is down', () => {
  pressBegan({ target: rowOf('ben'), pointerType: 'touch' });
  pressReleased({ type: 'pointercancel', pointerType: 'touch' });
  assert.ok(!isFlinging(), 'the finger is there still');
  pressReleased({ type: 'touchend', touches: [] });
  assert.ok(isFlinging());
});

test('a list that goes on scrolling after a finger rests until a second after its last scroll', (t) => {
  let now = performance.now();
  t.mock.method(performance, 'now', () => now);
  pressBegan({ target: rowOf('ben'), pointerType: 'touch' });
  scrolled({ target: box(20) });
  pressReleased({ type: 'touchend', touches: [] });
  now += 900;
  assert.ok(scrolled({ target: box(40) }));
  now += 900;
  assert.ok(isTouched() && isFlinging(), 'the second begins with each scroll');
  // Where a script has put the list, nobody has scrolled it; and a chat beside it may scroll without end.
  assert.ok(!scrolled({ target: box(80, { scrolledTo: 80 }) }) && !scrolled({ target: beside }));
  now += 101;
  assert.ok(!isTouched() && !isFlinging());
});
