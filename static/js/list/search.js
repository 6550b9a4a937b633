// Searching and filtering, which replace the view of the list by another. The latest request wins, and is retried when
// it failed. Without this script the box is a form, and each filter a link.

import { keepAddress } from '#page';
import { memoryOf, part, rootOf, say, view, withQuery } from '../core/component.js';
import { withScrollAnchor } from './scroll_anchor.js';
import { htmx } from '../core/loader.js';
import { get, LONGEST_REQUEST, wentWell } from '../server/requests.js';
import { showLive } from '../server/resync.js';

/** @import { Memory } from '../core/component.js' */
/** @import { Answer } from '../server/requests.js' */

/** The search starts this long after the last letter, milliseconds. */
const TYPING = 250;

/**
 * Searches when the person pauses in typing.
 * @param {InputEvent} event
 */
export function searchTyped(event) {
  const root = rootOf(event.target);
  if (!root || event.target !== part(root, 'q')) return;
  const memory = memoryOf(root);
  clearTimeout(memory.typing);
  // A composition by an input method is searched for when it is complete, not before.
  memory.composing = event.isComposing;
  if (!memory.composing) memory.typing = setTimeout(runSearch, TYPING, root);
}

/**
 * Searches at once when the form of the search is sent.
 * @param {SubmitEvent} event
 */
export function submitted(event) {
  const root = rootOf(event.target);
  if (!root || event.target !== part(root, 'search')) return;
  event.preventDefault();
  runSearch(root);
}

/**
 * Shows the list that a filter leads to.
 * @param {Event} event
 * @param {HTMLElement} root
 * @param {string | undefined} filter
 */
export function filterPressed(event, root, filter) {
  event.preventDefault();
  memoryOf(root).filter = filter;
  runSearch(root);
}

/**
 * Ends the search and the filter, from the link in an empty list.
 * @param {Event} event
 * @param {HTMLElement} root
 */
export function clearSearch(event, root) {
  const box = part(root, 'q');
  if (box) box.value = '';
  filterPressed(event, root, '');
}

/**
 * The query of the view that is wanted: that of the present view, with the text of the search box and the filter pressed last.
 * @param {HTMLElement} root
 */
function wantedQuery(root) {
  const query = new URLSearchParams(view(root).dataset.query);
  const { filter } = memoryOf(root);
  const box = part(root, 'q');
  // The default value is set too: on a page that WebKit restores from its cache, a box with `autocomplete=off` is reset to it.
  if (box) query.set('searchKeyword', (box.defaultValue = box.value.trim()));
  if (filter !== undefined) query.set('filter', filter);
  return query;
}

/**
 * Repeats a search that failed, once the service can be reached.
 * @param {HTMLElement} root
 */
export function retrySearch(root) {
  const { composing, lastSearch, liveState } = memoryOf(root);
  if (liveState === 'on' && lastSearch?.failed && !composing) runSearch(root);
}

/**
 * Fetches and shows the view that is wanted. With `back`, it comes from the address, which gets no new history entry.
 * @param {HTMLElement} root
 * @param {boolean} [back]
 */
export async function runSearch(root, back) {
  const memory = memoryOf(root);
  clearTimeout(memory.typing);
  if (!view(root)) return;
  const query = wantedQuery(root);
  /** @type {Memory['lastSearch']} */
  const search = (memory.lastSearch = { failed: false });
  view(root).classList.add('htmx-request');
  // The source is an element without content, because `get` sets `hx-sync` on it: on the root, the stream and the acts inside could
  // inherit that.
  const answer = /** @type {Answer} */ (await get(root, part(root, 'ended'), withQuery(root.dataset.href, query, 'part=view&markup=lean')));
  // The script of acts takes over the ticked boxes before their rows are replaced.
  await memory.selecting;
  if (memory.lastSearch !== search || !view(root)) return;
  withScrollAnchor(root, () => view(root).classList.remove('htmx-request'));
  const isWell = wentWell(root, answer, () => runSearch(root));
  // A refusal by the service itself is not retried, because it would be the same again.
  search.failed = !isWell && !answer.ours;
  showLive(root);
  if (search.failed) setTimeout(retrySearch, LONGEST_REQUEST, root);
  if (!isWell) return;
  memory.lastSearch = null;
  memory.hadFocus = view(root).matches(':focus-within');
  // `settle:0`, because the focus would be lost in a pause between the two lists.
  await htmx.swap({ root, sourceElement: root, target: view(root), text: answer.text, swap: 'outerHTML settle:0' });
  root.dataset.count = view(root).dataset.count;
  memory.hadFocus = false;
  const empty = part(root, 'empty')?.querySelector('strong, div');
  say(root, (empty ?? part(root, 'found') ?? part(root, 'totals'))?.textContent ?? '');
  keepAddress(root, null, !back);
}
