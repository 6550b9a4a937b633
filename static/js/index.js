// Starts the component: connects the other modules to each other and to the events of the page.

import { fetchActsBy } from './acts.js';
import { fetchActs } from './acts_loader.js';
import { clicked } from './clicks.js';
import { PREFIX, roots } from './component.js';
import { register } from './extension.js';
import { applyUnlessInteracting } from './deferred_changes.js';
import { keyPressed, menuAsked } from './keys.js';
import { watchPage } from './lifecycle.js';
import { listen } from './listen.js';
import { resume, visibilityChanged } from './live.js';
import { pictureFailed } from './place.js';
import { fitHeight } from './placeholder.js';
import { pointerOver, pressBegan, pressEnded, pressReleased, keepLooking, scrolled } from './press.js';
import { resync } from './refetch.js';
import { resyncWith } from './resync.js';
import { PICTURE } from './rows.js';
import { searchTyped, submitted } from './search.js';
import { focused } from './tab_stop.js';

/**
 * Events that are handled in the capture phase, before other listeners can stop them. Only a click that was meant for somebody else,
 * and the search form's own sending, are cancelled.
 * @type {Record<string, (event: any) => unknown>}
 */
const WATCHED = {
  click: pressEnded,
  pointerdown: pressBegan,
  pointerup: pressReleased,
  pointercancel: pressReleased,
  pointerover(event) {
    pointerOver(event);
    applyUnlessInteracting();
  },
  focusin: focused,
  // Deferred changes are placed after a scroll by a person, not after one by our script.
  scroll: (event) => scrolled(event) && applyUnlessInteracting(),
  // The `submit` event of a form inside a form of the host does not bubble up to the document.
  submit: submitted,
  [`${PREFIX}:resume`]: resume,
  visibilitychange: visibilityChanged,
  error: ({ target }) => target.matches?.(PICTURE) && pictureFailed(target),
};

/**
 * Events that are handled at the component: Escape must not reach a dialog of the host around the list.
 * @type {Record<string, (event: any) => unknown>}
 */
const ANSWERED = {
  click: clicked,
  input: searchTyped,
  compositionend: searchTyped,
  keydown: keyPressed,
  contextmenu: menuAsked,
};

/** Called when htmx has been chosen. */
export function start() {
  resyncWith(resync);
  fetchActsBy(fetchActs);
  register();
  listen(WATCHED, true);
  listen(ANSWERED);
  watchPage();
  keepLooking(() => {
    roots.forEach(fitHeight);
    applyUnlessInteracting(false);
  });
}
