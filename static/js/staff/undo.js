// The undo bar after an act: what was done, the button that undoes it, and the time left for that. The service sends the
// seconds that are left, not a time of day, because the clocks of the service and the browser differ.

import { create, PREFIX, part, rootOf, say } from '../core/component.js';
import { htmx } from '../core/loader.js';
import { INSTRUCTIONS } from '../live/instructions.js';
import { showError } from '../server/requests.js';
import { focusList } from '../core/rows.js';
import { withScrollAnchor } from '../list/scroll_anchor.js';

/** @import { Item } from '../core/rows.js' */

const SECOND = 1_000;

/**
 * By component, the last of this viewer's acts whose event has come: its event number, and the person acted on.
 * @type {WeakMap<HTMLElement, { seq: number, uid?: string }>}
 */
const latest = new WeakMap();

/** @param {HTMLElement} root */
const barOf = (root) => /** @type {HTMLFormElement | null} */ (root.querySelector(`:scope > .${PREFIX}__undo`));

/**
 * The event number of the act that a bar undoes.
 * @param {HTMLFormElement} bar
 */
const seqOf = (bar) => Number(bar.action.match(/(\d+)\/undo/)?.[1]);

/**
 * The text of a bar: what was done, and the label of its button.
 * @param {HTMLFormElement} bar
 */
const wordsOf = (bar) => [...bar.querySelectorAll('span, button')].map((element) => element.textContent).join(' ');

/**
 * Closes the bar whose form was answered; a bar that replaced it meanwhile stays.
 * @param {HTMLElement} root
 * @param {HTMLFormElement} form
 */
export function undoEnded(root, form) {
  const bar = barOf(root);
  if (bar && seqOf(bar) === seqOf(form)) closeUndo(root);
}

/**
 * Removes the bar. A focus in it moves to the row of the person acted on, else to the list's tab stop, else to the component.
 * @param {HTMLElement} root
 */
function closeUndo(root) {
  const bar = barOf(root);
  if (!bar) return;
  const hadFocus = bar.matches(':focus-within');
  // The bar is removed even during an interaction with the list; the active row keeps its place on the screen.
  withScrollAnchor(root, () => bar.remove());
  forget(root);
  // A screen reader can still read the status line, which would offer an undo that is over.
  if (part(root, 'say')?.textContent === wordsOf(bar)) say(root, '');
  if (!hadFocus) return;
  const { uid } = bar.dataset;
  const back = /** @type {HTMLElement | null} */ (uid ? part(root, `m-${uid}`) : null);
  if (back) {
    // Only the list's tab stop can take the focus; the row becomes the tab stop when it has it.
    back.tabIndex = 0;
    back.focus();
  } else focusList(root);
}

/**
 * Shows the bar of an act in the place of the present bar, unless that one is of a later act.
 * @param {HTMLElement} root
 * @param {Element} item
 */
function showUndo(root, item) {
  const bar = /** @type {HTMLFormElement} */ (item.firstElementChild);
  const there = barOf(root);
  // An earlier act, whose dialog was left, can be answered after a later one: only its text is spoken.
  if (there && seqOf(there) > seqOf(bar)) return say(root, /** @type {Element} */ (bar.querySelector('span')).textContent);
  there?.remove();
  const { seq, uid } = latest.get(root) ?? {};
  if (uid && seq === seqOf(bar)) bar.dataset.uid = uid;
  // Stored before `htmx.process` adds its attributes.
  keep(root, bar);
  part(root, 'say').after(bar);
  htmx.process(bar);
  say(root, wordsOf(bar));
  countDown(root, bar, performance.now() + Number(bar.dataset.seconds) * SECOND);
}

/**
 * @param {HTMLElement} root
 * @param {HTMLFormElement} bar
 * @param {number} ends Milliseconds, by `performance.now`.
 */
function countDown(root, bar, ends) {
  const left = /** @type {HTMLElement} */ (bar.querySelector('small'));
  // A screen reader should not speak every second.
  left.ariaHidden = 'true';
  const seconds = new Intl.NumberFormat(root.lang, { style: 'unit', unit: 'second', unitDisplay: 'narrow' });
  const tick = () => {
    // Another bar has replaced this one. The component may be off the page for now.
    if (barOf(root) !== bar) return;
    const rest = Math.ceil((ends - performance.now()) / SECOND);
    if (rest < 1) return closeUndo(root);
    left.textContent = seconds.format(rest);
    setTimeout(tick, SECOND);
  };
  tick();
}

/**
 * The key in `sessionStorage` of this component's bar for this viewer.
 * @param {HTMLElement} root
 */
const storageKeyOf = ({ id, dataset }) => `${PREFIX}:undo:${id}:${dataset.self}`;

/**
 * Stores the bar and the time of its end, by the browser's clock. The same clock reads it, so it does not matter if it is wrong.
 * @param {HTMLElement} root
 * @param {HTMLFormElement} bar
 */
function keep(root, bar) {
  const ends = Date.now() + Number(bar.dataset.seconds) * SECOND;
  try {
    sessionStorage.setItem(storageKeyOf(root), JSON.stringify({ ends, html: bar.outerHTML }));
  } catch {
    // Without storage the bar does not outlive the page.
  }
}

