// Type-ahead: letters lead to the next name that begins with them, in the list and in an open menu.

import { PREFIX, part } from '../component.js';
import { ROW, rowsOf } from '../rows.js';
import { focusOn } from '../tab_stop.js';

/** @import { KeyEvent } from '../keys.js' */

const TYPING_PAUSE = 500;

let [typed, typedAt] = ['', -Infinity];

/** What is typed next begins anew. */
export function endTyping() {
  typedAt = -Infinity;
}

/** @param {Event} event */
export const isTyping = ({ timeStamp }) => timeStamp - typedAt < TYPING_PAUSE;

/**
 * The index among things, from the one at `at`, to which a key leads by what is typed; undefined when it is no letter.
 * @param {KeyEvent} event
 * @param {Element[]} things
 * @param {number} at
 */
export function nameTyped(event, things, at) {
  const { key, timeStamp } = event;
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

/**
 * From the row that has the focus by now: this script may have come after the key.
 * @param {HTMLElement} root
 * @param {KeyEvent} event
 */
export function goToName(root, event) {
  const { activeElement } = root.getRootNode();
  if (!activeElement || !part(root, 'list')?.contains(activeElement)) return;
  const rows = rowsOf(root);
  const at = rows.indexOf(/** @type {Element} */ (activeElement.closest(ROW)));
  const row = rows[/** @type {number} */ (nameTyped(event, rows, at))];
  if (row) focusOn(root, row);
}

/** @param {Element} thing */
const nameIn = (thing) => (thing.querySelector(`.${PREFIX}__name`) ?? thing).textContent.trim();
/** @param {string} text */
const folded = (text) => text.toLocaleLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
