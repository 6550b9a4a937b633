// Refetches the window: the loaded range when the screen is out of date, or the rows around a place that a person jumps to.
// A resync that fails is retried.

import { checkSelection } from '../core/acts.js';
import { addressOf, list, memoryOf, part } from '../core/component.js';
import { anchorRowOf, withScrollAnchor } from './scroll_anchor.js';
import { activeRowOf, isInteracting } from '../input/interaction.js';
import { forgetDeferred, defer, keepDeferred, paint, paintLeaving } from './deferred_changes.js';
import { htmx } from '../core/loader.js';
import { beginRequest, endRequest, isOlder } from '../server/message_order.js';
import { morph, move, remove, settleHeadings } from './place.js';
import { watchPress } from '../input/press.js';
import { fail, get, showError } from '../server/requests.js';
import { requestResync, showLive } from '../server/resync.js';
import { sentinelOf, find, isBetween, ROW, rowsOf, SIDES } from '../core/rows.js';
import { adoptItem, focusOn } from '../input/tab_stop.js';
import { delay, LONGEST_WAIT } from '../core/wait.js';
import { extend, focusSentinel, getRows, readRows, setSentinel, trim } from './window.js';

/** @import { Item, Side } from '../core/rows.js' */
/** @typedef {ReturnType<typeof readRows>} Page */

/** Up to so many rows a list without a next page is refetched to its end, with more to its last loaded row. */
const FULL_PAGE = 60;
/** Delay after the first refetch that fails, milliseconds; doubles up to `LONGEST_WAIT`. */
const FIRST_RETRY = 500;

/**
 * Refetches what is out of date until all of it has come.
 * @param {HTMLElement} root
 */
export async function resync(root) {
  const memory = memoryOf(root);
  memory.resyncing = true;
  for (let wait = FIRST_RETRY; memory.missing && root.isConnected && list(root); wait = Math.min(wait * 2, LONGEST_WAIT)) {
    const { missing: what, must } = memory;
    Object.assign(memory, { missing: 0, must: false });
    // Indexed by `SELECTION`, `ROWS` and `COMPONENT`.
    const refetch = /** @type {(root: HTMLElement, must?: boolean) => Promise<unknown>} */ ([null, settleSelection, refetchWindow, refetchComponent][what]);
    // A refetch that throws counts as failed and is retried.
    if (await refetch(root, must).catch(console.error)) continue;
    memory.must ||= must;
    requestResync(root, what);
    await delay(wait);
  }
  memory.resyncing = false;
  showLive(root);
}

/**
 * Refetches the component around the list, with the viewer's current rights, and then the window.
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
 * Refetches the loaded range of the list. During an interaction rows are only updated in place, unless `must`.
 * @param {HTMLElement} root
 * @param {boolean} [must]
 */
async function refetchWindow(root, must) {
  // Wait for a pending jump: this request would abort it, and must refetch the window it leads to.
  await memoryOf(root).going?.catch(() => {});
  const rows = rowsOf(root);
  // While the host hides the list no row is visible: the list is refetched around its first row, and keeps what it has loaded.
  const anchorOrder = (anchorRowOf(root) ?? rows[0])?.dataset.order;
  const from = sentinelOf(root, 'previous') ? `from=${rows[0]?.dataset.order}&` : '';
  const until = rows[FULL_PAGE] || sentinelOf(root, 'next') ? rows.at(-1)?.dataset.order : '~';
  const shown = await show(root, [anchorOrder ? `${from}until=${until}` : ''], must, { anchorOrder });
  return shown && settleSelection(root);
}

/**
 * Deselects people who are no longer members. False when the service did not answer.
 * @param {HTMLElement} root
 */
async function settleSelection(root) {
  return (await checkSelection?.(root)) !== false;
}

/**
 * Fetches and shows the window around a place.
 * @param {HTMLElement} root
 * @param {string} order
 * @param {boolean} [must]
 */
export function showAround(root, order, must) {
  return (memoryOf(root).going = show(root, [`before=${order}`, `from=${order}`], must));
}

/**
 * Fetches the consecutive parts of a window and shows them. During an interaction rows are only updated in place, unless `must`. If the
 * window ends before the place `anchorOrder`, the window around it is fetched instead. With `isWanted`, the active row is not kept. False
 * when a fetch failed; undefined, and nothing is shown, when it is not wanted any more.
 * @param {HTMLElement} root
 * @param {string[]} queries
 * @param {boolean} [must]
 * @param {{ anchorOrder?: string, isWanted?: () => boolean }} [options]
 * @returns {Promise<boolean | undefined>}
 */
