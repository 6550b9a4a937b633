// In what order messages and answers reach the screen. A message of the stream and an answer to a request
// carry the event number of the state they describe, `epoch.seq`; elements carry none. An answer is
// applied when it comes. After it, in order, the messages are applied again that came since it was asked
// for and are not older than it. So nothing that is old stays on the screen, and nothing has to be
// remembered about rows that are gone.

import { memoryOf } from './component.js';
import { htmx } from './loader.js';
import { COMPONENT, requestResync } from './resync.js';

/** @import { Memory } from './component.js' */

/**
 * A message of the stream: the number of the state it leads to, and its markup.
 * @typedef {{ id: string, text: string }} Message
 */
/**
 * A request that awaits its answer: how long the journal was when it went out.
 * @typedef {{ from: number }} Pending
 */

/** Messages that are kept while answers are awaited; with more of them the component is fetched anew. */
const MOST_KEPT = 1_000;
/** A message older than an answer on the screen waits so long for the messages after it, milliseconds. */
const CATCH_UP = 1_000;

/** @param {Memory} memory */
export function forgetRequests(memory) {
  clearTimeout(memory.catchUp);
  Object.assign(memory, { journal: [], awaited: new Set(), late: [], catchUp: 0 });
}

/** @param {string} [id] */
const epochOf = (id = '') => id.replace(/\d*$/, '');
/** @param {string} [id] */
const seqOf = (id = '') => Number(id.split('.').at(-1));
/**
 * Ids of two histories cannot be compared: none is older.
 * @param {string | undefined} id
 * @param {string} other
 */
export const isOlder = (id, other) => epochOf(id) === epochOf(other) && seqOf(id) < seqOf(other);

/**
 * The screen shows a state; of another history when the database was put back.
 * @param {Memory} memory
 * @param {string} id
 */
export function setSeen(memory, id) {
  // Events of another history may bear the same numbers.
  if (epochOf(id) !== epochOf(memory.seen)) memory.announced.clear();
  memory.seen = id;
}

/**
 * A request goes out. What it answers is put in order by `endRequest`.
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
 * The answer to a request, as of event `id`, is on the screen; without `id` none came.
 * @param {HTMLElement} root
 * @param {Pending} request
 * @param {string | false | null} [id]
 */
export function endRequest(root, request, id) {
  const memory = memoryOf(root);
  const isKnown = memory.awaited?.delete(request);
  // The messages since its request are no longer kept, so what the answer may have undone is fetched again.
  if (id && !isKnown) requestResync(root, COMPONENT);
  else if (id) {
    if (!isOlder(id, memory.seen)) setSeen(memory, id);
    for (const message of memory.journal.slice(request.from)) if (!isOlder(message.id, id)) apply(root, message, true);
  }
  if (!memory.awaited?.size) memory.journal = [];
}

/**
 * Handles a message of the stream. One that is older than an answer on the screen waits for the messages after it, so that nothing
 * older is shown in between.
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

/** @param {HTMLElement} root */
export function applyLate(root) {
  const memory = memoryOf(root);
  clearTimeout(memory.catchUp);
  memory.catchUp = 0;
  for (const message of memory.late.splice(0)) apply(root, message);
}

/**
 * Nothing that one message holds stops those after it: the screen fetches what it may have missed.
 * @param {HTMLElement} root
 * @param {Message} message
 * @param {boolean} [again]
 */
function apply(root, { id, text }, again) {
  const memory = memoryOf(root);
  memory.received = id;
  htmx.swap({ root, again, sourceElement: memory.streamNode, text, swap: 'none swapEmpty:false' }).catch((error) => {
    console.error(error);
    // It may have been about the viewer's own rights.
    requestResync(root, COMPONENT);
  });
}
