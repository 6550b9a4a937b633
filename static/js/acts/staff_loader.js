// Fetches the script of staff (the undo bar, acts on many people, the end of an act) once somebody on the page is more than a
// participant. Its function is undefined until then: callers check first.

import { create, memoryOf, PREFIX, part, rootOf, say, word } from '../core/component.js';
import { listen } from '../core/listen.js';
import { htmx } from '../core/loader.js';
import { focusList } from '../core/rows.js';
import { watchPress } from '../input/press.js';
import { withScrollAnchor } from '../list/scroll_anchor.js';
import { INSTRUCTIONS } from '../live/instructions.js';
import { get, showError, wentWell } from '../server/requests.js';
import { open } from './menu.js';
import { ensureChecked, membersBetween, setSelected, showLimit } from './selection.js';
import { forThisView } from './view_address.js';

/** @type {typeof import('../staff/undo.js').undoEnded | undefined} */
export let undoEnded;

/**
 * Sets the function above. Called by the script of staff when it has been loaded.
 * @param {typeof undoEnded} ended
 */
export const provideStaff = (ended) => {
  undoEnded = ended;
};

/** The parts of both other scripts that the script of staff uses, by position, as in shared.js. */
// biome-ignore format: one list
export const sharedWithStaff = () => [
  INSTRUCTIONS, PREFIX, create, ensureChecked, focusList, forThisView, get, htmx, listen, membersBetween, memoryOf, open, part, provideStaff, rootOf,
  say, setSelected, showError, showLimit, watchPress, wentWell, withScrollAnchor, word,
];

/** @type {Promise<void> | undefined} */
let coming;
/** Gets longer with each failed try, as in acts_loader.js. */
let query = '';

/** Fetches the script of staff, once; after a failure the next call tries again. */
export function fetchStaff() {
  coming ??= import(new URL(STAFF_FILE + query, import.meta.url).href)
    .then((staff) => staff.default(sharedWithStaff()))
    .catch(() => {
      query += '?';
      coming = undefined;
    });
  return coming;
}

/**
 * Fetches the script of staff when the viewer of a component around or in this element is more than a participant.
 * @param {Element} element
 */
export function fetchForStaff(element) {
  const components = [rootOf(element), .../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(`section.${PREFIX}`))];
  if (components.some((root) => root?.dataset.scope && root.dataset.scope !== 'participant')) return fetchStaff();
}
