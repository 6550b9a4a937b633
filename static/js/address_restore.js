// Restores what the address of our own page describes: the view, the place in the list, the open menu.

import { list, memoryOf, PREFIX, part, roots, view, withQuery } from './core/component.js';
import { keepAddress } from './page/address.js';
import { anchorRowOf, scrollBy, scrollerOf } from './list/scroll_anchor.js';
import { showAround } from './list/refetch.js';
import { buttonOf, isInWindow, rowsOf, topOf } from './core/rows.js';
import { runSearch } from './list/search.js';

/** @import { Member } from './core/rows.js' */

/** What a person does on a page: from then on the list is where they want it. */
const ACTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
let hasActed = false;

/** Makes the page's address and history lead back to the place in the list, to the search and to the filter. */
export function restorePlaces() {
  for (const type of ACTS) document.addEventListener(type, () => (hasActed = true), { capture: true, passive: true, once: true });
  addEventListener('popstate', wentBack);
  matchMedia(LOW).addEventListener('change', turned);
  document.addEventListener(
    'scroll',
    () => {
      clearTimeout(placeTimer);
      placeTimer = setTimeout(keepPlace, 200);
    },
    { capture: true, passive: true },
  );
  document.addEventListener(`${PREFIX}:load`, openNamed);
  document.addEventListener(`${PREFIX}:item-click`, memberPressed);
}

function wentBack() {
  const query = new URLSearchParams(location.search);
  for (const root of roots) {
    const box = part(root, 'q');
    if (box) box.value = query.get('searchKeyword') ?? '';
    memoryOf(root).filter = query.get('filter') ?? '';
    runSearch(root, true);
  }
}

/**
 * Timer that stores the place shortly after the last scroll: what is written while a page unloads is lost when it is reloaded.
 * @type {number}
 */
let placeTimer;

function keepPlace() {
  for (const root of roots) {
    const anchor = list(root) && anchorRowOf(root);
    if (anchor) history.replaceState({ order: anchor.dataset.order, top: topOf(anchor) }, '');
  }
}

/**
 * Scrolls the row with this key, or the next one, to its place on the screen.
 * @param {HTMLElement} root
 * @param {string} order
 * @param {number} top
 */
function returnTo(root, order, top) {
  const anchor = rowsOf(root).find((row) => row.dataset.order >= order);
  if (anchor) scrollBy(scrollerOf(root), topOf(anchor) - top);
}

/** In a window this low another box scrolls (css/media.css), which begins at its top. */
const LOW = '(height < 420px)';

/** Keeps the place in the list when a phone is turned, or a page zoomed. */
function turned() {
  const { order, top } = history.state ?? {};
  // Half of a low window may be taken by a bar.
  for (const root of roots) if (order && list(root)) returnTo(root, order, Math.min(top, innerHeight / 4));
}

/** Whether the first list of this page has come. */
let isOpened = false;

/**
 * Returns to the place in the list where the page was left, unless the person has done something meanwhile; else opens the menu of the
 * member whom the address names.
 * @param {From<Event>} event
 */
async function openNamed({ target: root }) {
  // A list that is loaded later, for example after a removed viewer has returned, has no open menu: the address is updated to that.
  if (isOpened) return keepAddress(root);
  isOpened = true;
  const { order, top } = history.state ?? {};
  if (order) {
    if (hasActed) return;
    if (!isInWindow(root, order)) await showAround(root, order, true);
    if (hasActed) return;
    returnTo(root, order, top);
    return;
  }
  const uid = new URLSearchParams(location.search).get('member');
  const row = document.getElementById(`${root.id}-m-${uid}`);
  row?.scrollIntoView({ block: 'center' });
  if (row) buttonOf(row)?.click();
}

/**
 * Opens the page of the member who was pressed, unless the list is for selecting.
 * @param {From<CustomEvent<{ member: Member }>>} event
 */
function memberPressed({ target, detail, defaultPrevented }) {
  if (defaultPrevented || part(target, 'selection')) return;
  location.assign(withQuery(`${target.dataset.href}/${detail.member.uid}`, view(target).dataset.query));
}
