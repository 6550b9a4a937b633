// After the viewer was put out, asks the service a few times whether that was undone.

import { part } from '../component.js';
import { htmx } from '../loader.js';
import { get } from '../requests.js';
import { delay } from '../wait.js';

/**
 * Asks after each of the waits that the component names, in milliseconds. A wait of 0 stands first where the screen does not know
 * yet why its viewer is out: that answer is shown.
 * @param {HTMLElement} root
 */
export async function askAgain(root) {
  for (const wait of /** @type {string} */ (root.dataset.waits).split(' ')) {
    await delay(Number(wait));
    if (!root.isConnected || part(root, 'list')) return;
    const answer = await get(root, root, /** @type {string} */ (root.dataset.href));
    if (answer?.status === 200) return htmx.swap({ root, sourceElement: root, target: root, text: answer.text, swap: 'outerHTML' });
    // Of a ban the service says why; anybody else only reads that they are out.
    if (wait === '0' && answer && /BANNED/.test(answer.text)) /** @type {HTMLElement} */ (root.firstElementChild).innerHTML = answer.text;
  }
}
