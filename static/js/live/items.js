// Applies the items of a message to the screen: rows and headings for the list, and instructions.

import { list, memoryOf } from '../core/component.js';
import { withScrollAnchor } from '../list/scroll_anchor.js';
import { isInteracting } from '../input/interaction.js';
import { defer, moves, showPill } from '../list/deferred_changes.js';
import { INSTRUCTIONS } from './instructions.js';
import { place, settleHeadings } from '../list/place.js';
import { trim } from '../list/window.js';

/** @import { Item } from '../core/rows.js' */

/** Instructions that are carried out only the first time their message is applied. */
const ONCE = ['event', 'live'];
/** Instructions that are skipped when their message is applied again while a resync runs. */
const RESYNC_INSTRUCTIONS = ['resync', 'renew'];

/**
 * Applies the items of a message: first those for the host's page and the connection, then those for the list.
 * `again` when the message has been applied before.
 * @param {HTMLElement} root
 * @param {Item[]} items
 * @param {boolean} own
 * @param {boolean} [again]
 */
export function takeItems(root, items, own, again) {
  const { resyncing } = memoryOf(root);
  for (const item of items) if (!again && ONCE.includes(item.dataset.note)) INSTRUCTIONS[item.dataset.note](root, item, own, items);
  /** @param {Item} item */
  const isApplicable = ({ dataset: { note } }) => !ONCE.includes(note) && !(again && resyncing && RESYNC_INSTRUCTIONS.includes(note));
  if (list(root)) applyItems(root, items.filter(isApplicable), own);
}

/**
 * Applies the items of a message to the list.
 * @param {HTMLElement} root
 * @param {Item[]} items
 * @param {boolean} own
 */
function applyItems(root, items, own) {
  // The result of a person's own act is shown at once.
  const deferring = !own && isInteracting(root);
  const waits = new Set(items.filter((item) => deferring && moves(root, item)));
  withScrollAnchor(root, () => {
    for (const item of items) if (!item.dataset.note && !waits.has(item)) place(root, item);
    // Deferred rows are updated here, with the anchor row kept: a name may take more lines than before.
    waits.forEach((item) => defer(root, item));
    for (const item of items) INSTRUCTIONS[item.dataset.note]?.(root, item, own, items);
    settleHeadings(root);
  });
  trim(root);
  showPill(root);
}
