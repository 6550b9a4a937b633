// Adds listeners. Those of the capture phase are on the document and on the shadow root that a component is in, because an event in a
// shadow root reaches the document with another target, or not at all. The others are on the component itself: a host may stop an event
// on its way to the document, as React and the usual code of a modal do.

import { roots } from './component.js';

/** @typedef {Record<string, (event: any) => unknown>} Handlers */

/** @type {[Handlers, boolean | undefined][]} */
const listeners = [];

/**
 * Adds listeners to the document and to each component that is, or comes, on the page.
 * @param {Handlers} handlers By type of event.
 * @param {boolean} [capture]
 */
export function listen(handlers, capture) {
  listeners.push([handlers, capture]);
  for (const node of [document, ...roots]) listenAround(node);
}

/**
 * Adds the listeners that the document or a component needs; none is added twice.
 * @param {Node} node
 */
export function listenAround(node) {
  const tree = node.getRootNode();
  for (const [handlers, capture] of listeners) {
    const listening = !capture ? node : 'host' in tree ? tree : document;
    if (capture || node !== document) for (const type in handlers) listening.addEventListener(type, handlers[type], capture);
  }
}
