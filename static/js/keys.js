// The keyboard. The list is one stop of the Tab key, see input/tab_stop.js. Inside it, arrow keys lead from row to row and between a
// row and its controls, and typing leads to a name (acts/type_ahead.js). Without this script every control is a stop.

import { choose, entryFor, fetchActs, goToName, isTyping } from './core/acts.js';
import { isMenuOpen, PREFIX, part } from './core/component.js';
import { goToEnd } from './list/refetch.js';
import { buttonOf, rowsOf } from './core/rows.js';
import { CONTROL, isTabStop, setTabStop } from './input/tab_stop.js';

/**
 * A `keydown` event, or a `contextmenu` event, which alone has a `button`.
 * @typedef {KeyboardEvent & { target: HTMLElement & { value?: string }, currentTarget: HTMLElement, button?: number }} KeyEvent
 */

/** The number of rows that Page Up and Page Down move by. */
const PAGE_OF_KEYS = 10;

/**
 * Does what a key asks for in a component.
 * @param {KeyEvent} event
 */
export function keyPressed(event) {
  const { target, key, currentTarget: root } = event;
  // During a composition, keys belong to the input method; some browsers only report that by the key code 229.
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
  const menu = target.closest(`.${PREFIX}__menu`);
  if (key === 'Escape' && (isMenuOpen(root) || target.closest(`.${PREFIX}__dialog`))) event.stopPropagation();
  if (event.altKey && key === 'Enter') menuAsked(event);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  let to;
  if (menu) to = entryFor(event, menu);
  else if (target === part(root, 'q')) {
    if (key !== 'Escape' || !target.value) return;
    event.stopPropagation();
    target.value = '';
    target.dispatchEvent(new Event('input', { bubbles: true }));
    to = target;
  } else if (isTabStop(root, target)) to = fromRow(event, root);
  if (!to) return;
  event.preventDefault();
  if (isTabStop(root, to)) setTabStop(root, to);
  to.focus();
}

/**
 * Opens the menu of the row with the focus: by Alt+Enter, or by the system's own key for context menus.
 * @param {KeyEvent} event
 */
export function menuAsked(event) {
  const { target, currentTarget: root, button } = event;
  const hasFocus = root.getRootNode().activeElement === target && isTabStop(root, target);
  const opener = hasFocus && button !== 2 && buttonOf(/** @type {Element} */ (target.closest('li')));
  if (!opener) return;
  event.preventDefault();
  opener.click();
}

/**
 * The element that a key moves the focus to from a row, or from a control in it.
 * @param {KeyEvent} event
 * @param {HTMLElement} root
 */
function fromRow(event, root) {
  const { target, key } = event;
  const row = /** @type {Element} */ (target.closest('li'));
  /** @param {string} name */
  const is = (name) => target.matches(`.${PREFIX}__${name}`);
  const isSpace = key === ' ' && !isTyping?.(event);
  if (isSpace && is('row')) {
    choose?.(root, row, event.shiftKey);
    return row;
  }
  if (key === 'Enter' ? is('row') || is('select') : isSpace && is('more')) {
    event.preventDefault();
    target.click();
    return;
  }
  if (key.length < 2 && !isSpace) {
    fetchActs().then(() => goToName?.(root, event));
    return target;
  }
  // At an end the target itself is the answer, so that a radio button does not use the arrow key by itself.
  const side = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (side) {
    const stops = [row, ...row.querySelectorAll(CONTROL)];
    return stops[stops.indexOf(target) + (getComputedStyle(row).direction === 'rtl' ? -side : side)] ?? target;
  }
  const rows = rowsOf(root);
  const end = rows.length;
  const outside = row.previousElementSibling ? end : -1;
  const place = /** @type {number} */ (placeOf(event, rows, row.dataset.uid ? rows.indexOf(row) : outside));
  // Home and End lead to the true first and last member, and other keys beyond the loaded window: those rows are fetched, and
  // the focus moves when they come.
  const beyond = key === 'Home' || place < 0 ? 'previous' : (key === 'End' || place >= end) && 'next';
  if (beyond && goToEnd(root, beyond, place in rows)) return target;
  return rows[place] ?? (beyond && target !== row && row);
}

/**
 * The index among `things` that a key leads to from `at`, which may lie outside of them; undefined for a key that does not move.
 * @param {KeyEvent} event
 * @param {Element[]} things
 * @param {number} at
 * @returns {number | undefined}
 */
export function placeOf({ key }, things, at) {
  const last = things.length - 1;
  return {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: Math.min(at + PAGE_OF_KEYS, last),
    PageUp: Math.max(at - PAGE_OF_KEYS, 0),
    Home: 0,
    End: last,
  }[key];
}
