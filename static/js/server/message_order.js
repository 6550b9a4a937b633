// The order in which messages and answers reach the screen. A message of the stream and an answer to a request
// carry the event id of the state they describe, `epoch.seq`; elements carry none. An answer is applied when it
// arrives. Then the messages that arrived since its request, and are not older than the answer, are applied
// again in order. So no outdated state stays on the screen, and removed rows need not be remembered.

import { memoryOf } from '../core/component.js';
import { htmx } from '../core/loader.js';
import { COMPONENT, requestResync } from './resync.js';

/** @import { Memory } from '../core/component.js' */

/**
 * A message of the stream: the id of the state it leads to, and its markup.
 * @typedef {{ id: string, text: string }} Message
 */
/**
 * A request without an answer yet; `from` is the length of the journal when it was sent.
 * @typedef {{ from: number }} Pending
 */

/** Most messages that are kept while answers are awaited; with more, the component is refetched. */
const MOST_KEPT = 1_000;
/** Longest time that a message older than the screen waits for the messages after it, milliseconds. */
const CATCH_UP = 1_000;

/**
 * Drops the messages that are kept for answers: another list has come.
 * @param {Memory} memory
 */
export function forgetRequests(memory) {
  clearTimeout(memory.catchUp);
  Object.assign(memory, { late: [], journal: [], awaited: new Set(), catchUp: 0 });
}

/** @param {string} [id] */
const epochOf = (id = '') => id.replace(/\d*$/, '');
/** @param {string} [id] */
const seqOf = (id = '') => Number(id.match(/\d*$/));
/**
 * Whether an id is older than another. Ids of different epochs cannot be compared: neither is older.
 * @param {string | undefined} id
 * @param {string} other
 */
export const isOlder = (id, other) => epochOf(id) === epochOf(other) && seqOf(id) < seqOf(other);

/**
 * Records the newest state on the screen. It is of another epoch after the database was restored from a backup.
 * @param {Memory} memory
 * @param {string} id
 */
export function setSeen(memory, id) {
  // Events of another epoch may have the same numbers.
  if (epochOf(id) !== epochOf(memory.seen)) memory.announced.clear();
  memory.seen = id;
}

/**
 * Records that a request is sent: from now on messages are kept, and `endRequest` applies them again after the answer.
 * @param {HTMLElement} root
 * @returns {Pending}
 */
export function beginRequest(root) {
  const { awaited, journal } = memoryOf(root);
  const request = { from: journal.length };
  awaited.add(request);
  return request;
}

/**
 * Ends a request whose answer, as of event `id`, is on the screen; without `id`, none is.
 * @param {HTMLElement} root
 * @param {Pending} request
 * @param {string | false | null} [id]
 */
export function endRequest(root, request, id) {
  const memory = memoryOf(root);
  const isKnown = memory.awaited?.delete(request);
  // The messages since the request were discarded, so what the answer may have undone is refetched.
  if (id && !isKnown) requestResync(root, COMPONENT);
  else if (id) {
    if (!isOlder(id, memory.seen)) setSeen(memory, id);
    for (const message of memory.journal.slice(request.from)) if (!isOlder(message.id, id)) apply(root, message, true);
  }
  if (!memory.awaited?.size) memory.journal = [];
}

/**
 * Handles a message of the stream. A message older than the screen waits for the messages after it, so that no older state is
 * shown in between.
 * @param {HTMLElement} root
 * @param {Message} message
 */
export function takeMessage(root, message) {
  const memory = memoryOf(root);
  if (memory.awaited.size) memory.journal.push(message);
  if (memory.journal.length > MOST_KEPT) {
    forgetRequests(memory);
    requestResync(root, COMPONENT);
  }
  if (isOlder(message.id, memory.seen)) {
    memory.late.push(message);
    memory.catchUp ||= setTimeout(applyLate, CATCH_UP, root);
    return;
  }
  applyLate(root);
  setSeen(memory, message.id);
  apply(root, message);
}

/**
 * Applies the messages that waited for the ones before them.
 * @param {HTMLElement} root
 */
export function applyLate(root) {
  const memory = memoryOf(root);
  clearTimeout(memory.catchUp);
  memory.catchUp = 0;
  for (const message of memory.late.splice(0)) apply(root, message);
}

/**
 * Applies a message. An error in it does not stop the messages after it: the component is refetched.
 * @param {HTMLElement} root
 * @param {Message} message
 * @param {boolean} [again]
 */
function apply(root, { id, text }, again) {
  const memory = memoryOf(root);
  memory.received = id;
  htmx.swap({ root, again, sourceElement: memory.streamNode, text, swap: 'none swapEmpty:false' }).catch((error) => {
    console.error(error);
    // Rows alone would not do: the message may have been about the viewer's own rights.
    requestResync(root, COMPONENT);
  });
}
