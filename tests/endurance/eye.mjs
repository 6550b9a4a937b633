// The eye in a group of 100,000: the row that is looked at does not move by a pixel, at any depth,
// whatever happens above it and however the list grows, shrinks or comes anew.

import assert from 'node:assert/strict';

import { sameAsFresh } from '../engines/law.mjs';
import { crowd, nameOf, stranger } from './crowd.mjs';

const SIZE = 100_000;
/** Numbers of members in the order of the list. */
const DEPTHS = [400, 25_000, 50_000, 99_400];
const CHANGES = 500;
/** More than a window holds. */
const IMPORTED = 1_200;
/** What a browser, or htmx, says about a connection that broke. */
const BROKEN = /fetch|network|load failed|htmx|connection/i;
const MINUTES = 60_000;

/** Watches the first row that is fully in sight, frame by frame; gives its uid. */
function watch(x) {
  cancelAnimationFrame(window.watched?.frame);
  const list = document.getElementById(`${x}-list`);
  const scroller = list.closest('.chat-group-members__scroll');
  const { top, bottom } = scroller.getBoundingClientRect();
  const row = [...list.querySelectorAll('[data-uid]')].find((row) => row.getBoundingClientRect().top >= top && row.getBoundingClientRect().bottom <= bottom);
  const begun = row.getBoundingClientRect().top;
  const watched = (window.watched = { uid: row.dataset.uid, frames: 0, worst: 0, lost: 0 });
  const look = () => {
    watched.frames++;
    const now = document.getElementById(row.id);
    if (now) watched.worst = Math.max(watched.worst, Math.abs(now.getBoundingClientRect().top - begun));
    else watched.lost++;
    watched.frame = requestAnimationFrame(look);
  };
  look();
  return watched.uid;
}

/** What has become of the row that is watched. */
async function still(viewer, when) {
  await viewer.frames();
  const { frame, ...seen } = await viewer.ask(() => window.watched);
  console.log(`${when}: ${JSON.stringify(seen)}`);
  assert.equal(seen.lost, 0, `${when}: the row is gone`);
  assert.ok(seen.worst < 1, `${when}: the row moved by ${seen.worst} px`);
}

/** Scrolls near an end of the window, and looks at a row there while the page behind that end is on its way. */
async function page({ road }, viewer, side) {
  const held = road.gate(/part=rows/);
  const end = (x, side) => {
    const list = document.getElementById(`${x}-list`);
    return (side === 'next' ? list.lastElementChild : list.firstElementChild).dataset.order;
  };
  const before = await viewer.ask(end, viewer.x, side);
  await viewer.ask(
    (x, side) => {
      const scroller = document.querySelector(`#${x} .chat-group-members__scroll`);
      scroller.scrollTop = side === 'next' ? scroller.scrollHeight - scroller.clientHeight - 300 : 300;
    },
    viewer.x,
    side,
  );
  await held.arrived;
  await viewer.ask(watch, viewer.x);
  held.open();
  await viewer.until(
    (x, side, order) => {
      const list = document.getElementById(`${x}-list`);
      return (side === 'next' ? list.lastElementChild : list.firstElementChild).dataset.order !== order;
    },
    viewer.x,
    side,
    before,
  );
}

/** To the middle of the window: changes near its ends are another matter. */
async function rest(viewer) {
  await viewer.ask((x) => {
    const scroller = document.querySelector(`#${x} .chat-group-members__scroll`);
    scroller.scrollTop = (scroller.scrollHeight - scroller.clientHeight) / 2;
  }, viewer.x);
  await viewer.frames();
}

/** Changes above somebody: joins, renames, scopes and departures, within what is loaded and beyond it. */
async function disturb({ server, guid, actor }, depth) {
  const ada = actor('ada');
  const run = `${depth}x${Date.now()}`;
  for (let done = 0; done < CHANGES; done += 25) {
    const five = Array.from({ length: 5 }, (_, i) => {
      const near = i % 2 ? depth - 1 - ((done + i) % 90) : ((done + i) * 97) % Math.max(1, depth - 100);
      return { near: Math.max(0, near), one: stranger(server, guid, `s${run}-${done + i}`, `${nameOf(Math.max(0, near))} b`) };
    });
    const each = (act) => Promise.all(five.map(act));
    await each(({ one }) => one.join());
    await each(({ near, one }) => server.host('PUT', `/users/${one.uid}`, { name: `${nameOf(near)} c` }));
    await each(({ one }) => ada.scope(one.uid, 'moderator'));
    await each(({ one }) => ada.scope(one.uid, 'participant'));
    // Some stay: the list above grows.
    await each(({ near, one }, i) => (i % 2 ? one.leave() : ada.kick(`n${near}`).catch(() => one.leave())));
  }
}

export function eye(scene) {
  scene(
    `the row under the eye stays, at ${DEPTHS.length} depths of a group of ${SIZE.toLocaleString('en')}`,
    async (it) => {
      const { viewer, server, guid, actor } = it;
      for (const depth of DEPTHS) {
        const eve = await viewer('eve', { query: `?limit=100&member=n${depth}` });
        await eve.away();
        for (const side of ['next', 'next', 'next', 'previous', 'previous', 'previous', 'previous']) {
          await page(it, eve, side);
          await still(eve, `${depth}: a page to the ${side}`);
        }
        await rest(eve);
        const uid = await eve.ask(watch, eve.x);
        assert.match(uid, /^n\d+$/);
        const number = Number(uid.slice(1));
        await disturb(it, number);
        await sameAsFresh(eve, 30_000);
        await still(eve, `${depth}: ${CHANGES} changes above`);
        // The program dies; meanwhile another process writes; it comes back.
        await server.kill();
        await eve.live('reconnecting');
        await bringAbove(server, guid, number);
        await server.restart();
        await eve.live('on');
        await actor('ada').scope('ben', 'moderator');
        await actor('ada').scope('ben', 'admin');
        await sameAsFresh(eve, 30_000);
        await still(eve, `${depth}: ${IMPORTED} people imported while the service was away`);
      }
    },
    { members: crowd(SIZE), complaints: BROKEN, timeout: 20 * MINUTES },
  );
}

/** While nobody serves, more people than a window holds come right above a member. */
const bringAbove = (server, guid, number) =>
  server.import(
    guid,
    Array.from({ length: IMPORTED }, (_, i) => ({
      uid: `i${number}-${i}`,
      name: `${nameOf(number - 1)} d${i}`,
      scope: 'participant',
      joinedAt: 1_694_123_400,
    })),
  );