/** @param {HTMLElement} root */
function forget(root) {
  try {
    sessionStorage.removeItem(storageKeyOf(root));
  } catch {
    // Without storage there is nothing to remove.
  }
}

/**
 * Restores the stored bar, of the previous page or of a component that was replaced, while there is time left.
 * @param {HTMLElement} root
 */
function bringBack(root) {
  if (!root.dataset.self || !part(root, 'say') || barOf(root)) return;
  /** @type {{ ends: number, html: string } | null} */
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(storageKeyOf(root)) ?? 'null');
  } catch {
    // Without storage there is no bar to restore.
  }
  if (!kept) return;
  const rest = kept.ends - Date.now();
  if (rest < SECOND || root.dataset.scope === 'participant') return forget(root);
  const template = document.createElement('template');
  template.innerHTML = kept.html;
  const bar = /** @type {HTMLFormElement} */ (template.content.firstElementChild);
  withScrollAnchor(root, () => part(root, 'say').after(bar));
  htmx.process(bar);
  countDown(root, bar, performance.now() + rest);
}

/** @param {Element} element */
function bringBackIn(element) {
  for (const root of /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(`section.${PREFIX}`))) bringBack(root);
  const root = rootOf(element);
  if (root) bringBack(root);
}

/**
 * Records the viewer's own act, and closes the bar when a later event about the same person makes the undo impossible. A changed
 * name and a note do not; nor does any event while the undo is being sent.
 * @param {HTMLElement} root
 * @param {Element} item
 * @param {boolean} [own]
 */
function recordEvent(root, item, own) {
  const { name, detail } = /** @type {HTMLElement} */ (item).dataset;
  const { seq, member } = JSON.parse(detail ?? '{}');
  if (own) latest.set(root, { seq, uid: member?.uid });
  const bar = barOf(root);
  if (!bar?.dataset.uid || bar.dataset.uid !== member?.uid || bar.ariaBusy) return;
  if (seq > seqOf(bar) && !/^(member-updated|note-)/.test(name ?? '')) closeUndo(root);
}

/**
 * Keeps the bar when a refetched component is morphed in, unless it is another viewer's, or the viewer has become a participant, who can
 * undo nothing.
 * @param {Element} node
 * @param {{ newNode: HTMLElement }} detail
 */
function beforeMorphNode(node, { newNode }) {
  if (rootOf(node) !== node) return;
  const root = /** @type {HTMLElement} */ (node);
  const bar = barOf(root);
  if (!bar) return;
  if (newNode.dataset.scope === 'participant' || newNode.dataset.self !== root.dataset.self) closeUndo(root);
  else newNode.querySelector(`#${root.id}-say`)?.after(bar.cloneNode(true));
}

/**
 * Speaks that an act was undone, because a screen reader does not notice the rows that return. When several people return, the
 * bar's focus will move to the first of them.
 * @param {HTMLElement} root
 * @param {Element} item
 * @param {boolean} [own]
 * @param {Item[]} [items]
 */
function sayUndone(root, item, own, items = []) {
  const text = document.createElement('template');
  text.innerHTML = /** @type {HTMLElement} */ (item).dataset.html ?? '';
  say(root, text.content.textContent);
  // Only a bar whose undo is being sent: another bar may have replaced that one.
  const bar = barOf(root);
  const [first] = items.map(({ dataset }) => dataset).filter(({ uid, order, gone }) => uid && order && gone === undefined);
  if (own && first && bar?.ariaBusy) bar.dataset.uid ??= first.uid;
}

/**
 * Shows who was left out of a batch act, in the list's error place: also where the host hides errors, because it is the outcome of the
 * act. A dialog that is open is about to close: this waits for that.
 * @param {HTMLElement} root
 * @param {Item} item
 */
function showLeftOut(root, { dataset }) {
  const alert = create('div', { className: `${PREFIX}__error`, role: 'alert', innerHTML: dataset.html });
  const show = () => {
    const place = part(root, 'error');
    const { hidden } = place;
    place.hidden = false;
    showError(root, alert);
    const ended = new MutationObserver(() => {
      if (alert.isConnected) return;
      place.hidden = hidden;
      ended.disconnect();
    });
    ended.observe(place, { childList: true });
  };
  const dialog = part(root, 'dialog');
  if (dialog.open) dialog.addEventListener('close', show, { once: true });
  else show();
}

/** Adds the instructions about undoing to those that messages may have, and begins to listen for presses in the bar. */
export function listenForUndo() {
  const { event } = INSTRUCTIONS;
  INSTRUCTIONS.event = (root, item, own, items) => {
    event(root, item, own, items);
    recordEvent(root, item, own);
  };
  INSTRUCTIONS.undo = showUndo;
  INSTRUCTIONS.undone = sayUndone;
  INSTRUCTIONS['left-out'] = showLeftOut;
  htmx.registerExtension(`${PREFIX}-undo`, { htmx_before_morph_node: beforeMorphNode, htmx_after_process: bringBackIn });
  bringBackIn(document.documentElement);
}
