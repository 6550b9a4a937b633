// Starts the component: connects the other modules to each other and to the events of the page.

import { fetchActsBy } from './core/acts.js';
import { fetchActs } from './acts_loader.js';
import { clicked } from './clicks.js';
import { PREFIX, roots } from './core/component.js';
import { register } from './embed/extension.js';
import { applyUnlessInteracting } from './list/deferred_changes.js';
import { keyPressed, menuAsked } from './keys.js';
import { watchPage } from './embed/lifecycle.js';
import { listen } from './core/listen.js';
import { resume, visibilityChanged } from './live/stream.js';
import { pictureFailed } from './list/place.js';
import { fitHeight } from './embed/placeholder.js';
import { pointerOver, pressBegan, pressEnded, pressReleased, pollInteractions, scrolled } from './input/press.js';
import { resync } from './list/refetch.js';
import { resyncWith } from './server/resync.js';
import { PICTURE } from './core/rows.js';
import { searchTyped, submitted } from './list/search.js';
import { focused } from './input/tab_stop.js';

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
  pollInteractions(() => {
    roots.forEach(fitHeight);
    applyUnlessInteracting(false);
  });
}
