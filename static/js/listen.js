// Adds listeners. Those of the capture phase are on the document and on the shadow root that a component is in, because an event in a
// shadow root reaches the document with another target, or not at all. The others are on the component itself: a host may stop an event
// on its way to the document, as React and the usual code of a modal do.

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
  roots.forEach(listenAround);
}

/**
 * Adds the listeners that a component needs; none is added twice.
 * @param {HTMLElement} root
 */
export function listenAround(root) {
  const tree = root.getRootNode();
  for (const [handlers, capture] of listeners)
    for (const type in handlers)
      for (const node of capture ? [document, 'host' in tree ? tree : document] : [root]) node.addEventListener(type, handlers[type], capture);
}
