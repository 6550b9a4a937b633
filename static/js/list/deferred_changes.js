// Deferred changes. While somebody interacts with the list (by a pointer, a finger, the focus, a menu, a text selection),
// rows are updated in place, and moves wait behind a button, the pill, so that nobody presses a row that has just moved.
// Moves that wait too long are applied around the active row (input/interaction.js).

import { closeMenuOf } from '../core/acts.js';
import { list, memoryOf, PREFIX, plural, roots } from '../core/component.js';
import { giveSpaceBack, spaceOf, withScrollAnchor } from './scroll_anchor.js';
import { activeRowOf, isInteracting, pillOf } from '../input/interaction.js';
import { morph, place, settleHeadings } from './place.js';
import { requestResync, ROWS } from '../server/resync.js';
import { boxOf, buttonOf, find, isGone, idSuffixOf, stays } from '../core/rows.js';

/** @import { Item } from '../core/rows.js' */

/** After this long the changes are applied, milliseconds; that of the active row waits on while somebody interacts. */
const LONGEST_HOLD = 30_000;
/** Most changes that are held; when more wait, the window is refetched. */
const MOST_HELD = 200;

/**
 * Whether an item adds, moves or removes a row, and not only changes how it looks.
 * @param {HTMLElement} root
 * @param {Item} item
 */
export function moves(root, item) {
  if (!item.dataset.uid) return false;
  return find(root, item)?.dataset.order !== (stays(root, item) ? item.dataset.order : undefined);
}

/**
 * Updates a row in place and defers its move. Only the latest item of each member or heading is held.
 * @param {HTMLElement} root
 * @param {Item} item
 */
export function defer(root, item) {
  const there = find(root, item);
  if (!isGone(item)) paint(root, [item]);
  else if (there) paintLeaving(root, there);
  keepDeferred(root, idSuffixOf(item), item);
}

/**
 * Updates rows in place, without moving any. The count of a heading is stored for `settleHeadings`.
 * @param {HTMLElement} root
 * @param {Item[]} items
 */
export function paint(root, items) {
  for (const item of items) {
    const there = find(root, item);
    if (item.dataset.heading) place(root, item);
    if (!there) continue;
    const painted = item.cloneNode(true);
    // The row keeps its old key: the list must stay sorted for other rows to be placed.
    painted.dataset.order = there.dataset.order;
    morph(root, there, painted);
  }
}

/**
 * Marks the row of a person who has left, and disables its controls; no other row moves.
 * @param {HTMLElement} root
 * @param {Element} row
 */
export function paintLeaving(root, row) {
  closeMenuOf?.(root, row);
  row.classList.add(`${PREFIX}__row--leaving`);
  for (const control of [buttonOf(row), boxOf(row)]) if (control) control.ariaDisabled = 'true';
}

/**
 * Keeps a change of a row for later; without one, or with too many, the list is refetched instead.
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
 * Applies the deferred changes around the active row; a change of the active row itself waits on, unless `must`.
 * @param {HTMLElement} root
 * @param {boolean} [must]
 */
export function applyDeferred(root, must) {
  const { deferred, stale } = memoryOf(root);
  forgetDeferred(root);
  if (stale) {
    memoryOf(root).must ||= isInteracting(root);
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

/**
 * Drops the deferred changes: they have been applied, or the list has been replaced.
 * @param {HTMLElement} root
 */
export function forgetDeferred(root) {
  const memory = memoryOf(root);
  clearTimeout(memory.deferredTimer);
  Object.assign(memory, { deferred: new Map(), stale: false, deferredTimer: 0 });
  showPill(root);
}

/**
 * Shows how many changes wait, and hides the pill when none does.
 * @param {HTMLElement} root
 */
export function showPill(root) {
  const { deferred, stale } = memoryOf(root);
  const pill = pillOf(root);
  if (!pill) return;
  pill.hidden = !deferred.size && !stale;
  /** @type {HTMLElement} */ (pill.querySelector('span')).textContent = plural(root, 'held', deferred.size || 1);
}

/**
 * Applies the deferred changes of each list that nobody interacts with. Called when the pointer has moved, a person has scrolled or a menu
 * has closed; also by a timer, which passes false: space above the list stays, but not negative space, which hides the first rows.
 * @param {boolean} [removesAbove]
 */
export function applyUnlessInteracting(removesAbove) {
  for (const root of roots) {
    const { deferred, stale } = memoryOf(root);
    if ((deferred?.size || stale) && !isInteracting(root)) applyDeferred(root);
    if (list(root)) giveSpaceBack(root, spaceOf(root, 'Start') < -1 || removesAbove);
  }
}
