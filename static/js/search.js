// Searching and filtering: the view of the list is replaced by another. The latest request wins, and is retried when
// it failed. Without this script the box is a form, and each filter a link.

import { keepAddress } from '#page';
import { memoryOf, part, rootOf, say, view, withQuery } from './component.js';
import { withScrollAnchor } from './scroll_anchor.js';
import { htmx } from './loader.js';
import { get, LONGEST_REQUEST, wentWell } from './requests.js';
import { showLive } from './resync.js';

/** @import { Memory } from './component.js' */
/** @import { Answer } from './requests.js' */

/** Letters that follow each other within so many milliseconds are one search. */
const TYPING = 250;

/** @param {InputEvent} event */
export function searchTyped(event) {
  const root = rootOf(event.target);
  if (!root || event.target !== part(root, 'q')) return;
  const memory = memoryOf(root);
  clearTimeout(memory.typing);
  // Half a syllable is no search: what is composed counts when it is done.
  memory.composing = event.isComposing;
  if (!memory.composing) memory.typing = setTimeout(runSearch, TYPING, root);
}

/** @param {SubmitEvent} event */
export function submitted(event) {
  const root = rootOf(event.target);
  if (!root || event.target !== part(root, 'search')) return;
  event.preventDefault();
  runSearch(root);
}

/**
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
 * From an empty list back to everybody.
 * @param {Event} event
 * @param {HTMLElement} root
 */
export function clearSearch(event, root) {
  const box = part(root, 'q');
  if (box) box.value = '';
  filterPressed(event, root, '');
}

/**
 * The view that somebody wants: as it is, with what stands in the box and the filter pressed last.
 * @param {HTMLElement} root
 */
function wantedQuery(root) {
  const query = new URLSearchParams(view(root).dataset.query);
  const { filter } = memoryOf(root);
  const box = part(root, 'q');
  // Its default value too: Back in WebKit puts a box with `autocomplete=off` back to that, on a page that the browser has kept.
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
 * Shows what is wanted. `back` when the address says it already.
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
  // From an element that has nothing inside: how the requests of the root wait for each other would hold for its stream and its acts too.
  const answer = /** @type {Answer} */ (await get(root, part(root, 'ended'), withQuery(root.dataset.href, query, 'part=view&markup=lean')));
  // The selection must not be lost with its rows.
  await memory.selecting;
  if (memory.lastSearch !== search || !view(root)) return;
  withScrollAnchor(root, () => view(root).classList.remove('htmx-request'));
  const isWell = wentWell(root, answer, () => runSearch(root));
  // The service's own refusal would be the same again.
  search.failed = !isWell && !answer.ours;
  showLive(root);
  if (search.failed) setTimeout(retrySearch, LONGEST_REQUEST, root);
  if (!isWell) return;
  memory.lastSearch = null;
  memory.hadFocus = view(root).matches(':focus-within');
  // Settles at once: between the two lists the focus would be lost.
  await htmx.swap({ root, sourceElement: root, target: view(root), text: answer.text, swap: 'outerHTML settle:0' });
  memory.hadFocus = false;
  root.dataset.count = view(root).dataset.count;
  const empty = part(root, 'empty')?.querySelector('strong, div');
  say(root, (empty ?? part(root, 'found') ?? part(root, 'totals'))?.textContent ?? '');
  keepAddress(root, null, !back);
}
