// Fetches the script of acts. What people act with (menus, dialogs, the selection) comes when somebody first
// needs it: whoever only reads does not load it.

import { beginSelection } from './acts.js';
import { withQuery } from './component.js';
import { fail, LONGEST_REQUEST } from './requests.js';
import { shared } from './shared.js';
import { delay } from './wait.js';

/** @type {Promise<void> | undefined} */
let coming;

/**
 * Fetches what people act with, once; what fails is tried again with the next press.
 * @param {HTMLElement} root
 */
export function fetchActs(root) {
  coming ??= import(withQuery(root.dataset.href.replace(/\/groups\/[^/]*\/\w+$/, ACTS_FILE))).then((acts) => acts.default(shared()));
  // An address that never answers is no better than one that cannot be reached.
  return Promise.race([coming.catch(() => (coming = undefined)), delay(LONGEST_REQUEST)]);
}

/**
 * What is ticked before selecting has come, it takes over.
 * @param {HTMLElement} root
 */
export async function bringSelection(root) {
  await fetchActs(root);
  if (beginSelection) beginSelection(root);
  else fail(root, 0, () => bringSelection(root));
}
