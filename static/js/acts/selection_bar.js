// The selection bar: how many people are selected, the acts on all of them, and the form that sends them.

import { memoryOf, PREFIX, part, rootOf, word } from '../core/component.js';
import { showError } from '../server/requests.js';
import { memberOf } from '../core/rows.js';
import { askBatch } from './batch.js';
import { checkSelection, clearSelection, membersBetween, setSelected, showCount, showLimit } from './selection.js';
import { forThisView } from './sending.js';

/**
 * Sets up the selection of a component: its form, and the functions for scripts of the host.
 * @param {HTMLElement} root
 */
export function beginSelection(root) {
  const { selected } = memoryOf(root);
  const clear = () => clearSelection(root);
  // For scripts of the host. `select` ignores the uids of people whose rows are not loaded.
  root.chatGroupMembers = {
    selected: () => [...selected.values()],
    select: (uid) => setSelected(root, uid, true),
    deselect: (uid) => setSelected(root, uid, false),
    clearSelection: clear,
  };
  const form = part(root, 'selection');
  // Clears the error of an earlier attempt to load this script.
  showError(root);
  form.addEventListener('reset', clear);
  // The form sends everybody who is selected, whether their rows are loaded or not.
  form.addEventListener('formdata', ({ formData }) => {
    formData.delete('uid');
    for (const uid of selected.keys()) formData.append('uid', uid);
  });
  // The page that answers the form links back to the view that is shown now.
  form.addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
    const button = /** @type {HTMLButtonElement} */ (event.submitter);
    if (button?.name === 'act') {
      event.preventDefault();
      return askBatch(root, button);
    }
    form.action = forThisView(root, form.action);
  });
  form.addEventListener('click', ({ target }) => /** @type {Element} */ (target).closest('button[data-select-all]') && selectAll(root));
  showSelectAll(form);
  // Takes over the boxes that are ticked already: those of selected people without a row, listed in the form, then those of rows.
  for (const label of form.querySelectorAll('label')) setSelected(root, label.dataset.uid, true, memberOf(label));
  form.querySelector('details')?.remove();
  for (const { value } of /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll(`.${PREFIX}__select:checked`))) setSelected(root, value, true);
  showCount(root);
}

/**
 * Shows the button that selects all; it is hidden at first because it does nothing without this script.
 * @param {HTMLFormElement} form
 */
function showSelectAll(form) {
  const all = /** @type {HTMLButtonElement | null} */ (form.querySelector('[data-select-all]'));
  if (all) all.hidden = false;
}

/**
 * Selects everybody who matches the search and the filters, up to the limit; says so when there are more.
 * @param {HTMLElement} root
 */
async function selectAll(root) {
  const members = await membersBetween(root, '0', '~');
  // Nobody matches, or the request failed, which the error place says.
  if (!members.length) return;
  for (const member of members) setSelected(root, member.uid, true, member);
  checkSelection(root);
  const all = Number(root.dataset.count);
  if (members.length >= all) return;
  const number = new Intl.NumberFormat(root.lang);
  const first = members.filter(({ uid }) => memoryOf(root).selected.has(uid)).length;
  showLimit(root, word(root, 'selection-first').replace('{n}', number.format(first)).replace('{all}', number.format(all)));
}

/** @param {Element} form */
const groupsIn = (form) => [...form.querySelectorAll(`.${PREFIX}__buttons`)];
/** @param {Element} form */
const actsIn = (form) => [.../** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll('[name="act"]'))].map(({ value }) => value).join();

/**
 * When a refetched component is morphed in, the bar and the selection stay; the buttons are replaced if the viewer's acts changed.
 * @param {Element} node
 * @param {{ newNode: Element }} detail
 */
function beforeMorphNode(node, { newNode }) {
  const root = rootOf(node);
  if (!root || root !== node) return;
  const [form, newForm] = [part(root, 'selection'), newNode.querySelector(`.${PREFIX}__selection`)];
  if (!form || !newForm || actsIn(form) === actsIn(newForm)) return;
  const hadFocus = form.matches(':focus-within');
  for (const group of groupsIn(form)) group.remove();
  form.append(...groupsIn(newForm));
  showSelectAll(form);
  if (hadFocus) /** @type {HTMLElement} */ (form.querySelector('button:not([hidden])')).focus({ preventScroll: true });
}

/** What the selection bar does when htmx morphs its component. */
export const barHooks = { htmx_before_morph_node: beforeMorphNode };
