// Whoever was put out asks whether that was undone, a few times.

import { list } from './component.js';
import { htmx } from './loader.js';
import { get } from './requests.js';
import { delay } from './wait.js';

/**
 * After each of the waits that the component names, milliseconds. The first answer after none is why: a screen that was not told.
 * @param {HTMLElement} root
 */
export async function askAgain(root) {
  for (const wait of /** @type {string} */ (root.dataset.waits).split(' ')) {
    await delay(Number(wait));
    if (!root.isConnected || list(root)) return;
    const answer = await get(root, root, /** @type {string} */ (root.dataset.href));
    if (answer?.status === 200) return htmx.swap({ root, sourceElement: root, target: root, text: answer.text, swap: 'outerHTML' });
    // Others read no more than that they are out.
    if (wait === '0' && answer && /BANNED/.test(answer.text)) /** @type {HTMLElement} */ (root.firstElementChild).innerHTML = answer.text;
  }
}
