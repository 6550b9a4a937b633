// Fetches the window again: as far as it is loaded when the screen lacks something, or around another place that a
// person goes to. A failed fetch is retried.

import { checkSelection } from './acts.js';
import { addressOf, list, memoryOf, part } from './component.js';
import { anchorRowOf, withScrollAnchor } from './scroll_anchor.js';
import { activeRowOf, isInteracting } from './interaction.js';
import { forgetDeferred, defer, keepDeferred, paint, paintLeaving } from './deferred_changes.js';
import { htmx } from './loader.js';
import { beginRequest, endRequest, isOlder } from './message_order.js';
import { morph, move, remove, settleHeadings } from './place.js';
import { fail, get, showError } from './requests.js';
import { requestResync, showLive } from './resync.js';
import { endOf, find, isBetween, ROW, rowsOf, SIDES } from './rows.js';
import { adoptItem, focusOn } from './tab_stop.js';
import { delay, LONGEST_WAIT } from './wait.js';
import { extend, focusEnd, getRows, readRows, setEnd, trim } from './window.js';

/** @import { Item, Side } from './rows.js' */
/** @typedef {ReturnType<typeof readRows>} Page */

/** Behind so many rows a list that has ended may go on. */
const FULL_PAGE = 60;
/** Between tries that fail, milliseconds; grows. */
const FIRST_RETRY = 500;

/** @param {HTMLElement} root */
export async function resync(root) {
  const memory = memoryOf(root);
  memory.resyncing = true;
  for (let wait = FIRST_RETRY; memory.missing && root.isConnected && list(root); wait = Math.min(wait * 2, LONGEST_WAIT)) {
    const { missing: what, must } = memory;
    Object.assign(memory, { missing: 0, must: false });
    // Selection, rows, component.
    const refetch = /** @type {(root: HTMLElement, must?: boolean) => Promise<unknown>} */ ([null, settleSelection, refetchWindow, refetchComponent][what]);
    // One that throws has failed, and is tried again.
    if (await refetch(root, must).catch(console.error)) continue;
    memory.must ||= must;
    requestResync(root, what);
    await delay(wait);
  }
  memory.resyncing = false;
  showLive(root);
}

/**
 * Everything around the list anew, with the viewer's present rights; then the list.
 * @param {HTMLElement} root
 * @param {boolean} [must]
 */
async function refetchComponent(root, must) {
  const request = beginRequest(root);
  const answer = await get(root, part(root, 'say'), addressOf(root, 'part=component'));
  const had = answer?.status === 200;
  try {
    if (had) await htmx.swap({ root, sourceElement: root, target: root, text: answer.text, swap: 'steadyMorph' });
  } finally {
    endRequest(root, request, had && answer.id);
  }
  return had && refetchWindow(root, must);
}

/**
 * The window anew, as far as it is loaded; while somebody interacts with the list only in place, unless it must.
 * @param {HTMLElement} root
 * @param {boolean} [must]
 */
async function refetchWindow(root, must) {
  // It would take the place of the request of whoever goes elsewhere, and is wanted there.
  await memoryOf(root).going?.catch(() => {});
  const rows = rowsOf(root);
  const anchor = anchorRowOf(root);
  const from = endOf(root, 'previous') ? `from=${rows[0]?.dataset.order}&` : '';
  const until = rows[FULL_PAGE] || endOf(root, 'next') ? rows.at(-1)?.dataset.order : '~';
  const shown = await show(root, [anchor ? `${from}until=${until}` : ''], must, { anchor: anchor?.dataset.order });
  return shown && settleSelection(root);
}

/**
 * False when nobody said whether those who are selected are members still.
 * @param {HTMLElement} root
 */
async function settleSelection(root) {
  return (await checkSelection?.(root)) !== false;
}

/**
 * The window around a place.
 * @param {HTMLElement} root
 * @param {string} order
 * @param {boolean} [must]
 */
export function showAround(root, order, must) {
  return (memoryOf(root).going = show(root, [`before=${order}`, `from=${order}`], must));
}

