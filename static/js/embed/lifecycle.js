// The lifecycle of a component: it enters the page, gets new lists, and leaves.

import { watchHeight } from '#page';
import { bringAskAgain, closeStrayMenu } from '../core/acts.js';
import { bringSelection, fetchActs } from '../acts_loader.js';
import { absolute, emit, list, memoryOf, part, roots, rootsAt, rootsIn, view } from '../core/component.js';
import { forgetDeferred } from '../list/deferred_changes.js';
import { listenAround } from '../core/listen.js';
import { keepConnected, resume, stop } from '../live/stream.js';
import { htmx, ready } from '../core/loader.js';
import { emitEmpty } from '../live/host_numbers.js';
import { forgetRequests, isOlder, setSeen } from '../server/message_order.js';
import { pictureFailed, settleHeadings } from '../list/place.js';
import { fitHeight, placeholdersIn } from './placeholder.js';
import { lastPointer, markMoved } from '../input/press.js';
import { COMPONENT, requestResync, ROWS, SELECTION } from '../server/resync.js';
import { sentinelOf, focusList, PICTURE, rowsOf, SIDES } from '../core/rows.js';
import { adoptItems } from '../input/tab_stop.js';
import { setSentinel } from '../list/window.js';

/** @import { Memory } from '../core/component.js' */

/**
 * Starts a component that has left the page when it is seen again: it may have come back with the shadow root that it is in, where
 * `watchPage` does not find it. A browser does not keep what is observed in memory.
 */
const left = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of /** @type {any[]} */ (entries)) if (isIntersecting && !roots.has(target)) enter(target);
});

/** Watches the page for components once it has been parsed: before that, a component may be incomplete. */
export function watchPage() {
  ready.then(() => {
    rootsIn(document).forEach(enter);
    new MutationObserver(() => {
      for (const root of roots) if (!root.isConnected) leave(root);
      for (const root of rootsIn(document)) if (!roots.has(root)) enter(root);
      // The page's htmx does not notice placeholders that come by Turbo (a frame, a cached page) or by `innerHTML`.
      for (const placeholder of placeholdersIn(document)) window.htmx.process(placeholder);
    }).observe(document, { childList: true, subtree: true });
  });
}

/**
 * Starts a component that has come to the page by any means: htmx, `innerHTML`, a router that puts pages back.
 * @param {HTMLElement} root
 */
export function enter(root) {
  // By this, a new one is adopted.
  htmx.process(root);
  if (!roots.has(root)) include(root);
  resume({ target: root });
  // It was taken off the page before its resync succeeded.
  const { missing } = memoryOf(root);
  if (missing) requestResync(root, missing);
}

/** @param {HTMLElement} root */
function include(root) {
  roots.add(root);
  listenAround(root);
  if (root.dataset.waits) bringAskAgain(root);
}

/**
 * Ends what a component does while it is on the page. It begins again when the component is put back.
 * @param {HTMLElement} root
 */
export function leave(root) {
  roots.delete(root);
  left.observe(root);
  closeStrayMenu?.(root);
  stop(root);
}

/**
 * Adopts the component around an element, or the components inside it, and their lists.
 * @param {Element} element
 */
export function adoptComponents(element) {
  for (const root of rootsAt(element)) {
    adoptComponent(root);
    adoptList(root);
  }
}

/** @param {HTMLElement} root */
function adoptComponent(root) {
  const memory = memoryOf(root);
  if (memory.begun) return;
  memory.begun = true;
  // The observer of `watchPage` does not see into shadow roots.
  include(root);
  root.dataset.js = '';
  // It takes the focus when no row is left. In a low window it scrolls, and Firefox would make it a stop of the Tab key.
  root.tabIndex = -1;
  memory.selecting = part(root, 'selection') && bringSelection(root);
  for (const picture of /** @type {NodeListOf<HTMLImageElement>} */ (root.querySelectorAll(PICTURE))) {
    if (picture.complete && !picture.naturalWidth) picture.decode().catch(() => pictureFailed(picture));
  }
  // The event of the first list waits for scripts of the host that run after this one and listen for it.
  Promise.all([ready, memory.selecting]).then(() => {
    if (list(root)) {
      emit(root, 'load', { count: Number(root.dataset.count) });
      // Moderators and up are likely to need the script of acts soon.
      if (root.dataset.scope !== 'participant') fetchActs();
    }
    emitEmpty(root);
    fitHeight(root);
  });
}

/** @param {HTMLElement} root */
function adoptList(root) {
  const rows = list(root);
  const { listNode } = memoryOf(root);
  if (!rows || rows === listNode) return;
  forgetList(root, rows);
  // A press under way was meant for a row of the old list, or for what was here before.
  if (lastPointer || listNode) rowsOf(root).forEach(markMoved);
  watchHeight(rows);
  for (const side of SIDES) setSentinel(root, side, sentinelOf(root, side)?.dataset.order);
  // `settleHeadings` finds headings by the ids that `adoptItems` sets.
  adoptItems(root);
  settleHeadings(root);
  const { streamNode, hadFocus } = memoryOf(root);
  // The focus was in the old list, or on the link of an empty one. htmx restores focus that was in a filter.
  if (hadFocus && !view(root).matches(':focus-within')) focusList(root);
  if (streamNode) keepConnected(root, streamNode);
  // The list was rendered for another scope than the component: the message about the change was for the old list, or was missed.
  if (view(root).dataset.scope !== root.dataset.scope) requestResync(root, COMPONENT);
}

/**
 * Resets what is remembered about the list. The event id in the address of its stream says which state the new list shows.
 * @param {HTMLElement} root
 * @param {Element} rows
 */
function forgetList(root, rows) {
  const memory = memoryOf(root);
  const streamNode = part(root, 'stream');
  const address = absolute(streamNode?.dataset.connect ?? '');
  const seen = address.searchParams.get('lastEventId') ?? '';
  const { received } = memory;
  // `received` is the last applied message of the stream, where a new connection resumes: what is around the list is no newer.
  // `seen` is the newest state on the screen, answers included: no later answer may be older than it.
  closeStrayMenu?.(root);
  // A reference to a button of the old list would keep that whole list in memory.
  Object.assign(memory, {
    opener: null,
    stop: null,
    listNode: rows,
    streamNode,
    received: isOlder(received, seen) ? received : seen,
    missing: memory.missing === ROWS ? SELECTION : memory.missing,
    filter: undefined,
    extending: { failures: 0 },
    headings: {},
  });
  setSeen(memory, seen);
  forgetRequests(memory);
  forgetDeferred(root);
}
