// When a message may change the list. While a hand is on the list - a pointer, a finger, the focus, a menu,
// a text selection - rows are painted where they are, and what would move them waits behind a pill: nobody
// presses on a row that just jumped. What waits too long is placed around the row under the hand (hand.js).

import { closeMenuOf, list, memoryOf, PREFIX, plural, rootsIn } from './component.js';
import { giveSpaceBack, steadily } from './eye.js';
import { handOf, isHeld, pillOf } from './hand.js';
import { morph, place, settleHeadings } from './place.js';
import { requestResync, ROWS } from './resync.js';
import { boxOf, buttonOf, find, isGone, isInWindow, keyOf } from './rows.js';

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
  const there = find(root, item);
  const stays = !isGone(item) && isInWindow(root, item.dataset.order);
  return there ? !stays || item.dataset.order !== there.dataset.order : stays;
}

/**
 * Paints what can be painted in place; the move waits. Only the latest state of each waits.
 * @param {HTMLElement} root
 * @param {Item} item
 */
export function hold(root, item) {
  const there = find(root, item);
  const stays = !isGone(item) && isInWindow(root, item.dataset.order);
  if (there && stays) paint(root, [item]);
  else if (there) paintLeaving(root, there);
  keep(root, keyOf(item), item);
}

/**
 * Shows how rows are now without moving any.
 * @param {HTMLElement} root
 * @param {Item[]} items
 */
export function paint(root, items) {
  for (const item of items) {
    const there = find(root, item);
    if (!there) continue;
    const painted = item.cloneNode(true);
    // The key stays with the place, so that the list remains sorted for others.
    painted.dataset.order = there.dataset.order;
    morph(root, there, painted);
  }
}

/**
 * @param {HTMLElement} root
 * @param {Element} row
 */
function paintLeaving(root, row) {
  closeMenuOf(root, row);
  row.classList.add(`${PREFIX}__row--leaving`);
  for (const control of [buttonOf(row), boxOf(row)]) if (control) control.ariaDisabled = 'true';
}

/**
 * @param {HTMLElement} root
 * @param {string} [key]
 * @param {Item} [item]
 */
export function keep(root, key, item) {
  const memory = memoryOf(root);
  if (key && (memory.held.size < MOST_HELD || memory.held.has(key))) memory.held.set(key, /** @type {Item} */ (item));
  else memory.stale = true;
  memory.releaseTimer ||= setTimeout(() => release(root, !isHeld(root)), LONGEST_HOLD);
}

/**
 * What waits goes to its place around the row under the hand; that row itself only if it must.
 * @param {HTMLElement} root
 * @param {boolean} [must]
 */
export function release(root, must) {
  const { held, stale } = memoryOf(root);
  forgetHeld(root);
  if (stale) {
    memoryOf(root).must = isHeld(root);
    requestResync(root, ROWS);
    return;
  }
  const hand = !must && isHeld(root) && handOf(root);
  steadily(root, () => {
    for (const [key, item] of held) {
      if (hand && find(root, item) === hand) keep(root, key, item);
      else place(root, item);
    }
    settleHeadings(root);
  });
  showPill(root);
}

/** @param {HTMLElement} root */
export function forgetHeld(root) {
  const memory = memoryOf(root);
  clearTimeout(memory.releaseTimer);
  Object.assign(memory, { held: new Map(), stale: false, releaseTimer: 0 });
  showPill(root);
}

/** @param {HTMLElement} root */
export function showPill(root) {
  const { held, stale } = memoryOf(root);
  const pill = pillOf(root);
  if (!pill) return;
  pill.hidden = !held.size && !stale;
  if (!pill.hidden) /** @type {HTMLElement} */ (pill.querySelector('span')).textContent = plural(root, 'held', held.size || 1);
}

/** Called when a hand went somewhere, or the scroller did: what nothing holds back any more is placed. */
export function releaseUnheld() {
  for (const root of rootsIn(document)) {
    const { held, stale } = memoryOf(root);
    if ((held?.size || stale) && !isHeld(root)) release(root);
    if (list(root)) giveSpaceBack(root);
  }
}
