// The bar after an act: what was done, the button that undoes it, and the time left for it. The service sends the
// time left, since clocks differ.

import { create, memoryOf, PREFIX, part, rootOf, say } from '../component.js';
import { htmx } from '../loader.js';
import { INSTRUCTIONS } from '../instructions.js';
import { showError } from '../requests.js';
import { withScrollAnchor } from '../scroll_anchor.js';

/** @import { Item } from '../rows.js' */

const SECOND = 1_000;

/**
 * The last act of this viewer that each component has an event of: its number, and the person whom it was about.
 * @type {WeakMap<HTMLElement, { seq: number, uid?: string }>}
 */
const latest = new WeakMap();

/** @param {HTMLElement} root */
const barOf = (root) => /** @type {HTMLFormElement | null} */ (root.querySelector(`:scope > .${PREFIX}__undo`));

/**
 * The number of the act that a bar undoes.
 * @param {HTMLFormElement} bar
 */
const seqOf = (bar) => Number(bar.action.match(/(\d+)\/undo/)?.[1]);

/**
 * What a bar says: what was done, and its button.
 * @param {HTMLFormElement} bar
 */
const wordsOf = (bar) => [...bar.querySelectorAll('span, button')].map((element) => element.textContent).join(' ');

/**
 * The answer to a bar's form has come. Another bar may stand there by now.
 * @param {HTMLElement} root
 * @param {HTMLFormElement} form
 */
export function undoEnded(root, form) {
  const bar = barOf(root);
  if (bar && seqOf(bar) === seqOf(form)) closeUndo(root);
}

/**
 * Removes the bar. Its focus moves to the row of the person who came back; else to the row that had it last, or to the title.
 * @param {HTMLElement} root
 */
function closeUndo(root) {
  const bar = barOf(root);
  if (!bar) return;
  const hadFocus = bar.matches(':focus-within');
  // Removed also while somebody interacts with the list: the active row keeps its place.
  withScrollAnchor(root, () => bar.remove());
  forget(root);
  // What the status line offers, a screen reader finds there as long as it stands.
  if (part(root, 'say')?.textContent === wordsOf(bar)) say(root, '');
  if (!hadFocus) return;
  const { uid } = bar.dataset;
  const { stop } = memoryOf(root);
  const back = /** @type {HTMLElement | null} */ (uid ? part(root, `m-${uid}`) : null);
  // A row is focusable only as the stop of the list, which it becomes with the focus.
  if (back) back.tabIndex = 0;
  const to = back ?? (stop?.isConnected ? stop : (part(root, 'title') ?? root));
  /** @type {HTMLElement} */ (to).focus({ preventScroll: !back });
}

/**
 * One bar at a time: that of the last act.
 * @param {HTMLElement} root
 * @param {Element} item
 */
function showUndo(root, item) {
  const bar = /** @type {HTMLFormElement} */ (item.firstElementChild);
  const there = barOf(root);
  // The answer to an earlier act, whose dialog was left, comes behind that to a later one.
  if (there && seqOf(there) > seqOf(bar)) return say(root, /** @type {Element} */ (bar.querySelector('span')).textContent);
  there?.remove();
  const { seq, uid } = latest.get(root) ?? {};
  if (uid && seq === seqOf(bar)) bar.dataset.uid = uid;
  // As it came, before htmx leaves its marks on it.
  keep(root, bar);
  part(root, 'say').after(bar);
  htmx.process(bar);
  say(root, wordsOf(bar));
  countDown(root, bar, performance.now() + Number(bar.dataset.seconds) * SECOND);
}

/**
 * @param {HTMLElement} root
 * @param {HTMLFormElement} bar
 * @param {number} ends By the clock of `performance.now`.
 */
function countDown(root, bar, ends) {
  const left = /** @type {HTMLElement} */ (bar.querySelector('small'));
  // A screen reader should not speak every second.
  left.ariaHidden = 'true';
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
 * Where the bar of this viewer and this group outlives the page, in its tab.
 * @param {HTMLElement} root
 */
const keyOf = ({ id, dataset }) => `${PREFIX}:undo:${id}:${dataset.self}`;

/**
 * Keeps the bar with the time of its end, by the clock that also reads it: a wrong clock counts seconds as well.
 * @param {HTMLElement} root
 * @param {HTMLFormElement} bar
 */
function keep(root, bar) {
  const ends = Date.now() + Number(bar.dataset.seconds) * SECOND;
  try {
    sessionStorage.setItem(keyOf(root), JSON.stringify({ ends, html: bar.outerHTML }));
  } catch {
    // Where nothing is stored, the bar goes with the page.
  }
}

/** @param {HTMLElement} root */
function forget(root) {
  try {
    sessionStorage.removeItem(keyOf(root));
  } catch {
    // Nothing is stored.
  }
}

/**
 * The bar of the page before, or of a component that another has taken the place of, as long as there is time left.
 * @param {HTMLElement} root
 */
function bringBack(root) {
  if (!root.dataset.self || !part(root, 'say') || barOf(root)) return;
  /** @type {{ ends: number, html: string } | null} */
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(keyOf(root)) ?? 'null');
  } catch {
    // Nothing is stored.
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
 * What has been overtaken by something else cannot be undone: not by another name or a note, nor by being undone right now.
 * @param {HTMLElement} root
 * @param {Element} item
 * @param {boolean} [own]
 */
function recordEvent(root, item, own) {
  const { name, detail } = /** @type {HTMLElement} */ (item).dataset;
  const { seq, member } = JSON.parse(detail ?? '{}');
  if (own) latest.set(root, { seq, uid: member?.uid });
  const bar = barOf(root);
  if (!bar?.dataset.uid || bar.dataset.uid !== member?.uid || bar.querySelector(':disabled')) return;
  if (seq > seqOf(bar) && !/^(member-updated|note-)/.test(name ?? '')) closeUndo(root);
}

/**
 * A component that is fetched anew keeps its bar, unless its viewer may undo nothing any more.
 * @param {Element} node
 * @param {{ newNode: HTMLElement }} detail
 */
function beforeMorphNode(node, { newNode }) {
  if (rootOf(node) !== node) return;
  const root = /** @type {HTMLElement} */ (node);
  const bar = barOf(root);
  if (!bar) return;
  if (newNode.dataset.scope === 'participant') closeUndo(root);
  else newNode.querySelector(`#${root.id}-say`)?.after(bar.cloneNode(true));
}

/**
 * Says that an act was undone: the rows that come back are seen, and not heard. The first of several gets the focus of the bar.
 * @param {HTMLElement} root
 * @param {Element} item
 * @param {boolean} [own]
 * @param {Item[]} [items]
 */
function sayUndone(root, item, own, items = []) {
  const text = document.createElement('template');
  text.innerHTML = /** @type {HTMLElement} */ (item).dataset.html ?? '';
  say(root, text.content.textContent);
  // The one on its way: another may stand there by now.
  const bar = barOf(root)?.querySelector(':disabled') && barOf(root);
  const [first] = items.map(({ dataset }) => dataset).filter(({ uid, order, gone }) => uid && order && gone === undefined);
  if (own && first && bar) bar.dataset.uid ??= first.uid;
}

/**
 * Says whom an act on several was not done to, in the list: a dialog that is open now is about to close.
 * @param {HTMLElement} root
 * @param {Item} item
 */
function showLeftOut(root, { dataset }) {
  const alert = create('div', { className: `${PREFIX}__error`, role: 'alert', innerHTML: dataset.html });
  const show = () => showError(root, alert);
  const dialog = part(root, 'dialog');
  if (dialog.open) dialog.addEventListener('close', show, { once: true });
  else show();
}

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
