// The bar of a selection: how many are selected, what is done to all of them, and where they are sent.

import { memoryOf, PREFIX, part, rootOf, word } from '../component.js';
import { showError } from '../requests.js';
import { memberOf } from '../rows.js';
import { askBatch } from './batch.js';
import { checkSelection, clearSelection, membersBetween, setSelected, showCount, showLimit } from './selection.js';
import { forThisView } from './sending.js';

/** @param {HTMLElement} root */
export function beginSelection(root) {
  const { selected } = memoryOf(root);
  const clear = () => clearSelection(root);
  // For scripts of the host. Uids of people whose rows are not loaded are left alone.
  root.chatGroupMembers = {
    selected: () => [...selected.values()],
    select: (uid) => setSelected(root, uid, true),
    deselect: (uid) => setSelected(root, uid, false),
    clearSelection: clear,
  };
  const form = part(root, 'selection');
  // The script may have failed to load before.
  showError(root);
  form.addEventListener('reset', clear);
  // The form sends everybody who is selected, whether their rows are loaded or not.
  form.addEventListener('formdata', ({ formData }) => {
    formData.delete('uid');
    for (const uid of selected.keys()) formData.append('uid', uid);
  });
  // The next page leads back to the current view.
  form.addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
    const button = /** @type {HTMLButtonElement} */ (event.submitter);
    if (button?.name === 'act') {
      event.preventDefault();
      return askBatch(root, button);
    }
    form.action = forThisView(root, form.action);
  });
  form.addEventListener('click', ({ target }) => /** @type {Element} */ (target).closest('[data-select-all]') && selectAll(root));
  showSelectAll(form);
  // Some may have been ticked before this script came, with rows or elsewhere in the list.
  for (const label of form.querySelectorAll('label')) setSelected(root, label.dataset.uid, true, memberOf(label));
  form.querySelector('details')?.remove();
  for (const { value } of /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll(`.${PREFIX}__select:checked`))) setSelected(root, value, true);
  showCount(root);
}

/**
 * The button does nothing without this script.
 * @param {HTMLFormElement} form
 */
function showSelectAll(form) {
  const all = /** @type {HTMLButtonElement | null} */ (form.querySelector('[data-select-all]'));
  if (all) all.hidden = false;
}

/**
 * Everybody who matches the search and the filters, as far as there is room for them.
 * @param {HTMLElement} root
 */
async function selectAll(root) {
  const members = await membersBetween(root, '0', '~');
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
 * A component that is fetched anew keeps its bar, with who is selected; the acts become those that its viewer may do now.
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

export const barHooks = { htmx_before_morph_node: beforeMorphNode };
