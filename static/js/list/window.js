// The loaded window: a bounded part of the list. A sentinel marks each end beyond which there are more rows. When it comes
// near the view, the next page is loaded, and surplus rows are removed at the other end.

import { addressOf, create, list, memoryOf, PREFIX, part, rootOf, word } from '../core/component.js';
import { anchorRowOf, withScrollAnchor } from './scroll_anchor.js';
import { selectedText } from '../input/interaction.js';
import { htmx } from '../core/loader.js';
import { beginRequest, endRequest } from '../server/message_order.js';
import { place, remove, settleHeadings } from './place.js';
import { isTouched, TOUCH_REST } from '../input/press.js';
import { get, wentWell } from '../server/requests.js';
import { requestResync, ROWS } from '../server/resync.js';
import { dress, sentinelOf, find, rowsOf } from '../core/rows.js';
import { adoptItem, focusOn } from '../input/tab_stop.js';
import { delay } from '../core/wait.js';

/** @import { Side } from '../core/rows.js' */

/** Most rows that are kept loaded. */
const MOST_ROWS = 300;
/** How near a sentinel must come to the view for its page to be loaded. */
const AHEAD = '600px 0px';
/** Delay after the first failed load of a page, milliseconds; each further failure adds as much, up to twenty times that. */
const RETRY = 3_000;

const ahead = new IntersectionObserver(
  (entries) => {
    // The list may have been removed since the sentinel came near.
    for (const { isIntersecting, target } of entries) if (isIntersecting && target.isConnected) extend(/** @type {HTMLElement} */ (rootOf(target)), target);
  },
  { rootMargin: AHEAD, scrollMargin: AHEAD },
);

/**
 * The query for the page beyond an end. A place has no characters that an address must escape.
 * @param {Side} side
 * @param {string} order
 */
const pageAt = (side, order) => `${side === 'next' ? 'cursor' : 'before'}=${order}`;

/**
 * Puts the sentinel of a side at a place; without a place the list ends there, and the sentinel is removed. Returns whether the old
 * sentinel had the focus.
 * @param {HTMLElement} root
 * @param {Side} side
 * @param {string | null} [order]
 */
export function setSentinel(root, side, order) {
  const old = sentinelOf(root, side);
  if (old) ahead.unobserve(old);
  const focused = old?.matches(':focus-within');
  old?.remove();
  if (order) {
    const end = create('li', { id: `${root.id}-${side}`, className: `${PREFIX}__${side}` });
    end.dataset.order = order;
    end.append(create('a', { href: addressOf(root, pageAt(side, order)), textContent: word(root, side) }));
    list(root)[side === 'next' ? 'append' : 'prepend'](end);
    adoptItem(root, end);
    ahead.observe(end);
  }
  return focused;
}

/**
 * Moves the focus to the link in the sentinel of a side; to the component when there is no sentinel.
 * @param {HTMLElement} root
 * @param {Side} side
 */
export const focusSentinel = (root, side) => (sentinelOf(root, side)?.querySelector('a') ?? root).focus();

/**
 * Parses a fetched part of the list: its rows and headings, its rows alone, and the places of its ends.
 * @param {HTMLElement} root
 * @param {string} text
 */
export function readRows(root, text) {
  const { content } = create('template', { innerHTML: text });
  /** @param {Side} side */
  const end = (side) => content.querySelector(`.${PREFIX}__${side}`)?.dataset.order;
  const items = [...content.children].filter((item) => item.dataset.uid || item.dataset.heading).map((item) => dress(root, item));
  return { items, rows: items.filter((item) => item.dataset.uid), previous: end('previous'), next: end('next') };
}

/**
 * Fetches rows at a place; null when the source has made another request meanwhile, or another list has come.
 * @param {HTMLElement} root
 * @param {Element} source
 * @param {string} place
 */
export async function getRows(root, source, place) {
  const rows = list(root);
  const answer = await get(root, source, addressOf(root, 'part=rows&markup=lean', place));
  return rows === list(root) ? answer : null;
}

/**
 * Loads the page beyond an end of the window. The focus moves into it if `takesFocus` says so then. The anchor row stays where it is.
 * @param {HTMLElement} root
 * @param {Element} end
 * @param {() => boolean} [takesFocus]
 */
