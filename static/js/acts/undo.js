// The bar after an act: what was done, the button that undoes it, and how long that works. The service says how long, since
// nobody's clock is right.

import { memoryOf, PREFIX, part, say } from '../component.js';
import { htmx } from '../loader.js';
import { NOTES } from '../notes.js';

const SECOND = 1_000;

/** @param {HTMLElement} root */
const barOf = (root) => /** @type {HTMLFormElement | null} */ (root.querySelector(`:scope > .${PREFIX}__undo`));

/** @param {HTMLElement} root */
export function closeUndo(root) {
  const bar = barOf(root);
  if (!bar) return;
  const hadFocus = bar.contains(document.activeElement);
  bar.remove();
  if (hadFocus) memoryOf(root).stop?.focus({ preventScroll: true });
}

/**
 * One bar at a time: that of the last act.
 * @param {HTMLElement} root
 * @param {Element} item
 */
function showUndo(root, item) {
  barOf(root)?.remove();
  const bar = /** @type {HTMLFormElement} */ (item.firstElementChild);
  part(root, 'say').after(bar);
  htmx.process(bar);
  say(root, [...bar.querySelectorAll('span, button')].map((element) => element.textContent).join(' '));
  const ends = performance.now() + Number(bar.dataset.seconds) * SECOND;
  const left = /** @type {HTMLElement} */ (bar.querySelector('small'));
  const seconds = new Intl.NumberFormat(root.lang, { style: 'unit', unit: 'second', unitDisplay: 'narrow' });
  const tick = () => {
    if (!bar.isConnected) return;
    const rest = Math.ceil((ends - performance.now()) / SECOND);
    if (rest < 1) return closeUndo(root);
    left.textContent = seconds.format(rest);
    setTimeout(tick, SECOND);
  };
  tick();
}

/**
 * Says that an act was undone: the row that comes back is seen, and not heard.
 * @param {HTMLElement} root
 * @param {Element} item
 */
function sayUndone(root, item) {
  const text = document.createElement('template');
  text.innerHTML = /** @type {HTMLElement} */ (item).dataset.html ?? '';
  say(root, text.content.textContent);
}

export function listenForUndo() {
  NOTES.undo = showUndo;
  NOTES.undone = sayUndone;
}
