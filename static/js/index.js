// Starts the component: joins what the other modules do to the page.

import { fetchActsBy } from './acts.js';
import { fetchActs } from './acts_loader.js';
import { clicked } from './clicks.js';
import { PREFIX, roots } from './component.js';
import { register } from './extension.js';
import { applyUnlessInteracting } from './deferred_changes.js';
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
 * Watched before anybody can stop them. Only a click that is meant for somebody else is kept from what it does.
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
  // What waits for a person is not placed because a script has scrolled.
  scroll: (event) => scrolled(event) && applyUnlessInteracting(),
  // In a form of the host's a form inside it submits, and no one further up hears of it.
  submit: submitted,
  visibilitychange: visibilityChanged,
  error: ({ target }) => target.matches?.(PICTURE) && pictureFailed(target),
};

/**
 * Answered after the host has heard of them.
 * @type {Record<string, (event: any) => unknown>}
 */
const ANSWERED = {
  click: clicked,
  input: searchTyped,
  compositionend: searchTyped,
  [`${PREFIX}:resume`]: resume,
};

/** Called once htmx is chosen. */
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
