// The live stream. A connection is one htmx request, so that what a host adds to htmx requests (a bearer
// token, a cross-origin mode) applies to it. This module reads the stream and reconnects it: a failed first
// connection is retried, a refusal ends the stream, no element has two connections, and a connection that
// died silently is detected. The extension hx-sse does none of these, and would add `text/event-stream` to
// the Accept header of every htmx request of the host.

import { bringAskAgain } from '../core/acts.js';
import { addressOf, hasFocus, memoryOf, PREFIX, part, roots, rootsAt, say, word } from '../core/component.js';
import { messagesIn } from './event_stream.js';
import { forgetDeferred } from '../list/deferred_changes.js';
import { htmx } from '../core/loader.js';
import { applyLate, forgetRequests, takeMessage } from '../server/message_order.js';
import { askForToken } from '../server/requests.js';
import { showLive } from '../server/resync.js';
import { retrySearch } from '../list/search.js';
import { delay, LONGEST_WAIT, untilVisible } from '../core/wait.js';

/** Delay before the first reconnection, milliseconds, unless the server asks for a longer one. */
const SHORTEST_WAIT = 500;
/** A connection without data for this long is dead, milliseconds. The server sends a heartbeat at least every 15 seconds. */
const LONGEST_SILENCE = 45_000;

/**
 * Reads the stream of a component, and connects again whenever it ends, until it is ended for good.
 * @param {HTMLElement} root
 * @param {HTMLElement} stream
 */
export async function keepConnected(root, stream) {
  const memory = memoryOf(root);
  // Only the latest call continues: `endStream` and `resume` may be called while an earlier one waits.
  const run = (memory.currentRun = {});
  const current = () => stream.isConnected && memory.currentRun === run;
  let tries = 0;
  while (current()) {
    applyLate(root);
    await untilVisible();
    if (!current()) return;
    const started = performance.now();
    memory.retryWait = SHORTEST_WAIT;
    await htmx.ajax('GET', `${stream.dataset.connect}&self=${root.dataset.self}`, {
      source: stream,
      target: stream,
      swap: 'none',
      headers: { Accept: 'text/event-stream', ...(memory.received && { 'Last-Event-ID': memory.received }) },
      fetch: (address, request) => readStream(root, stream, address, request),
    });
    if (!current()) return;
    setLive(root, 'reconnecting');
    if (performance.now() - started > 5_000) tries = 0;
    await delay(Math.max(memory.retryWait, Math.min(memory.retryWait * 2 ** tries++, LONGEST_WAIT)));
  }
}

/**
 * Reads the stream until it ends, for whatever reason. htmx gets an empty response: each message has been applied on arrival.
 * @param {HTMLElement} root
 * @param {HTMLElement} stream
 * @param {RequestInfo | URL} address
 * @param {RequestInit} [request]
 */
async function readStream(root, stream, address, request) {
  /** @type {number | undefined} */
  let watch;
  const rearmWatchdog = (silence = LONGEST_SILENCE) => {
    if (!stream.isConnected) throw new Error('ended');
    clearTimeout(watch);
    watch = setTimeout(abort, silence, stream);
  };
  try {
    // A connection without a response is aborted sooner than one that falls silent.
    rearmWatchdog(LONGEST_WAIT);
    const response = await fetch(address, request);
    if (response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
      // The list is live from the first data, not from the response's head: a proxy may hold back the body.
      let onChunk = () => {
        setLive(root, 'on');
        onChunk = rearmWatchdog;
        rearmWatchdog();
      };
      for await (const message of messagesIn(/** @type {NonNullable<Response['body']>} */ (response.body), () => onChunk())) receive(root, message);
    } else streamRefused(root, response, await response.text());
  } catch {
    // The connection was cut or could not be made: `keepConnected` reconnects.
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
  // Messages with a name (`bye`) are for other programs; those for the screen have none.
  if (data && !event) takeMessage(root, { id: id || memory.received, text: data });
  else if (id) memory.received = id;
}

/**
 * Aborts the request of a stream's element. The event is dispatched without htmx, which would dispatch it on the document when the
 * element is off the page.
 * @param {Element | null} [stream]
 */
export const abort = (stream) => stream?.dispatchEvent(new CustomEvent('htmx:abort'));

/** Ends the streams of a page that is hidden; they are opened again when it is seen. */
export function visibilityChanged() {
  if (document.hidden) for (const root of roots) abort(memoryOf(root).streamNode);
}

/**
 * Ends the stream after any 401, and after another 4xx of the service, whose errors have a code. 408, 425, 429, 5xx and the errors of a
 * proxy only delay the next connection.
 * @param {HTMLElement} root
 * @param {Response} response
 * @param {string} text
 */
function streamRefused(root, { status, headers }, text) {
  if (status === 401) endStream(root, 'expired');
  else if (/data-code/.test(text) && /^4(?!08|25|29)/.test(/** @type {any} */ (status))) {
    endStream(root);
    if (status === 404) showEnded(root);
  } else memoryOf(root).retryWait = Math.max(SHORTEST_WAIT, 1_000 * Number(headers.get('Retry-After')) || 0);
}

/**
 * Replaces the list by a notice: its viewer was removed from the group while the connection was down and may not see the list.
 * @param {HTMLElement} root
 */
function showEnded(root) {
  const memory = memoryOf(root);
  forgetDeferred(root);
  // Each of these references would keep the whole list in memory.
  Object.assign(memory, { opener: null, stop: null, listNode: null, streamNode: null });
  root.classList.add(`${PREFIX}--ended`);
  Object.assign(root.dataset, { count: 0, scope: '', href: addressOf(root, 'part=component'), waits: part(root, 'ended').dataset.waits });
  const hadFocus = hasFocus(root);
  root.replaceChildren(part(root, 'ended').content);
  if (hadFocus) /** @type {HTMLElement} */ (root.firstElementChild).focus();
  bringAskAgain(root);
}

/**
 * Ends the connection and its loop of reconnections. Pending answers still arrive, but the messages kept for them are dropped: another
 * component may have taken this one's place.
 * @param {HTMLElement} root
 */
export function stop(root) {
  const memory = memoryOf(root);
  forgetRequests(memory);
  memory.currentRun = null;
  abort(memory.streamNode);
}

/**
 * Ends the stream for good, or until the host dispatches `resume`.
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
 * Reconnects streams that have ended. The host dispatches `chat-group-members:resume` on a root or on the document once it has a new
 * token.
 * @param {{ target: Element | Document }} event
 */
export function resume({ target }) {
  for (const root of target === document ? roots : rootsAt(/** @type {Element} */ (target))) {
    const { currentRun, streamNode } = memoryOf(root);
    if (!currentRun && streamNode?.isConnected) keepConnected(root, streamNode);
  }
}

/**
 * Records and shows whether the stream is connected.
 * @param {HTMLElement} root
 * @param {string} live
 */
export function setLive(root, live) {
  memoryOf(root).liveState = live;
  showLive(root);
  retrySearch(root);
}
