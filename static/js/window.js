// The loaded window: a bounded part of the list with two ends. A sentinel stands at each end behind which
// there is more; in sight, it asks for more, and the far end lets go of as much.

import { addressOf, create, list, memoryOf, PREFIX, part, rootOf, word } from './component.js';
import { anchorRowOf, withScrollAnchor } from './scroll_anchor.js';
import { selectedText } from './interaction.js';
import { htmx } from './loader.js';
import { beginRequest, endRequest } from './message_order.js';
import { place, remove, settleHeadings } from './place.js';
import { isTouched, TOUCH_REST } from './press.js';
import { get, wentWell } from './requests.js';
import { requestResync, ROWS } from './resync.js';
import { dress, endOf, find, outside, rowsOf } from './rows.js';
import { adoptItem, focusOn } from './tab_stop.js';
import { delay } from './wait.js';

/** @import { Side } from './rows.js' */

const MOST_ROWS = 300;
/** What stands at an end is asked for so long before it comes into sight. */
const AHEAD = '600px 0px';
/** Before the second try for a page that fails, milliseconds; each waits as long again, up to twenty times that. */
const RETRY = 3_000;

const ahead = new IntersectionObserver(
  (entries) => {
    // The list may have gone since it came into sight.
    for (const { isIntersecting, target } of entries) if (isIntersecting && target.isConnected) extend(/** @type {HTMLElement} */ (rootOf(target)), target);
  },
  { rootMargin: AHEAD, scrollMargin: AHEAD },
);

/**
 * Asks for the page behind an end. A place holds nothing that an address would have to escape.
 * @param {Side} side
 * @param {string} order
 */
const pageAt = (side, order) => `${side === 'next' ? 'cursor' : 'before'}=${order}`;

/**
 * Ends the window at a place, or, without one, at the end of the list.
 * @param {HTMLElement} root
 * @param {Side} side
 * @param {string | null} [order]
 */
export function setEnd(root, side, order) {
  const old = endOf(root, side);
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
 * The focus goes to the link at an end of the window, or, where the list has ended, out of it.
 * @param {HTMLElement} root
 * @param {Side} side
 */
export const focusEnd = (root, side) => (endOf(root, side)?.querySelector('a') ?? outside(root)).focus();

/**
 * What a fetched part of the list holds: its members and headings, and its own ends.
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
 * Fetches rows at a place; null when something else is wanted by now.
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
 * Loads the page behind an end of the window; `focus` to go on in it. The last row that was there stays where it is.
 * @param {HTMLElement} root
 * @param {Element} end
 * @param {boolean} [focus]
 */
export async function extend(root, end, focus) {
  const { extending } = memoryOf(root);
  const side = end.matches(`.${PREFIX}__next`) ? 'next' : 'previous';
  const under = extending[side];
  extending[side] = focus || (under ?? false);
  // It is on its way already.
  if (under != null) return;
  const request = beginRequest(root);
  const page = addPage(root, end, side, focus).catch((error) => {
    // One that breaks is tried again as one that does not come; what it has left of itself on the screen is made good for.
    console.error(error);
    requestResync(root, ROWS);
  });
  const id = /** @type {string | null} */ (await page);
  extending[side] = null;
  endRequest(root, request, id);
  // If it is still in sight, ask again: the observer reports changes only.
  const again = endOf(root, side);
  if (again) {
    ahead.unobserve(again);
    if (!id) await delay(RETRY * Math.min(extending.failures, 20));
    // Also in a list that is not on the page for now.
    if (again === endOf(root, side)) ahead.observe(again);
  }
}

/**
 * Puts the page behind an end on the screen, unless its place is another by now. Gives the event id of the answer; none when it did not come.
 * @param {HTMLElement} root
 * @param {Element} end
 * @param {Side} side
 * @param {boolean} [focus]
 */
async function addPage(root, end, side, focus) {
  const { extending } = memoryOf(root);
  const { order } = end.dataset;
  const loading = part(root, 'loading');
  loading.classList.toggle('htmx-request', side === 'next');
  const answer = await getRows(root, end, pageAt(side, order));
  if (loading.isConnected) withScrollAnchor(root, () => loading.classList.remove('htmx-request'));
  // A scroller is not corrected during a fling.
  while (side === 'previous' && isTouched()) await htmx.timeout(TOUCH_REST / 4);
  // Let go of, or loaded anew, meanwhile: its place is another now.
  const current = answer && endOf(root, side);
  // Whatever else is said over the list stays: further rows come by themselves.
  const well = current && ((answer.status === 200 && !extending.failures) || wentWell(root, answer, () => extend(root, endOf(root, side) ?? end, focus)));
  extending.failures = well ? 0 : extending.failures + 1;
  if (well && current.dataset.order === order) {
    const { items, rows, ...ends } = readRows(root, answer.text);
    withScrollAnchor(root, () => {
      if (side === 'previous') rows.reverse();
      const focused = setEnd(root, side, ends[side] && rows.at(-1)?.dataset.order);
      for (const item of items) place(root, item);
      settleHeadings(root);
      const row = rows[0] && find(root, rows[0]);
      if ((focused || extending[side]) && row) focusOn(root, row);
      else if (focused) focusEnd(root, side);
    });
    trim(root, side === 'next' ? 'previous' : 'next');
  }
  return well && answer.id;
}

/**
 * What keeps its end of the window loaded: focus, or a text selection.
 * @param {Element} row
 */
const isKept = (row) => row.matches(':focus-within') || selectedText()?.containsNode(row, true);

/**
 * Lets go of rows at the end that is far from the anchor row, once nobody touches the list: what goes is made good for by the scroller, and a
 * fling would end by that.
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
    setEnd(root, side, /** @type {Element} */ (left.at(side === 'next' ? -1 : 0)).dataset.order);
    settleHeadings(root);
  });
}
