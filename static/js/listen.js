// Adds listeners to each tree (the document or a shadow root) that holds a component: an event in a shadow root reaches the
// document with another target, or not at all.

import { roots } from './component.js';

/** @typedef {Record<string, (event: any) => unknown>} Handlers */

/** @type {[Handlers, boolean | undefined][]} */
const listeners = [];

/**
 * @param {Handlers} handlers By type of event.
 * @param {boolean} [capture]
 */
export function listen(handlers, capture) {
  listeners.push([handlers, capture]);
  for (const node of [document, ...roots]) listenAround(node);
}

/**
 * Adds the listeners to the tree of a node; none is added twice. A node that is not in a page is skipped, because it may enter
 * another tree later.
 * @param {Node} node
 */
export function listenAround(node) {
  if (node.isConnected)
    for (const [handlers, capture] of listeners) for (const type in handlers) node.getRootNode().addEventListener(type, handlers[type], capture);
}