/**
 * Shows the window that these queries give one after the other; during an interaction only if it must. It reaches as far as the
 * place `anchor`; whoever `leaves` for elsewhere leaves the active row behind. False when it could not be had.
 * @param {HTMLElement} root
 * @param {string[]} queries
 * @param {boolean} [must]
 * @param {{ anchor?: string, leaves?: boolean }} [options]
 * @returns {Promise<boolean>}
 */
async function show(root, queries, must, { anchor, leaves } = {}) {
  const request = beginRequest(root);
  const rows = list(root);
  /** @type {Page[]} */
  const parts = [];
  /** @type {string | undefined} */
  let oldest;
  let isShort = true;
  // Whatever becomes of the answers, nothing waits for them any more.
  try {
    for (const query of queries) {
      const answer = await getRows(root, rows, query);
      // Another list has come: this one lacks nothing any more.
      if (answer?.status !== 200) return rows !== list(root);
      oldest = oldest && isOlder(oldest, answer.id) ? oldest : answer.id;
      parts.push(readRows(root, answer.text));
    }
    const items = parts.flatMap((part) => part.items);
    const ends = { previous: parts[0].previous, next: /** @type {Page} */ (parts.at(-1)).next };
    isShort = /** @type {string} */ (ends.next) < /** @type {string} */ (anchor);
    withScrollAnchor(root, () => {
      if (!must && isInteracting(root)) {
        paint(root, items);
        for (const row of rowsOf(root))
          if (isBetween(row.dataset.order, ends.previous, ends.next) && !items.some(({ id }) => id === row.id)) paintLeaving(root, row);
        keepDeferred(root);
      } else if (!isShort) replace(root, items, ends, leaves);
      settleHeadings(root);
    });
    // Between the rows that were there many may have come.
    trim(root);
  } finally {
    endRequest(root, request, !isShort && oldest);
  }
  // More have come before the anchor than one window holds.
  if (isShort) return showAround(root, /** @type {string} */ (anchor), must);
  return true;
}

/**
 * What is not in the new window goes, what stays keeps its node, all in the order given.
 * @param {HTMLElement} root
 * @param {Item[]} items
 * @param {Record<Side, string | undefined>} ends
 * @param {boolean} [leaves]
 */
function replace(root, items, ends, leaves) {
  forgetDeferred(root);
  const [focused] = SIDES.filter((side) => setEnd(root, side));
  const rows = list(root);
  const kept = new Map(items.map((item) => [item.id, item]));
  memoryOf(root).headings = {};
  // The pointer may rest on another than the one with the focus, which would be lost.
  const active = /** @type {Element} */ (!leaves && isInteracting(root) && (rows.querySelector(`${ROW}:focus-within`) ?? activeRowOf(root)));
  for (const child of [...rows.children]) if (!kept.has(child.id) && child !== active) remove(root, child);
  // Whoever is in the active row, and no member any more, stays until it is let go.
  if (active && !kept.has(active.id)) {
    const gone = /** @type {Element} */ (active.cloneNode());
    gone.dataset.gone = '';
    defer(root, gone);
  }
  let cursor = rows.firstElementChild;
  for (const item of kept.values()) {
    const there = find(root, item);
    if (there) morph(root, there, item);
    if (cursor === active && !kept.has(active?.id) && active.dataset.order < item.dataset.order) cursor = cursor.nextElementSibling;
    const node = there ?? item;
    if (node === cursor) cursor = cursor.nextElementSibling;
    else move(rows, node, cursor);
    if (!there) adoptItem(root, item);
  }
  for (const side of SIDES) setEnd(root, side, ends[side]);
  if (focused) focusEnd(root, focused);
}

/**
 * Over an end of the window, or, when it is `far`, to the true first or last member. The end, when it goes there by itself.
 * @param {HTMLElement} root
 * @param {Side} side
 * @param {boolean} far
 */
export function goToEnd(root, side, far) {
  const end = endOf(root, side);
  if (end && far) {
    memoryOf(root).going = show(root, [side === 'previous' ? '' : 'before=end'], true, { leaves: true }).then((shown) => {
      const row = rowsOf(root).at(side === 'next' ? -1 : 0);
      if (!shown) return fail(root, 0, () => goToEnd(root, side, far));
      showError(root);
      if (row) focusOn(root, row);
    });
  } else if (end) extend(root, end, true);
  return end;
}
