// Tracks where a finger or a button goes down and where it comes up again. A press acts only when it ends on the
// person it began on, and when that row had been seen where it is: else it was meant for somebody else.

import { rootOf, roots } from './component.js';
import { ROW, rowsOf, topOf } from './rows.js';

/** A row that has just come or moved is not yet seen: a press on it is meant for another, milliseconds. */
const UNSEEN = 500;

/**
 * Each of the rows is where it was not before.
 * @param {HTMLElement} root
 */
export function markMoved(root) {
  for (const row of rowsOf(root)) row.movedAt = performance.now();
}

/**
 * Looks whether a list stands elsewhere in the page than before: what moves it as a whole is its host, and nobody tells.
 * @param {boolean} [scrolled] A box of the host's around it, by a person, who sees where it goes.
 */
function lookAround(scrolled) {
  for (const root of roots) {
    const top = topOf(root) + scrollY;
    if (!scrolled && Math.abs(top - root.topBefore) >= 1) markMoved(root);
    root.topBefore = top;
  }
}

/**
 * Not every end of an interaction is told: the rest after a finger, a focus that goes, a pointer that leaves the window.
 * @param {() => void} settle
 */
export const keepLooking = (settle) =>
  setInterval(() => {
    lookAround();
    if (!isTouched()) touched = null;
    settle();
  }, UNSEEN);

/** @param {Element} row */
const isUnseen = (row) => performance.now() - row.movedAt < UNSEEN;

export let lastPointer = '';
/**
 * What a button or a finger went down on, until it is released.
 * @type {Node | null}
 */
export let pressed = null;
/**
 * The press that the next click ends: of whom, and whether their row had only just come there.
 * @type {{ uid?: string, unseen?: boolean | null } | null}
 */
let press = null;

/**
 * Tells later whether since now nothing else was pressed, and the focus has stayed.
 * @param {HTMLElement} root
 */
export function watchPress(root) {
  const began = press;
  const tree = root.getRootNode();
  const { activeElement } = tree;
  return () => press === began && tree.activeElement === activeElement;
}

/**
 * What the last finger was on, until the list has rested after it.
 * @type {Node | null}
 */
export let touched = null;
/** After the last finger, or the end of its fling, a list rests so long, milliseconds. */
export const TOUCH_REST = 1_000;
let touchedAt = -TOUCH_REST;
/** The finger that went down last scrolls, or did. */
let scrolls = false;

/** A finger is on the list, or its fling goes on. */
export const isTouched = () => lastPointer === 'touch' && /** @type {boolean} */ (pressed || performance.now() - touchedAt < TOUCH_REST);

/** The list may go on scrolling after a finger: to scroll it from a script would end that. */
export const isFlinging = () => scrolls && !pressed && isTouched();

/** @param {From<PointerEvent, Node>} event */
export function pressBegan({ target, pointerType }) {
  lastPointer = pointerType;
  scrolls = false;
  lookAround();
  const row = target.closest?.(ROW);
  pressed = target;
  press = { uid: row?.dataset.uid, unseen: row && isUnseen(row) };
  // Heard there also once the element is removed.
  for (const type of ['touchend', 'touchcancel']) target.addEventListener(type, /** @type {any} */ (pressReleased));
}

/** @param {PointerEvent} event */
export function pointerOver({ pointerType, buttons }) {
  lastPointer = pointerType;
  // A release in a menu of the browser's own, or in another window, is not heard.
  if (!buttons && pointerType !== 'touch') pressed = null;
}

/** @param {PointerEvent & { touches?: TouchList }} event */
export function pressReleased({ type, pointerType, touches }) {
  // A finger that scrolls is no pointer any more, and still there.
  const begins = type === 'pointercancel' && pointerType === 'touch';
  scrolls ||= begins;
  if (touches?.length || begins) return;
  if (pressed && lastPointer === 'touch') {
    touched = pressed;
    touchedAt = performance.now();
  }
  pressed = null;
}

/**
 * Whether it was a person who has scrolled, and not a script: `scrolledTo` is where that has put the box.
 * @param {From<Event, any>} event
 */
export function scrolled({ target }) {
  lookAround(true);
  const box = target.scrollingElement ?? target;
  const { scrollTop, scrolledTo } = box;
  box.scrolledTo = NaN;
  // A fling goes on.
  if (scrollTop !== scrolledTo && isTouched()) touchedAt = performance.now();
  return scrollTop !== scrolledTo;
}

/**
 * Keeps the click from everybody when it is not the end of a press on the same person. A key's has no detail.
 * @param {From<MouseEvent, EventTarget>} event
 */
export function pressEnded(event) {
  const row = event.target.closest?.(ROW);
  if (!row || !rootOf(row) || !event.detail || !press) return;
  if (press.uid === row.dataset.uid && !press.unseen) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
