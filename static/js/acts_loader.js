// Fetches the script of acts (menus, dialogs, type-ahead, the selection, what is announced of others) when somebody first needs it:
// whoever reads a list in which nothing happens does not load it.

import { beginSelection } from './core/acts.js';
import { home } from './core/loader.js';
import { fail, LONGEST_REQUEST } from './server/requests.js';
import { shared } from './shared.js';
import { delay } from './core/wait.js';

/** @type {Promise<void> | null | undefined} */
let coming;
/** Gets longer with each failed try: Firefox remembers a failed address until the page is reloaded, so each try needs a new one. */
let query = '';

/** Fetches the script of acts, once; after a failure the next call tries again. */
export function fetchActs() {
  // Loaded from where this script was served, not from an address in the markup: a page may hold markup of strangers.
  // The wait is limited, because a fetch may never end; once for all who ask, since a wait keeps a timer and a listener.
  coming ??= Promise.race([
    import(home + ACTS_FILE + query)
      .then((acts) => acts.default(shared()))
      .catch(() => {
        query += '?';
        coming = null;
      }),
    delay(LONGEST_REQUEST),
  ]);
  return coming;
}

/**
 * Fetches the script of acts and starts the selection, which takes over the boxes that are ticked already. A failure is shown
 * with a button to try again.
 * @param {HTMLElement} root
 */
export async function bringSelection(root) {
  await fetchActs();
  if (beginSelection) beginSelection(root);
  else fail(root, 0, () => bringSelection(root));
}
