// What staff can do in the selection bar: select all who match, and act on everybody who is selected.

import { ensureChecked, membersBetween, setSelected, showLimit } from '../acts/selection.js';
import { memoryOf, rootOf, word } from '../core/component.js';
import { listen } from '../core/listen.js';
import { askBatch } from './batch.js';

/**
 * Selects everybody who matches the search and the filters, up to the limit; says so when there are more.
 * @param {HTMLElement} root
 */
async function selectAll(root) {
  const members = await membersBetween(root, '0', '~');
  // Nobody matches, or the request failed, which the error place says.
  if (!members.length) return;
  for (const member of members) setSelected(root, member.uid, true, member);
  ensureChecked(root);
  const all = Number(root.dataset.count);
  if (members.length >= all) return;
  const number = new Intl.NumberFormat(root.lang);
  const first = members.filter(({ uid }) => memoryOf(root).selected.has(uid)).length;
  showLimit(root, word(root, 'selection-first').replace('{n}', number.format(first)).replace('{all}', number.format(all)));
}

/** @param {From<MouseEvent>} event */
function barClicked(event) {
  const { target } = event;
  const root = target.closest('button[data-select-all]') && rootOf(target);
  if (!root) return;
  event.preventDefault();
  selectAll(root);
}

/** @param {From<SubmitEvent>} event */
function barSubmitted(event) {
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  const root = button?.name === 'act' ? rootOf(button) : null;
  if (!button || !root) return;
  event.preventDefault();
  askBatch(root, button);
}

/** Begins to listen for presses of the bar's buttons that are for staff. Without this script those of acts lead to pages. */
export const listenForBar = () => listen({ click: barClicked, submit: barSubmitted });
