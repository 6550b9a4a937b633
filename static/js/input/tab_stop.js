// The list is one stop of the Tab key (a roving tabindex): the row or control that had the focus last.

import { closeStrayMenu, showSelected } from '../core/acts.js';
import { list, memoryOf, rootOf } from '../core/component.js';
import { dress, ROW } from '../core/rows.js';

/** @import { Item } from '../core/rows.js' */

/** Matches what can be pressed in a row. */
export const CONTROL = 'a[href], button, [type="checkbox"], [type="radio"]';

/**
 * Takes the controls of an item that came or changed out of the order of the Tab key, except the one that is the list's stop.
 * @param {HTMLElement} root
 * @param {Item} item
 */
export function adoptItem(root, item) {
  const memory = memoryOf(root);
  for (const control of item.querySelectorAll(CONTROL)) if (control !== memory.stop) control.tabIndex = -1;
  // In a restored copy of a page, a row may still have the attribute of a former stop.
  if (item !== memory.stop) item.removeAttribute('tabindex');
  closeStrayMenu?.(root);
  showSelected?.(root, item);
  if (item.dataset.uid && !list(root).contains(memory.stop)) setTabStop(root, item);
}

/**
 * Adopts all items of a list that has come.
 * @param {HTMLElement} root
 */
export function adoptItems(root) {
  // Firefox makes every scrollable box a stop of the Tab key.
  /** @type {HTMLElement} */ (list(root).parentElement).tabIndex = -1;
  for (const item of list(root).children) adoptItem(root, item.dataset.uid || item.dataset.heading ? dress(root, item) : item);
}

/**
 * Makes a row or control the list's stop.
 * @param {HTMLElement} root
 * @param {Element} control
 */
export function setTabStop(root, control) {
  const memory = memoryOf(root);
  const { stop } = memory;
  if (stop === control) return;
  // Without the attribute, a row that is not the stop does not get the focus by the mouse either.
  if (stop?.matches('li')) stop.removeAttribute('tabindex');
  else if (stop) stop.tabIndex = -1;
  memory.stop = control;
  control.tabIndex = 0;
}

/**
 * Makes a row or control the list's stop, and gives it the focus.
 * @param {HTMLElement} root
 * @param {Element} control
 */
export function focusOn(root, control) {
  setTabStop(root, control);
  control.focus();
}

/**
 * Whether an element can be the list's stop.
 * @param {HTMLElement | null} root
 * @param {Element} target
 */
export const isTabStop = (root, target) => root && list(root)?.contains(target) && target.matches(`${CONTROL}, ${ROW}`);

/**
 * Makes what has got the focus the list's stop.
 * @param {From<FocusEvent>} event
 */
export function focused({ target }) {
  const root = /** @type {HTMLElement} */ (rootOf(target));
  if (isTabStop(root, target)) setTabStop(root, target);
}
