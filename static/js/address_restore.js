// Restores what the address of our own page describes: the view, the place in the list, the open menu.

import { list, memoryOf, PREFIX, part, roots, view, withQuery } from './component.js';
import { anchorRowOf, scrollBy, scrollerOf } from './scroll_anchor.js';
import { showAround } from './refetch.js';
import { buttonOf, isInWindow, rowsOf, topOf } from './rows.js';
import { runSearch } from './search.js';

/** @import { Member } from './rows.js' */

export function restorePlaces() {
  addEventListener('popstate', wentBack);
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
 * What is written while a page goes is lost when it is loaded again: hence a moment after each scroll.
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
 * The place that was looked at when the page was left; else the member whom the address names, with the menu open.
 * @param {From<Event>} event
 */
async function openNamed({ target: root }) {
  const { order, top } = history.state ?? {};
  if (order) {
    if (!isInWindow(root, order)) await showAround(root, order, true);
    const anchor = rowsOf(root).find((row) => row.dataset.order >= order);
    if (anchor) scrollBy(scrollerOf(root), topOf(anchor) - top);
    return;
  }
  const uid = new URLSearchParams(location.search).get('member');
  const row = document.getElementById(`${root.id}-m-${uid}`);
  row?.scrollIntoView({ block: 'center' });
  if (row) buttonOf(row)?.click();
}

/**
 * A press on somebody opens their page, unless it selects them, or marks text.
 * @param {From<CustomEvent<{ member: Member }>>} event
 */
function memberPressed({ target, detail, defaultPrevented }) {
  if (defaultPrevented || part(target, 'selection') || /** @type {Selection} */ (getSelection()).type === 'Range') return;
  location.assign(withQuery(`${target.dataset.href}/${detail.member.uid}`, view(target).dataset.query));
}
