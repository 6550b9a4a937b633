// The keyboard. The list is one stop of the Tab key, see tab_stop.js; inside it arrows lead from row to row and between a
// row and its controls, and typing leads to a name. Without this script every control is a stop.

import { choose, entryFor } from './acts.js';
import { PREFIX, part } from './component.js';
import { goToEnd } from './refetch.js';
import { boxOf, buttonOf, rowsOf } from './rows.js';
import { CONTROL, isTabStop, setTabStop } from './tab_stop.js';

/**
 * A key, or a context menu that is asked for: only that has a `button`.
 * @typedef {KeyboardEvent & { target: HTMLElement & { value?: string }, currentTarget: HTMLElement, button?: number }} KeyEvent
 */

const PAGE_OF_KEYS = 10;
const TYPING_PAUSE = 500;

let [typed, typedAt] = ['', -Infinity];

/**
 * On the root and not on the document: a host's dialog around the list hears Escape after us.
 * @param {HTMLElement} root
 */
export function listenForKeys(root) {
  root.addEventListener('keydown', keyPressed);
  root.addEventListener('contextmenu', menuAsked);
}

/** @param {KeyEvent} event */
function keyPressed(event) {
  const { target, key, currentTarget: root } = event;
  // While somebody composes, keys belong to the input method; 229 is how some browsers say so.
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
  const menu = target.closest(`.${PREFIX}__menu`);
  if (key === 'Escape' && (menu ?? target.closest(`.${PREFIX}__dialog`))) event.stopPropagation();
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
function menuAsked(event) {
  const { target, currentTarget: root, button } = event;
  const hasFocus = root.getRootNode().activeElement === target && isTabStop(root, target);
  const opener = hasFocus && button !== 2 && buttonOf(/** @type {Element} */ (target.closest('li')));
  if (!opener) return;
  event.preventDefault();
  // What is typed in the menu begins anew.
  typedAt = -Infinity;
  opener.click();
}

/**
 * Where a key leads to from a row or a control in it.
 * @param {KeyEvent} event
 * @param {HTMLElement} root
 */
function fromRow(event, root) {
  const { target, key } = event;
  const row = /** @type {Element} */ (target.closest('li'));
  /** @param {string} name */
  const is = (name) => target.matches(`.${PREFIX}__${name}`);
  const isSpace = key === ' ' && !isTyping(event);
  if (isSpace && is('row')) {
    if (boxOf(row)) choose?.(root, row, event.shiftKey);
    return row;
  }
  if (key === 'Enter' ? is('row') || is('select') : isSpace && is('more')) {
    event.preventDefault();
    target.click();
    return;
  }
  // No arrow is left to a radio button, which has arrow keys of its own.
  const side = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (side) {
    const stops = [row, ...row.querySelectorAll(CONTROL)];
    return stops[stops.indexOf(target) + (getComputedStyle(row).direction === 'rtl' ? -side : side)] ?? target;
  }
  const rows = rowsOf(root);
  const end = rows.length;
  const outside = row.previousElementSibling ? end : -1;
  const place = /** @type {number} */ (placeOf(event, rows, row.dataset.uid ? rows.indexOf(row) : outside));
  // The true first and last member, and what lies beyond the window, are fetched: the focus goes there then.
  const beyond = { Home: 'first', End: 'last' }[key] ?? (place < 0 ? 'previous' : place >= end && 'next');
  if (beyond && goToEnd(root, beyond)) {
    event.preventDefault();
    return;
  }
  return rows[place] ?? (beyond && target !== row && row);
}

/** @param {Event} event */
const isTyping = ({ timeStamp }) => timeStamp - typedAt < TYPING_PAUSE;

/**
 * The index that a key leads to among things, from the one at `at`; undefined when it leads nowhere.
 * @param {KeyEvent} event
 * @param {Element[]} things
 * @param {number} at
 * @returns {number | undefined}
 */
export function placeOf(event, things, at) {
  const { key, timeStamp } = event;
  const last = things.length - 1;
  /** @type {Record<string, number>} */
  const places = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: Math.min(at + PAGE_OF_KEYS, last),
    PageUp: Math.max(at - PAGE_OF_KEYS, 0),
    Home: 0,
    End: last,
  };
  if (key in places) return places[key];
  const goesOn = isTyping(event);
  // The space is a press, unless it stands in a name.
  if (key.length > 1 || (key === ' ' && !goesOn)) return;
  typed = goesOn ? typed + key : key;
  typedAt = timeStamp;
  const from = goesOn ? at : at + 1;
  /** @param {number} index */
  const begins = (index) => folded(nameIn(things[index])).startsWith(folded(typed));
  return [...things.keys()].map((index) => (index + from) % things.length).find(begins) ?? at;
}

/** @param {Element} thing */
const nameIn = (thing) => (thing.querySelector(`.${PREFIX}__name`) ?? thing).textContent.trim();
/** @param {string} text */
const folded = (text) => text.toLocaleLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
