// The lifecycle of a component: it enters the page, gets new lists, and leaves.

import { watchHeight } from '#page';
import { bringAskAgain, closeStrayMenu } from './acts.js';
import { bringSelection, fetchActs } from './acts_loader.js';
import { absolute, emit, list, memoryOf, part, roots, rootsAt, rootsIn, view } from './component.js';
import { forgetDeferred } from './deferred_changes.js';
import { listenForKeys } from './keys.js';
import { listenAround } from './listen.js';
import { keepConnected, resume, stop } from './live.js';
import { htmx, ready } from './loader.js';
import { emitEmpty } from './instructions.js';
import { forgetRequests, isOlder, setSeen } from './message_order.js';
import { pictureFailed, settleHeadings } from './place.js';
import { fitHeight, placeholdersIn } from './placeholder.js';
import { lastPointer, markMoved } from './press.js';
import { COMPONENT, requestResync, ROWS, SELECTION } from './resync.js';
import { endOf, outside, PICTURE, SIDES } from './rows.js';
import { adoptItems } from './tab_stop.js';
import { setEnd } from './window.js';

/** @import { Memory } from './component.js' */

/** Watches the page for components; not while it is being read: half a component would be taken for a whole one. */
export function watchPage() {
  ready.then(() => {
    rootsIn(document).forEach(enter);
    new MutationObserver((changes) => {
      for (const root of roots) if (!root.isConnected) leave(root);
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      for (const root of rootsIn(document)) if (added.some((node) => node.contains(root))) enter(root);
      // By Turbo, in a frame, from a cache, by `innerHTML`: the page's htmx does not see them come.
      for (const placeholder of placeholdersIn(document)) window.htmx.process(placeholder);
    }).observe(document, { childList: true, subtree: true });
  });
}

/**
 * A component has come by whatever means: htmx, `innerHTML`, a router that puts pages back.
 * @param {HTMLElement} root
 */
export function enter(root) {
  roots.add(root);
  htmx.process(root);
  if (root.dataset.waits) bringAskAgain(root);
  resume({ target: root });
  // It was taken away before it had what it lacked.
  const { missing } = memoryOf(root);
  if (missing) requestResync(root, missing);
}

/** @param {HTMLElement} root */
export function leave(root) {
  roots.delete(root);
  closeStrayMenu?.(root);
  stop(root);
}

/**
 * Looks after each component that is, or has come, inside the element.
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
  // In a shadow root nobody sees it come.
  roots.add(root);
  listenAround(root);
  root.dataset.js = '';
  outside(root).tabIndex = -1;
  listenForKeys(root);
  memory.selecting = part(root, 'selection') && bringSelection(root);
  for (const picture of /** @type {NodeListOf<HTMLImageElement>} */ (root.querySelectorAll(PICTURE))) {
    if (picture.complete && !picture.naturalWidth) picture.decode().catch(() => pictureFailed(picture));
  }
  // Scripts of the host that run after ours get the event of the first list too.
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
  // A press that is on its way is meant for whoever stood there before; under a finger, also in another component.
  if (listNode || lastPointer === 'touch') markMoved(root);
  watchHeight(rows);
  for (const side of SIDES) setEnd(root, side, endOf(root, side)?.dataset.order);
  // Headings are found by the ids that items get.
  adoptItems(root);
  settleHeadings(root);
  const { streamNode, hadFocus, stop } = memoryOf(root);
  // The focus was in the old list, or on the link out of an empty one. Focus in a filter is kept by htmx.
  if (hadFocus && !view(root).matches(':focus-within')) /** @type {HTMLElement} */ (stop).focus({ preventScroll: true });
  if (streamNode) keepConnected(root, streamNode);
  // The list was rendered for another scope than the component: the instruction about the change was for the old list, or never came.
  if (view(root).dataset.scope !== root.dataset.scope) requestResync(root, COMPONENT);
}

/**
 * A new list came: it starts from the state that the address of its stream names.
 * @param {HTMLElement} root
 * @param {Element} rows
 */
function forgetList(root, rows) {
  const memory = memoryOf(root);
  const streamNode = part(root, 'stream');
  const address = absolute(streamNode?.dataset.connect ?? '');
  const seen = address.searchParams.get('lastEventId') ?? '';
  const { received } = memory;
  // `received` is the last message of the stream that was applied, where a new connection goes on: what is around the list is as old.
  // `seen` is the newest state on the screen, an answer's included: nothing that is asked for may be older.
  closeStrayMenu?.(root);
  // A button of the old list would keep all of it.
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
