// Keeps what a person looks at in place. The anchor row is the one under a finger, the pointer, the focus or a text
// selection; else the first row that is fully visible. The scroller compensates for changes around it.

import { list } from './component.js';
import { activeRowOf, isInteracting, selectedText } from './interaction.js';
import { isFlinging } from './press.js';
import { endOf, rowsOf, topOf } from './rows.js';

/**
 * Where a row is, and whether all of it is in sight.
 * @typedef {{ top: number, whole: boolean }} Sight
 */

/**
 * The nearest box that scrolls the list: our own, one of the host's, also around a shadow root, or the page.
 * @param {HTMLElement} root
 */
export function scrollerOf(root) {
  for (
    let box = /** @type {Element | null} */ (list(root).parentElement);
    box && box !== document.body;
    box = box.parentElement ?? /** @type {ShadowRoot} */ (box.getRootNode()).host
  ) {
    if (box.scrollHeight > box.clientHeight && /auto|scroll/.test(getComputedStyle(box).overflowY)) return box;
  }
  return /** @type {Element} */ (document.scrollingElement);
}

/**
 * The visible part of a scroller: its upper and its lower edge.
 * @param {Element} scroller
 */
function edgesOf(scroller) {
  if (scroller === document.scrollingElement) return [0, innerHeight];
  const { top, bottom } = scroller.getBoundingClientRect();
  return [Math.max(top, 0), Math.min(bottom, innerHeight)];
}

/**
 * The rows that are at least partly in sight, from top to bottom, with where each of them is.
 * @param {HTMLElement} root
 */
function rowsInSight(root) {
  const [upper, lower] = edgesOf(scrollerOf(root));
  /** @type {Map<Element, Sight>} */
  const seen = new Map();
  for (const row of rowsOf(root)) {
    const { top, bottom } = row.getBoundingClientRect();
    if (top >= lower) break;
    if (bottom > upper) seen.set(row, { top, whole: top >= upper - 1 && bottom <= lower + 1 });
  }
  return seen;
}

/** @param {HTMLElement} root */
export function anchorRowOf(root, seen = rowsInSight(root)) {
  const active = /** @type {Element} */ (activeRowOf(root));
  if (seen.has(active)) return active;
  const rows = [...seen.keys()];
  return rows.find((row) => /** @type {Sight} */ (seen.get(row)).whole) ?? rows[0];
}

/**
 * Changes the list, or what is around it, around the anchor row. At the very top, while nobody interacts, what comes pushes the rest down.
 * @param {HTMLElement} root
 * @param {() => void} change
 */
export function withScrollAnchor(root, change) {
  if (!list(root)) return change();
  const seen = rowsInSight(root);
  const first = anchorRowOf(root, seen);
  const atTop = isAtTop(root);
  const before = scrollerOf(root);
  keepSelectedText(change);
  if (!list(root)) return;
  const after = scrollerOf(root);
  // A box with little to scroll hands scrolling to the next box around it.
  const scroller = before.contains(after) ? after : before;
  const rows = [...seen.keys()];
  // Whoever was looked at may have gone: then the next.
  const anchor = /** @type {Element} */ (rows.slice(rows.indexOf(first)).find((row) => row.isConnected));
  /** @param {Element} row */
  const shift = (row) => topOf(row) - /** @type {Sight} */ (seen.get(row))?.top;
  // Space above that is needed no more is given back by scrolling.
  const drift = () => shift(anchor) - spaceOf(root, 'Start');
  if (anchor && !atTop && !isFlinging()) {
    if (Math.round(drift())) scrollBy(scroller, drift());
    // Beyond its end no list can be scrolled: it has space there until that is out of sight.
    if (drift() >= 1) {
      addSpace(root, 'End', drift() + scroller.clientHeight);
      // With that its own box may be what scrolls.
      scrollBy(scrollerOf(root), drift());
    }
    // Nor before its start; and a scroller stops at whole pixels, heights of lines do not.
    addSpace(root, 'Start', -shift(anchor));
  }
  giveSpaceBack(root, false);
  for (const row of rowsInSight(root).keys()) if (!(Math.abs(shift(row)) < 1)) row.movedAt = performance.now();
}

/**
 * A browser ends a text selection whose text is rewritten or whose row moves: it is put back.
 * @param {() => void} change
 */
function keepSelectedText(change) {
  const selection = /** @type {any} */ (selectedText() ?? {});
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  change();
  // Nothing happens when a text has gone. Only texts have a length; other nodes are selected from their beginning.
  if (selection.anchorNode !== anchorNode || selection.isCollapsed)
    selection.setBaseAndExtent(anchorNode, Math.min(anchorOffset, anchorNode.length), focusNode, Math.min(focusOffset, focusNode.length));
}

/**
 * Nobody holds the list, and its very beginning is in sight.
 * @param {HTMLElement} root
 */
function isAtTop(root) {
  return !isInteracting(root) && !endOf(root, 'previous') && topOf(list(root)) - spaceOf(root, 'Start') >= edgesOf(scrollerOf(root))[0] - 1;
}

/**
 * @param {Element} scroller
 * @param {number} top
 */
export function scrollBy(scroller, top) {
  scroller.scrollTo({ top: scroller.scrollTop + top, behavior: 'instant' });
  scroller.scrolledTo = scroller.scrollTop;
}

/**
 * The empty space before or after the list, pixels.
 * @param {HTMLElement} root
 * @param {'Start' | 'End'} side
 */
const spaceOf = (root, side) => parseFloat(list(root).style[`marginBlock${side}`]) || 0;

/**
 * @param {HTMLElement} root
 * @param {'Start' | 'End'} side
 * @param {number} more
 */
function addSpace(root, side, more) {
  const space = spaceOf(root, side) + more;
  list(root).style[`marginBlock${side}`] = space ? `${space}px` : '';
}

/**
 * Below, as far as it is out of sight; above, at the top, or when it must.
 * @param {HTMLElement} root
 * @param {boolean} [must]
 */
export function giveSpaceBack(root, must) {
  const above = spaceOf(root, 'Start');
  if (spaceOf(root, 'End')) {
    const { scrollTop, scrollHeight, clientHeight } = scrollerOf(root);
    addSpace(root, 'End', Math.max(scrollTop + clientHeight - scrollHeight, -spaceOf(root, 'End')));
  }
  if (above && (must ?? isAtTop(root))) withScrollAnchor(root, () => addSpace(root, 'Start', -above));
}
