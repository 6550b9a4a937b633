// Recovers what the stream cannot resend: marks the component not live and retries until it is up to date.

import { memoryOf, part, word } from './component.js';

/**
 * How a screen is brought up to date: by refetch.js, which stands above all that notices a lack.
 * @type {(root: HTMLElement) => void}
 */
let resync;

/** @param {typeof resync} refetch */
export const resyncWith = (refetch) => {
  resync = refetch;
};

/** What may be missing: whether the selected are members still, the rows, all around them. Each has what stands before it too. */
export const SELECTION = 1;
export const ROWS = 2;
export const COMPONENT = 3;

/**
 * The screen lacks something that it cannot be sent: it says so, and asks until it has it.
 * @param {HTMLElement} root
 * @param {number} what
 */
export function requestResync(root, what) {
  const memory = memoryOf(root);
  if (!(memory.missing >= what)) memory.missing = what;
  memory.missingAnew = true;
  showLive(root);
  if (!memory.resyncing) resync(root);
}

/**
 * A screen that lacks something is not live, however well its stream does.
 * @param {HTMLElement} root
 */
export function showLive(root) {
  const { liveState = 'off', missing } = memoryOf(root);
  root.dataset.live = liveState === 'on' && missing ? 'reconnecting' : liveState;
  part(root, 'live')?.replaceChildren(word(root, root.dataset.live));
}
