// Batch acts, on all selected people: the shared dialog first shows what the act would do.

import { memoryOf, word } from '../core/component.js';
import { watchPress } from '../input/press.js';
import { get, wentWell } from '../server/requests.js';
import { open } from '../acts/menu.js';
import { showLimit } from '../acts/selection.js';
import { forThisView } from '../acts/view_address.js';

/**
 * Asks the service what an act would do to the selected people, and opens its dialog with the answer.
 * @param {HTMLElement} root
 * @param {HTMLButtonElement} button
 */
export async function askBatch(root, button) {
  // The bar says it, because the next successful request may clear an error at the list.
  const choose = memoryOf(root).selected.size ? '' : word(root, 'selection-choose');
  if (choose) return showLimit(root, choose);
  const isMeant = watchPress(root);
  button.ariaBusy = 'true';
  const answer = await get(root, button, `${forThisView(root, button.formAction)}&dryRun=true`, {}, 'POST');
  button.ariaBusy = null;
  // The dialog does not open if the person pressed something else meanwhile.
  if (answer && isMeant() && wentWell(root, answer, () => askBatch(root, button))) await open(root, 'dialog', answer.text);
}
