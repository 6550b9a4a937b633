// Tells the host's page what the list shows: its numbers, and that nobody is in it.

import { emit, memoryOf, part } from '../core/component.js';

/**
 * Copies the component's numbers to each line about the same group on the page, such as in the header of a chat.
 * @param {HTMLElement} root
 */
export function updateLines(root) {
  const totals = part(root, 'totals');
  if (!totals) return;
  for (const line of document.querySelectorAll(`.chat-group-line[data-group="${root.dataset.group}"]`)) {
    for (const number of ['[data-members]', '[data-online]']) {
      const now = totals.querySelector(number)?.textContent;
      const shown = line.querySelector(number);
      if (now && shown && shown.textContent !== now) shown.textContent = now;
    }
  }
}

/**
 * Dispatches `empty` to the host once, when the list has become empty.
 * @param {HTMLElement} root
 */
export function emitEmpty(root) {
  const memory = memoryOf(root);
  const empty = part(root, 'empty')?.childElementCount;
  if (empty && !memory.wasEmpty) emit(root, 'empty');
  memory.wasEmpty = empty;
}
