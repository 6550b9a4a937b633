// Handles clicks in a component.

import { choose, openMenuOf } from './core/acts.js';
import { fetchActs } from './acts_loader.js';
import { emit, PREFIX, rootOf } from './core/component.js';
import { applyDeferred } from './list/deferred_changes.js';
import { selectedText } from './input/interaction.js';
import { watchPress } from './input/press.js';
import { fail } from './server/requests.js';
import { boxOf, focusList, memberOf, ROW } from './core/rows.js';
import { clearSearch, filterPressed } from './list/search.js';
import { extend } from './list/window.js';

/**
 * Does what a click in a component asks for.
 * @param {From<MouseEvent>} event
 */
export function clicked(event) {
  const { target } = event;
  const root = rootOf(target);
  if (!root || event.defaultPrevented) return;
  /** @param {string} selector */
  const on = (selector) => /** @type {HTMLAnchorElement} */ (target.closest(selector));
  const row = on(ROW);
  if (on(`.${PREFIX}__select`)) return choose?.(root, row, event.shiftKey);
  if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && !(row && boxOf(row)))) return;
  if (on(`.${PREFIX}__more`)) askMenu(event, root, on(`.${PREFIX}__more`));
  else if (on(`.${PREFIX}__filters a`)) filterPressed(event, root, on('a').dataset.filter);
  else if (on(`.${PREFIX}__empty a`)) clearSearch(event, root);
  else if (on(`.${PREFIX}__previous, .${PREFIX}__next`)) {
    event.preventDefault();
    extend(root, on('li'));
  } else if (on(`.${PREFIX}__held button`)) {
    applyDeferred(root, true);
    // The pill disappears, and would lose the focus.
    focusList(root);
    // A drag that has marked text is no press on a row; a key is one, whatever is marked.
  } else if (row && !on('a[href], button, input, label') && !(event.detail && selectedText())) {
    emit(root, 'item-click', { member: memberOf(row) });
    choose?.(root, row, event.shiftKey);
  }
}

/**
 * @param {MouseEvent} event
 * @param {HTMLElement} root
 * @param {HTMLAnchorElement} button
 */
async function askMenu(event, root, button) {
  event.preventDefault();
  if (button.ariaDisabled) return;
  const isMeant = watchPress(root);
  button.ariaBusy = 'true';
  await fetchActs();
  button.ariaBusy = null;
  if (!isMeant()) return;
  if (openMenuOf) openMenuOf(root, button);
  else fail(root, 0, () => button.click());
}
