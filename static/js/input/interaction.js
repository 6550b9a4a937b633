// Tells whether a person interacts with a list: by a pointer, a finger, the focus, an open menu or a text selection.
// No row may move meanwhile, see list/deferred_changes.js.

import { isMenuOpen, list, memoryOf, PREFIX } from '../core/component.js';
import { isTouched, lastPointer, pressed, touched } from './press.js';
import { ROW } from '../core/rows.js';

/** The text selection of the page; null when it is empty. */
export function selectedText() {
  const selection = getSelection();
  return selection?.isCollapsed ? null : selection;
}

/**
 * The active row: the one that a person interacts with.
 * @param {HTMLElement} root
 * @returns {Element | false | null | undefined}
 */
export function activeRowOf(root) {
  const rows = list(root);
  const marked = selectedText();
  /** @param {any} [node] */
  const row = (node) => rows.contains(node) && (node.closest ? node : node.parentElement).closest(ROW);
  return (
    row(pressed ?? touched) ||
    (lastPointer !== 'touch' && rows.querySelector(`${ROW}:hover`)) ||
    rows.querySelector(`${ROW}:focus-within`) ||
    row(marked?.anchorNode) ||
    row(marked?.focusNode) ||
    (isMenuOpen(root) && memoryOf(root).opener?.closest(ROW))
  );
}

/**
 * Whether a person has a hand on the list: no row may move then.
 * @param {HTMLElement} root
 */
export function isInteracting(root) {
  const rows = list(root);
  /** @param {string} state */
  const is = (state) => rows.matches(state) || pillOf(root)?.matches(state);
  // The pill counts as part of the list: otherwise it would vanish before it can be pressed.
  const pointed = lastPointer !== 'touch' && is(':hover');
  return pointed || isTouched() || rows.contains(pressed) || is(':focus-within') || isMenuOpen(root) || selectedText()?.containsNode(rows, true);
}

/**
 * The button that says how many changes wait.
 * @param {HTMLElement} root
 * @returns {HTMLElement | null}
 */
export const pillOf = (root) => root.querySelector(`.${PREFIX}__held`);
