// Keeps the anchor row in its place on the screen while the list changes, by scrolling. The anchor row is the active row
// (input/interaction.js), if it is visible; else the first row that is fully visible and has not come just now, or without one the first
// in sight.

import { list } from '../core/component.js';
import { activeRowOf, isInteracting, selectedText } from '../input/interaction.js';
import { hasMoved, isFlinging, markMoved } from '../input/press.js';
import { sentinelOf, rowsOf, topOf } from '../core/rows.js';

/**
 * The upper edge of a row, pixels, whether the row is fully visible, and its key.
 * @typedef {{ top: number, whole: boolean, order: string }} Sight
 */

/**
 * The nearest box that scrolls the list: the component's own, one of the host's (also outside a shadow root), or the page.
 * @param {HTMLElement} root
 */
export function scrollerOf(root) {
  // Documents and shadow roots are on the way as well, and have no `scrollHeight`.
  for (
    let box = /** @type {any} */ (list(root).parentNode);
    // The page scrolls for its body, unless the root element has an overflow of its own.
    box && (box !== document.body || getComputedStyle(box.parentNode).overflowY !== 'visible');
    box = box.parentNode ?? box.host
  ) {
    if (box.scrollHeight > box.clientHeight && /auto|scroll/.test(getComputedStyle(box).overflowY)) return box;
  }
  return /** @type {Element} */ (document.scrollingElement);
}

/**
 * The upper and the lower edge of the visible part of a scroller, pixels.
 * @param {Element} scroller
 */
function edgesOf(scroller) {
  if (scroller === document.scrollingElement) return [0, innerHeight];
  const { top, bottom } = scroller.getBoundingClientRect();
  return [Math.max(top, 0), Math.min(bottom, innerHeight)];
}

/**
 * The rows that are at least partly visible, from top to bottom, with their positions.
 * @param {HTMLElement} root
 */
function rowsInSight(root) {
  const [upper, lower] = edgesOf(scrollerOf(root));
  /** @type {Map<Element, Sight>} */
  const seen = new Map();
  for (const row of rowsOf(root)) {
    const { top, bottom } = row.getBoundingClientRect();
    if (top >= lower) break;
    if (bottom > upper) seen.set(row, { top, whole: top >= upper - 1 && bottom <= lower + 1, order: row.dataset.order });
  }
  return seen;
}

/**
 * The row that keeps its place on the screen.
 * @param {HTMLElement} root
 */
export function anchorRowOf(root, seen = rowsInSight(root)) {
  const active = /** @type {Element} */ (activeRowOf(root));
  if (seen.has(active)) return active;
  const rows = [...seen.keys()];
  return rows.find((row) => /** @type {Sight} */ (seen.get(row)).whole && !hasMoved(row, 0)) ?? rows[0];
}

/**
 * Runs a change of the list or its surroundings and keeps the anchor row in place. When the top of the list is visible and nobody
 * interacts, nothing is kept: new rows push the others down.
 * @param {HTMLElement} root
 * @param {() => void} change
 */
export function withScrollAnchor(root, change) {
  if (!list(root)) return change();
  const seen = rowsInSight(root);
  const first = anchorRowOf(root, seen);
  const active = activeRowOf(root);
  const atTop = isAtTop(root);
  const before = scrollerOf(root);
  keepSelectedText(change);
  if (!list(root)) return;
  const after = scrollerOf(root);
  // A box whose content fits does not scroll; a box around it does. If the change switches between the two, the inner one is used.
  const scroller = before.contains(after) ? after : before;
  const rows = [...seen.keys()];
  // If the change removed the anchor row, or sorted it elsewhere, the next visible row replaces it. The active row is followed.
  /** @param {Element} row */
  const stays = (row) => row.isConnected && (row.dataset.order === /** @type {Sight} */ (seen.get(row)).order || row === active);
  const anchor = /** @type {Element} */ (rows.slice(rows.indexOf(first)).find(stays));
  /** @param {Element} row */
  const shift = (row) => (topOf(row) - /** @type {Sight} */ (seen.get(row))?.top) / (root.currentCSSZoom || 1);
  // The distance to scroll: how far the anchor row has moved, less the space above, which scrolling replaces.
  const drift = () => shift(anchor) - spaceOf(root, 'Start');
  if (anchor && !atTop) {
    if (!isFlinging()) {
      if (Math.round(drift())) scrollBy(scroller, drift());
      // A list cannot be scrolled beyond its end: space is added there, and removed once it is out of sight.
      if (drift() >= 1) {
        addSpace(root, 'End', drift() + scroller.clientHeight);
        // With the space, the component's own box may have become the scroller.
        scrollBy(scrollerOf(root), drift());
      }
    }
    // Space above makes up what scrolling cannot: a position before the list's start, fractions of a pixel, and anything during a fling,
    // where it is negative if rows above have come or grown.
    addSpace(root, 'Start', -shift(anchor));
  }
  giveSpaceBack(root, false);
  // Of a row that was not in sight before, `shift` is NaN: it counts as moved.
  for (const row of rowsInSight(root).keys()) if (!(Math.abs(shift(row)) < 1)) markMoved(row);
}

/**
 * Runs a change and restores the text selection, which a browser ends when its text is rewritten or its row moves.
 * @param {() => void} change
 */
function keepSelectedText(change) {
  const selection = /** @type {any} */ (selectedText() ?? {});
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  change();
  // The call has no effect when a node was removed. Only text nodes have a `length`; in other nodes the offset becomes 0.
  if (selection.anchorNode !== anchorNode || selection.isCollapsed)
    selection.setBaseAndExtent(anchorNode, Math.min(anchorOffset, anchorNode.length), focusNode, Math.min(focusOffset, focusNode.length));
}

/**
 * Whether nobody interacts with the list and its beginning is visible. Negative space hides it.
 * @param {HTMLElement} root
 */
function isAtTop(root) {
  return !isInteracting(root) && !sentinelOf(root, 'previous') && topOf(list(root)) - Math.max(spaceOf(root, 'Start'), 0) >= edgesOf(scrollerOf(root))[0] - 1;
}

/**
 * Scrolls by so many pixels, and records that it was not a person who did.
 * @param {Element} scroller
 * @param {number} top
 */
export function scrollBy(scroller, top) {
  scroller.scrollBy({ top, behavior: 'instant' });
  scroller.scrolledTo = scroller.scrollTop;
}

/**
 * The space added before or after the list, pixels.
 * @param {HTMLElement} root
 * @param {'Start' | 'End'} side
 */
export const spaceOf = (root, side) => parseFloat(list(root).style[`marginBlock${side}`]) || 0;

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
 * Removes added space: below, the part out of sight; above, when the list is at its top, unless `removesAbove` decides. The anchor row
 * keeps its place, by scrolling.
 * @param {HTMLElement} root
 * @param {boolean} [removesAbove]
 */
export function giveSpaceBack(root, removesAbove) {
  const above = spaceOf(root, 'Start');
  if (spaceOf(root, 'End')) {
    const { scrollTop, scrollHeight, clientHeight } = scrollerOf(root);
    addSpace(root, 'End', Math.max(scrollTop + clientHeight - scrollHeight, -spaceOf(root, 'End')));
  }
  if (above && (removesAbove ?? isAtTop(root))) withScrollAnchor(root, () => addSpace(root, 'Start', -above));
}
