// Keeps the address of our own page in step with the screen: the view, and whose menu is open. Going back undoes a search or
// a filter (address_restore.js).

import { view } from '../core/component.js';

/**
 * Writes the present view, and the member whose menu is open, to the address. With `seen`, another filter, or the beginning or the
 * end of a search, is a new history entry; a changed search is not.
 * @param {HTMLElement} root
 * @param {string | null} [member]
 * @param {boolean} [seen]
 */
export function keepAddress(root, member, seen) {
  // Another component has taken its place, as when the viewer was put out while the answer to a search was on its way.
  if (!root.isConnected) return;
  const query = new URLSearchParams(view(root).dataset.query);
  const shown = new URLSearchParams(location.search);
  // Requests always name the language; the address names it only if it did before.
  if (!shown.has('lang')) query.delete('lang');
  if (member) query.set('member', member);
  const address = query.size ? `?${query}` : location.pathname;
  /** @param {string} name */
  const differs = (name) => query.get(name) !== shown.get(name);
  const isNew = differs('filter') || (differs('searchKeyword') && !(query.get('searchKeyword') && shown.get('searchKeyword')));
  // The list begins anew, so the place that was stored is none of its any more.
  history[seen && isNew ? 'pushState' : 'replaceState'](seen ? null : history.state, '', address);
}
