// Deferred changes. While somebody interacts with the list - by a pointer, a finger, the focus, a menu, a text
// selection - rows are painted where they are, and moves wait behind a pill: nobody presses on a row that just
// jumped. A move that waits too long is made around the active row (interaction.js).

import { closeMenuOf } from './acts.js';
import { list, memoryOf, PREFIX, plural, roots } from './component.js';
import { giveSpaceBack, withScrollAnchor } from './scroll_anchor.js';
import { activeRowOf, isInteracting, pillOf } from './interaction.js';
import { morph, place, settleHeadings } from './place.js';
import { requestResync, ROWS } from './resync.js';
import { boxOf, buttonOf, find, keyOf, stays } from './rows.js';

/** @import { Item } from './rows.js' */

const LONGEST_HOLD = 30_000;
const MOST_HELD = 200;

/**
 * Whether an item would change the order of the rows, and not only how one looks.
 * @param {HTMLElement} root
 * @param {Item} item
 */
export function moves(root, item) {
  if (!item.dataset.uid) return false;
  return find(root, item)?.dataset.order !== (stays(root, item) ? item.dataset.order : undefined);
}

/**
 * Paints what can be painted in place; the move waits. Only the latest state of each waits.
 * @param {HTMLElement} root
 * @param {Item} item
 */
export function defer(root, item) {
  const there = find(root, item);
  if (stays(root, item)) paint(root, [item]);
  else if (there) paintLeaving(root, there);
  keepDeferred(root, keyOf(item), item);
}

/**
 * Shows how rows are now without moving any. What headings count is kept for `settleHeadings`.
 * @param {HTMLElement} root
 * @param {Item[]} items
 */
export function paint(root, items) {
  for (const item of items) {
    const there = find(root, item);
    if (item.dataset.heading) place(root, item);
    if (!there) continue;
    const painted = item.cloneNode(true);
    // The row keeps its old key, so that the list remains sorted for others.
    painted.dataset.order = there.dataset.order;
    morph(root, there, painted);
  }
}

/**
 * Shows that somebody has gone, without moving any other row.
 * @param {HTMLElement} root
 * @param {Element} row
 */
export function paintLeaving(root, row) {
  closeMenuOf?.(root, row);
  row.classList.add(`${PREFIX}__row--leaving`);
  for (const control of [buttonOf(row), boxOf(row)]) if (control) control.ariaDisabled = 'true';
}

/**
 * @param {HTMLElement} root
 * @param {string} [key]
 * @param {Item} [item]
 */
export function keepDeferred(root, key, item) {
  const memory = memoryOf(root);
  if (key && memory.deferred.size < MOST_HELD) memory.deferred.set(key, /** @type {Item} */ (item));
  else memory.stale = true;
  memory.deferredTimer ||= setTimeout(() => applyDeferred(root, !isInteracting(root)), LONGEST_HOLD);
  showPill(root);
}

/**
 * What waits goes to its place around the active row; that row itself only if it must.
 * @param {HTMLElement} root
 * @param {boolean} [must]
 */
export function applyDeferred(root, must) {
  const { deferred, stale } = memoryOf(root);
  forgetDeferred(root);
  if (stale) {
    memoryOf(root).must = isInteracting(root);
    requestResync(root, ROWS);
    return;
  }
  const active = !must && isInteracting(root) && activeRowOf(root);
  withScrollAnchor(root, () => {
    for (const [key, item] of deferred) {
      if (active && find(root, item) === active) keepDeferred(root, key, item);
      else place(root, item);
    }
    settleHeadings(root);
  });
  giveSpaceBack(root, must);
}

/** @param {HTMLElement} root */
export function forgetDeferred(root) {
  const memory = memoryOf(root);
  clearTimeout(memory.deferredTimer);
  Object.assign(memory, { deferred: new Map(), stale: false, deferredTimer: 0 });
  showPill(root);
}

/** @param {HTMLElement} root */
export function showPill(root) {
  const { deferred, stale } = memoryOf(root);
  const pill = pillOf(root);
  if (!pill) return;
  pill.hidden = !deferred.size && !stale;
  /** @type {HTMLElement} */ (pill.querySelector('span')).textContent = plural(root, 'held', deferred.size || 1);
}

/**
 * Places the changes that nothing holds back any more. Called when the pointer or the scroller moved on; where nobody moved, space above
 * the list stays: false.
 * @param {boolean} [spaceAbove]
 */
export function applyUnlessInteracting(spaceAbove) {
  for (const root of roots) {
    const { deferred, stale } = memoryOf(root);
    if ((deferred?.size || stale) && !isInteracting(root)) applyDeferred(root);
    if (list(root)) giveSpaceBack(root, spaceAbove);
  }
}
