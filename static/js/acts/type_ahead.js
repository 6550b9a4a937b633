// Type-ahead: typed letters move the focus to the next name that begins with them, in the list and in an open menu.

import { PREFIX, part } from '../core/component.js';
import { ROW, rowsOf } from '../core/rows.js';
import { focusOn } from '../input/tab_stop.js';

/** @import { KeyEvent } from '../keys.js' */

/** Letters that follow each other faster than this make up one beginning of a name, milliseconds. */
const TYPING_PAUSE = 500;

let typed = '';
let typedAt = 0;
/**
 * What the letters have led to. When the focus is elsewhere, as after an arrow, the next key belongs to no name. A strong reference would keep
 * the whole list in memory.
 * @type {WeakRef<Element> | undefined}
 */
let reached;

/**
 * Whether an event is part of a name that is being typed: Space is a letter then. Its target cannot be used: the event may have waited for this
 * script, behind letters that have moved the focus since.
 * @param {Event} event
 */
export const isTyping = ({ timeStamp }) => timeStamp - typedAt < TYPING_PAUSE && reached?.deref()?.matches(':focus-within');

/**
 * The one of `things` whose name the typed letters lead to, searched from `at` on, and from the start after the end;
 * that at `at` when no name matches, undefined when the key is no character.
 * @template {Element} Thing
 * @param {KeyEvent} event
 * @param {Thing[]} things
 * @param {number} at
 */
export function nameTyped(event, things, at) {
  const { key, timeStamp } = event;
  const goesOn = isTyping(event);
  // A space presses the control, unless it continues a name.
  if (key.length > 1 || (key === ' ' && !goesOn)) return;
  typed = goesOn ? typed + key : key;
  typedAt = timeStamp;
  const from = goesOn && at >= 0 ? at : at + 1;
  /** @param {Element} thing */
  const begins = (thing) => folded(nameIn(thing)).startsWith(folded(typed));
  const thing = [...things.slice(from), ...things].find(begins) ?? things[at];
  reached = thing && new WeakRef(thing);
  return thing;
}

/**
 * Searches from the row that has the focus now, not from the key's target: this script may have been fetched in between.
 * @param {HTMLElement} root
 * @param {KeyEvent} event
 */
export function goToName(root, event) {
  const { activeElement } = root.getRootNode();
  if (!activeElement || !part(root, 'list')?.contains(activeElement)) return;
  const rows = rowsOf(root);
  const at = rows.indexOf(/** @type {Element} */ (activeElement.closest(ROW)));
  const row = nameTyped(event, rows, at);
  if (row) focusOn(root, row);
}

/** @param {Element} thing */
const nameIn = (thing) => (thing.querySelector(`.${PREFIX}__name`) ?? thing).textContent.trim();
/** @param {string} text */
const folded = (text) => text.toLocaleLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
