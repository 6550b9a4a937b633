// The live stream. A connection is one htmx request, so that what a host adds to htmx's requests (a
// bearer token, a cross-origin mode) holds for it too. Reading it and the loop around it are ours: a
// failed first connection is tried again, a refusal ends it, no element ever has two, and a connection
// that died without a word is noticed. The extension hx-sse does none of these, and would add
// `text/event-stream` to the Accept header of every htmx request of the host.

import { bringAskAgain } from './acts.js';
import { addressOf, memoryOf, PREFIX, part, roots, rootsAt, say, word } from './component.js';
import { messagesIn } from './event_stream.js';
import { forgetDeferred } from './deferred_changes.js';
import { htmx } from './loader.js';
import { applyLate, forgetRequests, takeMessage } from './message_order.js';
import { askForToken } from './requests.js';
import { showLive } from './resync.js';
import { retrySearch } from './search.js';
import { delay, LONGEST_WAIT, untilVisible } from './wait.js';

const SHORTEST_WAIT = 500;
/** The server sends a heartbeat at least every 15 seconds; without one for so long, milliseconds, the connection is dead. */
const LONGEST_SILENCE = 45_000;

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} stream
 */
export async function keepConnected(root, stream) {
  const memory = memoryOf(root);
  // Only the latest call goes on: `endStream` and `resume` may come while an earlier one sleeps.
  const run = (memory.currentRun = {});
  const current = () => stream.isConnected && memory.currentRun === run;
  let tries = 0;
  while (current()) {
    applyLate(root);
    await untilVisible();
    if (!current()) return;
    const started = Date.now();
    memory.retryWait = SHORTEST_WAIT;
    await htmx.ajax('GET', stream.dataset.connect, {
      source: stream,
      target: stream,
      swap: 'none',
      headers: { Accept: 'text/event-stream', ...(memory.received && { 'Last-Event-ID': memory.received }) },
      fetch: (address, request) => readStream(root, stream, address, request),
    });
    if (!current()) return;
    setLive(root, 'reconnecting');
    if (Date.now() - started > 5_000) tries = 0;
    await delay(Math.max(memory.retryWait, Math.min(memory.retryWait * 2 ** tries++, LONGEST_WAIT)));
  }
}

/**
 * Reads until the stream ends, however it ends. htmx gets an empty answer: all has been swapped by then.
 * @param {HTMLElement} root
 * @param {HTMLElement} stream
 * @param {RequestInfo | URL} address
 * @param {RequestInit} [request]
 */
async function readStream(root, stream, address, request) {
  /** @type {number | undefined} */
  let watch;
  const alive = (silence = LONGEST_SILENCE) => {
    if (!stream.isConnected) throw new Error('ended');
    clearTimeout(watch);
    watch = setTimeout(abort, silence, stream);
  };
  try {
    // A connection without an answer is given up earlier than one that falls silent.
    alive(LONGEST_WAIT);
    const response = await fetch(address, request);
    if (response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
      // A proxy may hold back all that comes after the head.
      let heard = () => {
        setLive(root, 'on');
        heard = alive;
        alive();
      };
      for await (const message of messagesIn(/** @type {NonNullable<Response['body']>} */ (response.body), () => heard())) receive(root, message);
    } else streamRefused(root, response, await response.text());
  } catch {
    // Cut off, or never reached: `keepConnected` goes on.
  }
  clearTimeout(watch);
  return new Response(null, { status: 204 });
}

/**
 * @param {HTMLElement} root
 * @param {Record<string, string>} message
 */
function receive(root, { id, event, data, retry }) {
  const memory = memoryOf(root);
  memory.retryWait = Math.max(SHORTEST_WAIT, Number(retry) || memory.retryWait);
  // Named messages (`bye`) are for programs; what is for the screen has no name.
  if (data && !event) takeMessage(root, { id: id || memory.received, text: data });
  else if (id) memory.received = id;
}

/**
 * Dispatched here: htmx would send it to the document when the element is gone already.
 * @param {Element | null} [stream]
 */
export const abort = (stream) => stream?.dispatchEvent(new CustomEvent('htmx:abort'));

export function visibilityChanged() {
  if (document.hidden) for (const root of roots) abort(memoryOf(root).streamNode);
}

/**
 * Only the service's own errors have a code. What a proxy says while the service is away ends nothing, nor do 408, 425 and 429.
 * @param {HTMLElement} root
 * @param {Response} response
 * @param {string} text
 */
function streamRefused(root, { status, headers }, text) {
  if (status === 401) endStream(root, 'expired');
  else if (/data-code/.test(text) && /^4(?!08|25|29)/.test(String(status))) {
    endStream(root);
    if (status === 404) showEnded(root);
  } else memoryOf(root).retryWait = Math.max(SHORTEST_WAIT, 1_000 * Number(headers.get('Retry-After')) || 0);
}

/**
 * Taken out of the group while the connection was down: what is on the screen is not theirs to see.
 * @param {HTMLElement} root
 */
function showEnded(root) {
  const memory = memoryOf(root);
  forgetDeferred(root);
  forgetRequests(memory);
  // Each of them would keep all of the list.
  Object.assign(memory, { opener: null, stop: null, listNode: null, streamNode: null });
  root.classList.add(`${PREFIX}--ended`);
  Object.assign(root.dataset, { count: 0, scope: '', href: addressOf(root, 'part=component'), waits: '0 5000 10000 30000' });
  const hadFocus = root.matches(':focus-within');
  root.replaceChildren(part(root, 'ended').content);
  if (hadFocus) /** @type {HTMLElement} */ (root.firstElementChild).focus();
  bringAskAgain(root);
}

/**
 * Nobody goes on with the connection.
 * @param {HTMLElement} root
 */
export function stop(root) {
  const memory = memoryOf(root);
  memory.currentRun = null;
  abort(memory.streamNode);
}

/**
 * For good, or until the host says that it has a new token.
 * @param {HTMLElement} root
 * @param {string} [reason]
 */
export function endStream(root, reason) {
  stop(root);
  setLive(root, 'off');
  say(root, word(root, 'off'));
  if (reason === 'expired') askForToken(root);
}

/**
 * The host dispatches `chat-group-members:resume`, on a root or on the document, with a new token.
 * @param {{ target: Element | Document }} event
 */
export function resume({ target }) {
  for (const root of target === document ? roots : rootsAt(/** @type {Element} */ (target))) {
    const { currentRun, streamNode } = memoryOf(root);
    if (!currentRun && streamNode?.isConnected) keepConnected(root, streamNode);
  }
}

/**
 * @param {HTMLElement} root
 * @param {string} live
 */
export function setLive(root, live) {
  memoryOf(root).liveState = live;
  showLive(root);
  retrySearch(root);
}
