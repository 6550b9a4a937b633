// Recovers what the stream cannot resend: marks the component not live and retries until it is up to date.

import { memoryOf, part, word } from '../core/component.js';

/**
 * Brings a screen up to date. Set by list/refetch.js, which imports the modules that call this one.
 * @type {(root: HTMLElement) => void}
 */
let resync;

/**
 * Sets how a screen is brought up to date.
 * @param {typeof resync} refetch
 */
export const resyncWith = (refetch) => {
  resync = refetch;
};

/** What may be out of date: whether selected people are still members, the rows, the whole component. Each includes those before it. */
export const SELECTION = 1;
export const ROWS = 2;
export const COMPONENT = 3;

/**
 * Records that a part of the screen is out of date and will not come by the stream, shows that, and refetches it until that succeeds.
 * @param {HTMLElement} root
 * @param {number} what
 */
export function requestResync(root, what) {
  const memory = memoryOf(root);
  if (!(memory.missing >= what)) memory.missing = what;
  showLive(root);
  if (!memory.resyncing) resync(root);
}

/**
 * Shows whether the list is live: not while something is out of date, even when the stream is connected.
 * @param {HTMLElement} root
 */
export function showLive(root) {
  const { liveState = 'off', missing, resyncing, lastSearch } = memoryOf(root);
  root.dataset.live = liveState === 'on' && (missing || resyncing || lastSearch?.failed) ? 'reconnecting' : liveState;
  part(root, 'live')?.replaceChildren(word(root, root.dataset.live));
}