export async function extend(root, end, takesFocus) {
  const { extending } = memoryOf(root);
  const side = end.matches(`.${PREFIX}__next`) ? 'next' : 'previous';
  const isLoading = extending[side];
  extending[side] = takesFocus || isLoading || (() => false);
  // The page is being loaded already; this call only adds its `takesFocus`.
  if (isLoading) return;
  const request = beginRequest(root);
  const page = addPage(root, end, side, takesFocus).catch((error) => {
    // A page that cannot be applied is retried like one that failed to load; a resync repairs what it left.
    console.error(error);
    extending.failures++;
    requestResync(root, ROWS);
  });
  const id = /** @type {string | null} */ (await page);
  extending[side] = null;
  endRequest(root, request, id);
  // The observer reports only changes: a sentinel that is still near the view must be observed anew.
  const again = sentinelOf(root, side);
  if (again) {
    ahead.unobserve(again);
    if (!id) await delay(RETRY * Math.min(extending.failures, 20));
    // A list that is off the page for now is observed too: it may be put back.
    if (again === sentinelOf(root, side)) ahead.observe(again);
  }
}

/**
 * Fetches the page beyond an end and adds it to the list, unless the end has moved meanwhile. Returns the event id of the answer, or a
 * falsy value when there is none.
 * @param {HTMLElement} root
 * @param {Element} end
 * @param {Side} side
 * @param {() => boolean} [takesFocus]
 */
async function addPage(root, end, side, takesFocus) {
  const { extending } = memoryOf(root);
  const { order } = end.dataset;
  const loading = part(root, 'loading');
  if (side === 'next') loading.classList.add('htmx-request');
  const answer = await getRows(root, end, pageAt(side, order));
  if (side === 'next') withScrollAnchor(root, () => loading.classList.remove('htmx-request'));
  // Rows are not added above during a touch or fling: the scroll position cannot be corrected then.
  while (side === 'previous' && isTouched()) await htmx.timeout(TOUCH_REST / 4);
  // A trim or a refetch may have moved or removed the end meanwhile.
  const current = answer && sentinelOf(root, side);
  // `wentWell` would clear any alert. A page loads without a person's action, so it only clears the alert of its own failure.
  const well =
    current && ((answer.status === 200 && !extending.failures) || wentWell(root, answer, () => extend(root, sentinelOf(root, side) ?? end, takesFocus)));
  extending.failures = well ? 0 : extending.failures + 1;
  if (well && current.dataset.order === order) {
    const { items, rows, ...ends } = readRows(root, answer.text);
    withScrollAnchor(root, () => {
      if (side === 'previous') rows.reverse();
      const focused = setSentinel(root, side, ends[side] && rows.at(-1)?.dataset.order);
      for (const item of items) place(root, item);
      settleHeadings(root);
      const row = rows[0] && find(root, rows[0]);
      if ((focused || /** @type {() => boolean} */ (extending[side])()) && row) focusOn(root, row);
      else if (focused) focusSentinel(root, side);
    });
    trim(root, side === 'next' ? 'previous' : 'next');
  }
  return well && answer.id;
}

/**
 * Whether a row must not be trimmed: it has the focus, or part of a text selection.
 * @param {Element} row
 */
const isKept = (row) => row.matches(':focus-within') || selectedText()?.containsNode(row, true);

/**
 * Removes the rows beyond the limit at one side, by default the side farther from the anchor row. It waits until nobody touches the
 * list: the removal corrects the scroll position, which would end a fling.
 * @param {HTMLElement} root
 * @param {Side} [side]
 */
export function trim(root, side) {
  const rows = rowsOf(root);
  const spare = rows.length - MOST_ROWS;
  if (spare <= 0) return;
  if (isTouched()) return setTimeout(trim, TOUCH_REST, root);
  const middle = rows.indexOf(anchorRowOf(root));
  side ??= middle * 2 > rows.length ? 'previous' : 'next';
  const far = side === 'previous' ? rows.slice(0, spare) : rows.slice(-spare).reverse();
  const kept = far.findIndex((row) => isKept(row) || row === rows[middle]);
  const gone = kept < 0 ? far : far.slice(0, kept);
  if (!gone.length) return;
  withScrollAnchor(root, () => {
    for (const row of gone) remove(root, row);
    const left = rowsOf(root);
    setSentinel(root, side, /** @type {Element} */ (left.at(side === 'next' ? -1 : 0)).dataset.order);
    settleHeadings(root);
  });
}
