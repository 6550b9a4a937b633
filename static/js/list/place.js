// Places each row by its key (`data-order`): a message does not name its neighbours. Rows outside the loaded window are left out.

import { closeMenuOf, rightsChanged } from '../core/acts.js';
import { api, create, list, memoryOf, PREFIX, part, remember, word } from '../core/component.js';
import { brokenPictures, dress, sentinelOf, find, isGone, idSuffixOf, rowsOf, sectionOf, stays } from '../core/rows.js';
import { adoptItem, focusOn, setTabStop } from '../input/tab_stop.js';

/** @import { Item } from '../core/rows.js' */

/**
 * The first element with a larger key; else the sentinel at the window's end, or null when the list ends there.
 * @param {HTMLElement} root
 * @param {string} order
 */
function firstAfter(root, order) {
  const elements = list(root).children;
  // The sentinel at the window's start is no exception: its key is not larger than any key in the window.
  let low = 0;
  let high = elements.length - (sentinelOf(root, 'next') ? 1 : 0);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elements[middle].dataset.order > order) high = middle;
    else low = middle + 1;
  }
  return elements[low] ?? null;
}

/**
 * Adds, updates, moves or removes a row as its item says; of a heading only the count is stored.
 * @param {HTMLElement} root
 * @param {Item} item
 */
export function place(root, item) {
  const memory = memoryOf(root);
  memory.deferred.delete(idSuffixOf(item));
  if (item.dataset.heading) {
    memory.headings[item.dataset.order] = isGone(item) ? '' : countIn(item).textContent;
    return;
  }
  const there = find(root, item);
  if (!stays(root, item)) return remove(root, there);
  const before = firstAfter(root, item.dataset.order);
  if (!there) {
    list(root).insertBefore(dress(root, item), before);
    adoptItem(root, item);
  } else {
    const moves = before !== there && before !== there.nextElementSibling;
    morph(root, there, item);
    if (moves) move(list(root), there, before);
  }
}

/** The sections in display order. The index of a section is the key of its heading and the first digit of its rows' keys. */
const SECTIONS = /** @type {Record<string, any>} */ (['owner', 'admin', 'moderator', 'participant']);

/**
 * Shows the heading of each section that has a row in the window, and removes the others.
 * @param {HTMLElement} root
 */
export function settleHeadings(root) {
  const { headings } = memoryOf(root);
  for (const heading of list(root).querySelectorAll('[data-heading]')) {
    headings[sectionOf(heading)] ??= countIn(heading).textContent;
    const below = heading.nextElementSibling;
    if (!below?.dataset.uid || sectionOf(below) !== sectionOf(heading)) heading.remove();
  }
  /** @type {string | undefined} */
  let order;
  for (const row of rowsOf(root)) {
    if (sectionOf(row) === order) continue;
    order = sectionOf(row);
    const count = headings[order];
    const section = SECTIONS[order];
    if (!count) continue;
    let heading = part(root, `h-${section}`);
    if (!heading) {
      heading = create('li', { className: `${PREFIX}__heading` });
      Object.assign(heading.dataset, { order, heading: section });
      const title = create('h3');
      title.append(`${word(root, section)} `, create('span'));
      heading.append(title);
      row.before(dress(root, heading));
    }
    countIn(heading).textContent = count;
  }
}

/** @param {Item} heading */
const countIn = (heading) => /** @type {HTMLElement} */ (heading.querySelector('span'));

/**
 * Updates a row in place. Its node stays, and with it the focus, a text selection and the picture.
 * @param {HTMLElement} root
 * @param {Element} there
 * @param {Item} item
 */
export function morph(root, there, item) {
  const fragment = document.createDocumentFragment();
  const memory = memoryOf(root);
  const focused = there.matches(':focus-within');
  const opened = there.contains(memory.opener);
  const { acts } = there.dataset;
  fragment.append(dress(root, item));
  api.morph(there, fragment, false);
  adoptItem(root, there);
  if (opened) rightsChanged?.(root, there, acts);
  if (focused && !there.matches(':focus-within')) focusOn(root, there);
}

/**
 * Moves a row within the list. Its focus stays, also where the browser drops it.
 * @param {Element} rows
 * @param {Element} node
 * @param {Element | null} before
 */
export function move(rows, node, before) {
  if (rows.moveBefore && node.isConnected) return rows.moveBefore(node, before);
  const focused = node.matches(':focus-within') && node.getRootNode().activeElement;
  rows.insertBefore(node, before);
  if (focused) focused.focus({ preventScroll: true });
}

/**
 * Removes a row and closes its menu; focus inside it moves to the nearest row.
 * @param {HTMLElement} root
 * @param {Element | null} row
 */
export function remove(root, row) {
  if (!row) return;
  const memory = memoryOf(root);
  const focused = row.matches(':focus-within');
  const neighbour = nearest(root, row);
  closeMenuOf?.(root, row);
  if (row.contains(memory.opener)) memory.opener = neighbour;
  // Only the Tab stop is focusable: a row that gets the focus back from an open menu or dialog must be the stop too.
  const comesBack = memory.opener === neighbour && !list(root).matches(':focus-within');
  if ((focused || comesBack || row.contains(memory.stop)) && list(root).contains(neighbour)) setTabStop(root, neighbour);
  row.remove();
  if (focused) neighbour.focus();
}

/**
 * @param {HTMLElement} root
 * @param {Element} row
 */
function nearest(root, row) {
  const rows = rowsOf(root);
  const at = rows.indexOf(row);
  return rows[at + 1] ?? rows[at - 1] ?? root;
}

/**
 * Removes a picture that cannot be loaded, and remembers its address.
 * @param {HTMLImageElement} picture
 */
export function pictureFailed(picture) {
  remember(brokenPictures, picture.src);
  picture.remove();
}
