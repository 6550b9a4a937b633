// After the viewer was removed from the group, asks the service a few times whether that was undone.

import { part } from '../core/component.js';
import { htmx } from '../core/loader.js';
import { get } from '../server/requests.js';
import { delay } from '../core/wait.js';

/** Wait before a question is repeated that got no answer, milliseconds; it also ends when the browser comes online. */
const UNANSWERED = 15_000;

/** Longest time after the end of the window to undo until the last question, milliseconds. */
const LATEST = 15_000;

/**
 * Asks after each wait of `data-waits`, milliseconds, and for the last time once the window to undo is over: that is seven tenths of
 * all waits. A first wait of 0 means that the reason is unknown: a ban's is shown.
 * @param {HTMLElement} root
 */
export async function askAgain(root) {
  const { waits = '' } = root.dataset;
  // Markup of an older version says no times, which makes the attribute this text.
  const all = (waits === 'undefined' ? '0 5000 10000 30000' : waits).split(' ').map(Number);
  const undoWindow = 0.7 * all.reduce((sum, wait) => sum + wait);
  let left = undoWindow + LATEST * Math.random();
  for (const [turn, wait] of all.entries()) {
    const pause = turn < all.length - 1 ? wait * (0.7 + 0.6 * Math.random()) : left;
    left -= pause;
    // Not `delay`: a browser that comes online would ask before its time, and the last answer may change only at the end of that.
    await new Promise((done) => setTimeout(done, pause));
    let answer;
    do {
      if (answer) await delay(UNANSWERED);
      if (!root.isConnected || part(root, 'list')) return;
      answer = await get(root, root, /** @type {string} */ (root.dataset.href));
    } while (answer?.status === 0);
    if (answer?.status === 200) {
      const focused = root.matches(':focus-within');
      await htmx.swap({ root, sourceElement: root, target: root, text: answer.text, swap: 'outerHTML' });
      // The list that comes takes over the focus.
      if (focused) document.getElementById(root.id)?.focus();
      return;
    }
    // The service explains a ban; in every other case the general text stays.
    if (wait === 0 && answer && /BANNED/.test(answer.text)) /** @type {HTMLElement} */ (root.firstElementChild).innerHTML = answer.text;
  }
}
