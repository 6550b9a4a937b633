// Fetches the script of acts (menus, dialogs, type-ahead, the selection) when somebody first needs it: people who only read do
// not load it.

import { beginSelection } from './acts.js';
import { home } from './loader.js';
import { fail, LONGEST_REQUEST } from './requests.js';
import { shared } from './shared.js';
import { delay } from './wait.js';

/** @type {Promise<void> | undefined} */
let coming;
/** Firefox remembers that an address failed until the page is loaded anew: each further try has one of its own. */
let query = '';

/** Fetches the script of acts, once; a failed fetch is tried again with the next press. */
export function fetchActs() {
  // Loaded from where this script came, not from where markup says that the service is: a page may hold markup of
  // strangers.
  coming ??= import(home + ACTS_FILE + query)
    .then((acts) => acts.default(shared()))
    .catch(() => {
      query += '?';
      coming = undefined;
    });
  // An address that never answers is no better than one that cannot be reached.
  return Promise.race([coming, delay(LONGEST_REQUEST)]);
}

/**
 * What is ticked before selecting has come, it takes over.
 * @param {HTMLElement} root
 */
export async function bringSelection(root) {
  await fetchActs();
  if (beginSelection) beginSelection(root);
  else fail(root, 0, () => bringSelection(root));
}