async function show(root, queries, must, { anchorOrder, isWanted } = {}) {
  const request = beginRequest(root);
  const rows = list(root);
  /** @type {Page[]} */
  const parts = [];
  /** @type {string | undefined} */
  let oldest;
  let isShort = true;
  // The request must end also when this throws: until then the journal keeps every message.
  try {
    for (const query of queries) {
      const answer = await getRows(root, rows, query);
      if (isWanted?.() === false) return;
      // True when another list has replaced this one: nothing of it is left to refetch.
      if (answer?.status !== 200) return rows !== list(root);
      oldest = oldest && isOlder(oldest, answer.id) ? oldest : answer.id;
      parts.push(readRows(root, answer.text));
    }
    const items = parts.flatMap((part) => part.items);
    const ends = { previous: parts[0].previous, next: /** @type {Page} */ (parts.at(-1)).next };
    isShort = /** @type {string} */ (ends.next) < /** @type {string} */ (anchorOrder);
    withScrollAnchor(root, () => {
      if (!must && isInteracting(root)) {
        paint(root, items);
        for (const row of rowsOf(root))
          if (isBetween(row.dataset.order, ends.previous, ends.next) && !items.some(({ id }) => id === row.id)) paintLeaving(root, row);
        keepDeferred(root);
      } else if (!isShort) replace(root, items, ends, isWanted);
      settleHeadings(root);
    });
    // Many rows may have been added between those that were loaded.
    trim(root);
  } finally {
    endRequest(root, request, !isShort && oldest);
  }
  // So many rows were added before the anchor that it lies beyond this window.
  if (isShort) return showAround(root, /** @type {string} */ (anchorOrder), must);
  return true;
}

/**
 * Replaces the rows of the list by those of the new window, in their order. Rows that stay keep their nodes.
 * @param {HTMLElement} root
 * @param {Item[]} items
 * @param {Record<Side, string | undefined>} ends
 * @param {unknown} [leaves]
 */
function replace(root, items, ends, leaves) {
  forgetDeferred(root);
  const [focused] = SIDES.filter((side) => setSentinel(root, side));
  const rows = list(root);
  const kept = new Map(items.map((item) => [item.id, item]));
  memoryOf(root).headings = {};
  // The pointer may rest on another row than the one with the focus.
  const active = leaves ? [] : [rows.querySelector(`${ROW}:focus-within`), activeRowOf(root)];
  for (const child of /** @type {Item[]} */ ([...rows.children])) {
    if (kept.has(child.id)) continue;
    if (!active.includes(child)) remove(root, child);
    else {
      // An active row that is not in the new window stays, in its place, until the interaction ends.
      child.dataset.gone = '';
      defer(root, child);
      kept.set(child.id, child);
    }
  }
  let cursor = rows.firstElementChild;
  for (const item of [...kept.values()].sort((a, b) => (a.dataset.order > b.dataset.order ? 1 : -1))) {
    const node = find(root, item) ?? item;
    if (node === item) adoptItem(root, item);
    else morph(root, node, item);
    if (node === cursor) cursor = cursor.nextElementSibling;
    else move(rows, node, cursor);
  }
  for (const side of SIDES) setSentinel(root, side, ends[side]);
  if (focused) focusSentinel(root, focused);
}

/**
 * Whether the last key that leads beyond an end of the window is still meant.
 * @type {() => boolean}
 */
let lastMeant;

/**
 * Moves the focus beyond an end of the window: to the adjacent row or, when `far`, to the first or last member of the whole list. Returns
 * the end; null when the list is loaded up to there, and the caller has to move the focus.
 * @param {HTMLElement} root
 * @param {Side} side
 * @param {boolean} far
 */
export function goToEnd(root, side, far) {
  const end = sentinelOf(root, side);
  // Of several keys the last one counts, and none when the person has gone on.
  const isMeant = (lastMeant = watchPress(root));
  const isWanted = () => isMeant === lastMeant && isMeant();
  if (end && far) {
    memoryOf(root).going = show(root, [side === 'previous' ? '' : 'before=end'], true, { isWanted }).then((shown) => {
      if (shown === false) fail(root, 0, () => goToEnd(root, side, far));
      if (!shown) return;
      showError(root);
      const row = rowsOf(root).at(side === 'next' ? -1 : 0);
      if (row) focusOn(root, row);
    });
  } else if (end) extend(root, end, isMeant);
  return end;
}
