// A finger on the list. Chromium's driver forgets one that is down between two commands: each goes down and up in one,
// and what is on the screen meanwhile the page itself writes down.

import assert from 'node:assert/strict';

import input from 'selenium-webdriver/lib/input.js';

import { sameAsFresh } from './law.mjs';

const FINGER = new input.Pointer('finger', input.Pointer.Type.TOUCH);
/** Milliseconds: longer than news takes to come, and too short to ask for the browser's own menu. */
const RESTS = 400;
/** Milliseconds after the finger, within the second in which the list goes on resting. */
const SOON = 700;
const pill = '.chat-group-members__held button';

/** Runs in the page: keeps what it shows of a row when the next finger goes up, and soon after; a request says that it is down. */
function watchFinger(row, pill, soon) {
  const seen = (window.seen = []);
  const look = () => seen.push({ top: document.querySelector(row).getBoundingClientRect().top, waits: document.querySelector(pill).checkVisibility() });
  const began = ({ pointerType }) => {
    seen.push(pointerType);
    fetch('/finger');
  };
  const ended = () => {
    look();
    setTimeout(look, soon);
  };
  document.addEventListener('pointerdown', began, { capture: true, once: true });
  document.addEventListener('pointerup', ended, { capture: true, once: true });
}

/** A finger goes down on the middle of something, rests while something happens, and goes up. Somebody's row has not moved by then, nor soon after. */
async function rest(road, viewer, selector, uid, happen) {
  road.pages.set('/finger', '');
  const [x, y] = await viewer.point(selector);
  await viewer.away();
  await viewer.ask(watchFinger, viewer.row(uid), pill, SOON);
  const top = await viewer.topOf(uid);
  const finger = viewer.driver.actions();
  finger.insert(FINGER, FINGER.move({ x, y, duration: 0 }), FINGER.press());
  finger.pause(RESTS, FINGER).insert(FINGER, FINGER.release());
  const down = road.until(() => road.asked.includes('GET /finger'));
  await Promise.all([finger.perform(), down.then(happen)]);
  await viewer.until(() => window.seen.length === 3);
  const [kind, released, soon] = await viewer.ask(() => window.seen);
  assert.equal(kind, 'touch');
  assert.deepEqual(released, { top, waits: true }, 'when the finger goes up');
  assert.deepEqual(soon, { top, waits: true }, 'soon after');
}

export function touch(scene) {
  scene('a finger rests on the button of Cy while Dee rises above: nothing moves, and no menu of another opens', async ({ viewer, actor, road }) => {
    const ada = await viewer('ada');
    await rest(road, ada, ada.button('cy'), 'cy', () => actor('ada').scope('dee', 'admin'));
    // Not every driver makes a click of a finger.
    assert.match((await ada.text(ada.part('menu'))) ?? '', /^$|Cy Marlowe/);
    await ada.press('Escape');
    await ada.hidden(ada.part('menu'));
    await ada.ask(() => document.activeElement.blur());
    await ada.hidden(pill);
    await sameAsFresh(ada);
  });

  scene('the list rests until a second after the last finger, also when that was on a heading', async ({ viewer, actor, road }) => {
    const ada = await viewer('ada');
    await rest(road, ada, `#${ada.x} [data-heading="moderator"]`, 'cy', () => actor('ada').scope('dee', 'admin'));
    await ada.hidden(pill);
    assert.deepEqual((await ada.uids()).slice(0, 4), ['ada', 'ben', 'dee', 'cy']);
    await sameAsFresh(ada);
  });
}
