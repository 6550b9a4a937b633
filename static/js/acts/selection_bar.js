// The selection bar: how many people are selected, and the form that sends them. What its other buttons do is in staff/.

import { memoryOf, PREFIX, part, rootOf } from '../core/component.js';
import { fail, showError } from '../server/requests.js';
import { memberOf } from '../core/rows.js';
import { clearSelection, setSelected, showCount } from './selection.js';
import { fetchStaff, undoEnded } from './staff_loader.js';
import { forThisView } from './view_address.js';

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
    form.action = forThisView(root, form.action);
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    // The buttons of staff have names. Their script may not have come yet.
    if (undoEnded || !button?.name) return;
    event.preventDefault();
    const again = () => button.click();
    fetchStaff().then(() => (undoEnded ? again() : fail(root, 0, again)));
  });
  // Takes over the boxes that are ticked already: those of selected people without a row, listed in the form, then those of rows.
  for (const label of form.querySelectorAll('label')) setSelected(root, label.dataset.uid, true, memberOf(label));
  form.querySelector('details')?.remove();
  for (const { value } of /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll(`.${PREFIX}__select:checked`))) setSelected(root, value, true);
  showCount(root);
}

/** @param {Element} form */
const groupsIn = (form) => [...form.querySelectorAll(`.${PREFIX}__buttons`)];
/** @param {Element} form */
const actsIn = (form) => [.../** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll('[name="act"]'))].map(({ value }) => value).join();

/**
 * When a refetched component is morphed in, the bar and the selection stay; the buttons are replaced if the viewer's acts changed. What
 * another viewer has begun ends.
 * @param {Element} node
 * @param {{ newNode: HTMLElement }} detail
 */
function beforeMorphNode(node, { newNode }) {
  const root = rootOf(node);
  if (!root || root !== node) return;
  const dialog = part(root, 'dialog');
  // A component whose viewer was put out has none.
  if (dialog && newNode.dataset.self !== root.dataset.self) {
    dialog.close();
    clearSelection(root);
  }
  const [form, newForm] = [part(root, 'selection'), newNode.querySelector(`.${PREFIX}__selection`)];
  if (!form || !newForm || actsIn(form) === actsIn(newForm)) return;
  const hadFocus = form.matches(':focus-within');
  for (const group of groupsIn(form)) group.remove();
  form.append(...groupsIn(newForm));
  if (hadFocus) /** @type {HTMLElement} */ (form.querySelector('button')).focus({ preventScroll: true });
}

/** What the selection bar does when htmx morphs its component. */
export const barHooks = { htmx_before_morph_node: beforeMorphNode };
