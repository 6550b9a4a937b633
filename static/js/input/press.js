// Tracks where a finger or a mouse button goes down and where it comes up again. A press acts only when it ends on the
// person it began on, and when that row had been in its place long enough to be seen: else it was meant for somebody else.

import { rootOf, roots, rootsAt } from '../core/component.js';
import { ROW, rowsOf, topOf } from '../core/rows.js';

/** A press on a row that came or moved less than this ago was meant for what had been there before, milliseconds. */
const UNSEEN = 500;
/** A shift smaller than this between two checks is ignored, pixels: text that streams in above the list may push it on and on. */
const MIN_LIST_SHIFT = 8;

/**
 * Records that a row has just come or moved. Nobody sees it there before the next frame.
 * @param {Element} row
 */
export function markMoved(row) {
  row.movedAt = Infinity;
  requestAnimationFrame((now) => (row.movedAt = now));
}

/**
 * Detects that the host moved the whole list; no event reports it.
 * @param {boolean} [scrolled] A box around the list was scrolled: its rows do not count as moved, because the person saw them move.
 */
function detectMovedLists(scrolled) {
  for (const root of roots) {
    const top = topOf(root) + scrollY;
    if (!scrolled && Math.abs(top - root.topBefore) >= MIN_LIST_SHIFT) rowsOf(root).forEach(markMoved);
    root.topBefore = top;
  }
}

/**
 * Calls `settle` regularly, because no event reports some ends of an interaction: the end of the rest after a finger, a focus
 * that is lost, a pointer that leaves the window.
 * @param {() => void} settle
 */
export const pollInteractions = (settle) =>
  setInterval(() => {
    detectMovedLists();
    if (!isTouched()) touched = null;
    settle();
  }, UNSEEN);

/**
 * Whether a row came or moved less than so many milliseconds ago, or has not been painted there yet.
 * @param {any} row
 * @param {number} within
 */
export const hasMoved = (row, within) => performance.now() - row.movedAt < within;

/**
 * The kind of pointer that was used last: mouse, touch or pen.
 * @type {string | undefined}
 */
export let lastPointer;
/**
 * The node that a mouse button or a finger went down on, until it is released.
 * @type {Node | null}
 */
export let pressed = null;
/**
 * The press that the next click ends: the person it was on, and whether their row had just come or moved.
 * @type {{ uid?: string, unseen?: boolean | null } | null}
 */
let press = null;

/**
 * Returns a function that tells whether, since this call, nothing else was pressed and the focus has not moved.
 * @param {HTMLElement} root
 */
export function watchPress(root) {
  const began = press;
  const tree = root.getRootNode();
  const { activeElement } = tree;
  return () => press === began && tree.activeElement === activeElement;
}

/**
 * The node that the last finger was on, until the rest after it is over.
 * @type {Node | null}
 */
export let touched = null;
/** For this long after a touch, or after the end of its fling, nothing in a list moves: the rest. Milliseconds. */
export const TOUCH_REST = 1_000;
let touchedAt = -TOUCH_REST;

/** Whether a finger is down, its fling goes on, or the rest after it is not over. */
export const isTouched = () => lastPointer === 'touch' && /** @type {boolean} */ (pressed || performance.now() - touchedAt < TOUCH_REST);

/** Whether a finger was lifted and the rest after it is not over. The list may go on scrolling, which a scroll by a script would end. */
export const isFlinging = () => !pressed && isTouched();

/**
 * Records on whom a press begins.
 * @param {From<PointerEvent, Node>} event
 */
export function pressBegan({ target, pointerType }) {
  lastPointer = pointerType;
  detectMovedLists();
  const row = target.closest?.(ROW);
  pressed = target;
  press = { uid: row?.dataset.uid, unseen: row && hasMoved(row, UNSEEN) };
  // Touch events go to the element that the touch began on, even after it was removed from the page.
  for (const type of ['touchend', 'touchcancel']) target.addEventListener(type, /** @type {any} */ (pressReleased));
}

/**
 * Records the kind of pointer, and that a button was released without an event.
 * @param {PointerEvent} event
 */
export function pointerOver({ pointerType, buttons }) {
  lastPointer = pointerType;
  // No event reports a release in the browser's own menu, or in another window.
  if (!buttons && pointerType !== 'touch') pressed = null;
}

/**
 * Records that a press is over.
 * @param {PointerEvent & { touches?: TouchList }} event
 */
export function pressReleased({ pointerType, touches }) {
  // Of fingers the touch events tell: a finger that begins to scroll causes `pointercancel` and is still down, and one that is
  // lifted may not be the last.
  if (touches?.length || pointerType === 'touch') return;
  if (touches) {
    // An earlier touch of the row around this node has left its listener there: this runs once more as the event bubbles up.
    touched = pressed ?? touched;
    touchedAt = performance.now();
  }
  pressed = null;
}

/**
 * Whether a person scrolled a list, and not our script, which records in `scrolledTo` where it has put the box. Other boxes, such as the
 * messages of a chat, may scroll without end.
 * @param {From<Event, any>} event
 */
export function scrolled({ target }) {
  const box = target.scrollingElement ?? target;
  if (target.closest && !rootsAt(target).length) return;
  detectMovedLists(true);
  const { scrollTop, scrolledTo } = box;
  delete box.scrolledTo;
  // The fling goes on, so the rest begins anew.
  if (scrollTop !== scrolledTo && isTouched()) touchedAt = performance.now();
  return scrollTop !== scrolledTo;
}

/**
 * Cancels a click whose press began on another person or on a row that had just moved. Keyboard clicks (`detail` 0) pass.
 * @param {From<MouseEvent, EventTarget>} event
 */
export function pressEnded(event) {
  // A press beside every row is in no component either.
  const row = /** @type {HTMLElement} */ (event.target.closest?.(ROW));
  if (!rootOf(row) || !event.detail || !press) return;
  if (press.uid === row.dataset.uid && !press.unseen) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
