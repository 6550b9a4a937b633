// What people do who only read: they go to a place in the list and take their hands off, while others change what stands around that place.

import { setTimeout as sleep } from 'node:timers/promises';

import { VIEWERS, crowd } from './cast.mjs';
import { away } from './presses.mjs';

const LIST = '.chat-group-members__list';
/** Milliseconds that the rest of a list may take to come, and after which a list that was scrolled stands still. */
const COMES = 5_000;
const STANDS = 1_000;
/** Milliseconds between two changes, so that each comes by a message of its own. */
const PACE = 150;
/** Of so many at the end, all of them in sight there and below what is read, so many leave. */
const LAST = 4;
const LEAVING = 2;
/** So many people above get a name that takes three lines on these screens, with the fonts that there are. */
const RENAMED = 5;
const LONGER = ' W'.repeat(40);

/** Goes to so much of what is loaded, 1 for its end, and takes the hands off: from then on the person moves nothing. */
async function settleAt(screen, share) {
  // A row with the focus, as a press leaves one, holds the list: nobody would come or go.
  await screen.ask(() => window.storm.blur());
  await away(screen);
  await screen.ask((share) => {
    const box = window.storm.scroller();
    window.storm.own(2_000);
    box.scrollTo(0, share * (box.scrollHeight - box.clientHeight));
  }, share);
  await sleep(STANDS);
  await screen.hold('eye');
  await screen.ask(() => window.storm.settle());
}

/** Whose rows are loaded, from top to bottom, and where each of them ends. */
function rowsOf(screen) {
  return screen.ask((list) => {
    const rows = [...document.querySelectorAll(`${list} > [data-uid]`)];
    return rows.map((row) => ({ uid: row.dataset.uid, bottom: row.getBoundingClientRect().bottom }));
  }, LIST);
}

export const READING = {
  /** Reads at the very end, where the list cannot be scrolled on. Meanwhile some of the last leave, and come back. */
  async end(screen, dice, storm) {
    const isLoaded = (list) => {
      const next = document.querySelector(`${list} > .chat-group-members__next`);
      window.storm.own(2_000);
      if (next) window.storm.scroller().scrollTo(0, 1e6);
      return !next;
    };
    if (!(await screen.until(isLoaded, LIST, COMES))) return;
    await settleAt(screen, 1);
    const last = (await rowsOf(screen)).slice(-LAST).map(({ uid }) => uid);
    const strangers = last.filter((uid) => !VIEWERS.some((viewer) => viewer.uid === uid));
    const leaving = dice.some(strangers, LEAVING);
    if (!leaving.length) return;
    for (const uid of leaving) {
      await storm.act(uid, screen.group, 'DELETE', `/members/${uid}`);
      await sleep(PACE);
    }
    await storm.host('POST', `/groups/${screen.group}/members`, { participants: leaving });
    await sleep(PACE);
  },

  /**
   * Reads in the middle. Meanwhile the names of some above take more lines, one after the other, and fewer again: a row of three lines is no
   * whole number of pixels high, and a list is scrolled by whole ones. What is lost each time adds up.
   */
  async read(screen, dice, storm) {
    await settleAt(screen, dice.between(0.4, 0.9));
    // So far above that nobody in sight changes places with them.
    const above = (await rowsOf(screen)).filter(({ bottom }) => bottom < 0).map(({ uid }) => uid);
    const renamed = dice.some(
      crowd(screen.group).filter(({ uid }) => above.includes(uid)),
      RENAMED,
    );
    for (const longer of [LONGER, '']) {
      for (const { uid, name } of renamed) {
        await storm.host('PUT', `/users/${uid}`, { name: name + longer });
        await sleep(PACE);
      }
    }
  },
};
