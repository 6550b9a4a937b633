// The loaded window has two ends: what is let go of is not forgotten, and keys lead beyond it.

import assert from 'node:assert/strict';

import { people } from '../browser/cast.mjs';
import { sameAsFresh } from './law.mjs';

/** So many that a window lets go of one end when it comes to the other. */
const crowd = () => [
  ...people(),
  ...Array.from({ length: 500 }, (_, i) => ({ uid: `c${i}`, name: `Crowd ${1000 + i}`, scope: 'participant', joinedAt: 1_694_000_000 })),
];
/** Pages of a hundred, from one end of the crowd to the other. */
const PAGES = 6;

/** What a browser, or htmx, says about a connection that broke. */
const BROKEN = /fetch|network|load failed|htmx|connection/i;

/** Waits until another is the last at an end of the window than this one. */
const extended = (viewer, side, last) =>
  viewer.until(
    (x, at, last) => [...document.querySelectorAll(`#${x} [data-uid][data-order]`)].at(at).dataset.uid !== last,
    viewer.x,
    side === 'next' ? -1 : 0,
    last,
  );

/** Loads the page behind an end of the window. */
async function page(viewer, side) {
  const last = (await viewer.uids()).at(side === 'next' ? -1 : 0);
  await viewer.toEnd(side);
  await extended(viewer, side, last);
}

/** Loads page after page behind an end of the window, until somebody's row has come, or gone. */
async function further(viewer, side, uid, isThere) {
  for (let pages = 0; pages < PAGES && (await viewer.uids()).includes(uid) !== isThere; pages++) await page(viewer, side);
  assert.equal((await viewer.uids()).includes(uid), isThere);
}

/** Who was looked at is still the first in sight, and has not moved by a pixel. */
async function still(viewer, [uid, top]) {
  await viewer.frames();
  const [now, there] = await viewer.eye();
  assert.equal(now, uid);
  assert.ok(Math.abs(there - top) < 1, `${uid} moved by ${there - top} px`);
}

export function ends(scene) {
  scene(
    'the row that has the focus keeps its end of the window',
    async ({ viewer }) => {
      const ada = await viewer('ada', { query: '?limit=100' });
      await ada.away();
      await ada.focus(`#${ada.x}-list [tabindex="0"]`);
      for (let pages = 0; pages < 4; pages++) await page(ada, 'next');
      assert.ok((await ada.uids()).includes('ada'), 'focused, and still there');
      await ada.ask(() => document.activeElement.blur());
      await further(ada, 'next', 'ada', false);
      await sameAsFresh(ada);
    },
    { members: crowd() },
  );

  scene(
    'names above that take more lines and fewer, in heights that are no whole pixels, leave what one reads where it is to the pixel',
    async ({ viewer, server }) => {
      const ada = await viewer('ada', { query: '?limit=100' });
      await ada.away();
      await ada.ask((x) => {
        document.getElementById(x).style.setProperty('--chat-leading', '1.4');
        document.getElementById(`${x}-list`).parentElement.scrollTop = 1_500;
      }, ada.x);
      await ada.frames();
      const read = await ada.eye();
      for (let turn = 1; turn <= 30; turn++) {
        const name = `Ben Okafor ${'of the long names '.repeat((turn % 2) * 3)}${turn}`;
        await server.host('PUT', '/users/ben', { name });
        await ada.until((row, end) => document.querySelector(row).textContent.includes(end), ada.row('ben'), name.trim());
      }
      await still(ada, read);
    },
    { members: crowd() },
  );

  scene(
    'a row whose text is marked keeps its end of the window; an open menu does not, and goes with its row',
    async ({ viewer }) => {
      const ada = await viewer('ada', { query: '?limit=100' });
      await ada.away();
      await ada.ask((name) => getSelection().selectAllChildren(document.querySelector(name)), `${ada.row('ada')} bdi`);
      for (let pages = 0; pages < 4; pages++) await page(ada, 'next');
      assert.ok((await ada.uids()).includes('ada'), 'marked, and still there');
      await ada.activate(ada.button('cy'));
      await ada.shown(`${ada.part('menu')} [data-action]`);
      await ada.ask(() => getSelection().removeAllRanges());
      await further(ada, 'next', 'cy', false);
      await ada.hidden(ada.part('menu'));
    },
    { members: crowd() },
  );

  scene(
    'an address that names somebody far down opens the list around them; neither pages on both sides nor hundreds right above move what one reads',
    async ({ viewer, actor, server, guid, road }) => {
      const eve = await viewer('eve', { query: '?limit=100&member=c250' });
      await eve.away();
      await eve.there(eve.row('c250'));
      assert.ok(!(await eve.uids()).includes('ada'), 'who is far from them is not loaded');
      for (const side of ['previous', 'next']) {
        const last = (await eve.uids()).at(side === 'next' ? -1 : 0);
        const slow = road.gate(/part=rows/);
        // So near that the page is asked for, and not at the very end.
        await eve.ask(
          (x, side) => {
            const box = document.getElementById(`${x}-list`).parentElement;
            box.scrollTo(0, side === 'next' ? box.scrollHeight - box.clientHeight - 300 : 300);
          },
          eve.x,
          side,
        );
        await slow.arrived;
        const seen = await eve.eye();
        slow.open();
        await extended(eve, side, last);
        await still(eve, seen);
      }
      await eve.ask((row) => document.querySelector(row).scrollIntoView({ block: 'start' }), eve.row('c250'));
      await eve.frames();
      const seen = await eve.eye();
      for (let i = 0; i < 5; i++) await actor(`n${i}`, `Crowd 1249 ${i}`).join();
      await eve.there(eve.row('n4'));
      await still(eve, seen);
      await server.import(
        guid,
        Array.from({ length: 300 }, (_, i) => ({ uid: `a${i}`, name: `Crowd 1249 above ${i}`, scope: 'participant', joinedAt: 1_694_000_000 })),
      );
      await eve.until((x) => Number(document.getElementById(x).dataset.count) > 900, eve.x);
      await sameAsFresh(eve);
      await still(eve, seen);
    },
    { members: crowd() },
  );

  scene(
    'who is imported far from what one reads leaves it where it is',
    async ({ viewer, server, guid }) => {
      const eve = await viewer('eve', { query: '?limit=100' });
      await eve.away();
      await further(eve, 'next', 'c250', true);
      await eve.ask((row) => document.querySelector(row).scrollIntoView({ block: 'start' }), eve.row('c250'));
      await eve.frames();
      const top = () => eve.ask((row) => document.querySelector(row).getBoundingClientRect().top, eve.row('c250'));
      const before = await top();
      await server.import(
        guid,
        Array.from({ length: 700 }, (_, i) => ({ uid: `b${i}`, name: `Before ${i}`, scope: 'participant', joinedAt: 1_694_000_000 })),
      );
      await eve.until((x) => Number(document.getElementById(x).dataset.count) > 1_000, eve.x);
      await eve.live('on');
      await sameAsFresh(eve);
      assert.equal(await top(), before);
    },
    { members: crowd() },
  );

  scene(
    'people stay selected when their rows are let go of, and are still when they are seen again',
    async ({ viewer }) => {
      const eve = await viewer('eve', { query: '?selectionMode=multiple&limit=100' });
      await eve.click(eve.part('s-cy'));
      await eve.says(eve.part('count'), '1 selected');
      // A row with the focus would stay.
      await eve.away();
      await eve.ask(() => document.activeElement.blur());
      await further(eve, 'next', 'cy', false);
      assert.equal(await eve.text(eve.part('count')), '1 selected');
      assert.deepEqual(
        await eve.ask(
          (x) =>
            document
              .getElementById(x)
              .chatGroupMembers.selected()
              .map(({ uid }) => uid),
          eve.x,
        ),
        ['cy'],
      );
      await sameAsFresh(eve);
      await further(eve, 'previous', 'cy', true);
      assert.equal(await eve.ask((box) => document.querySelector(box).checked, eve.part('s-cy')), true);
      await sameAsFresh(eve);
    },
    { members: crowd() },
  );

  scene(
    'Shift selects over rows that were let go of; a selection alone holds nothing; who has left meanwhile is found out when the window is fetched anew',
    async ({ viewer, actor, server, guid, road }) => {
      const eve = await viewer('eve', { query: '?selectionMode=multiple&limit=100' });
      // The host hears of the list when one can select.
      await eve.until(() => window.heard.some(({ name }) => name === 'load'));
      await eve.away();
      await eve.focus(`#${eve.x}-list [tabindex="0"]`);
      await eve.press('ArrowDown', 'ArrowDown', 'Space');
      await eve.says(eve.part('count'), '1 selected');
      await eve.ask(() => document.activeElement.blur());
      await further(eve, 'next', 'cy', false);
      // To scroll to it would bring Cy back.
      await eve.ask((stop) => document.querySelector(stop).focus({ preventScroll: true }), `#${eve.x}-list [tabindex="0"]`);
      await eve.press('Shift+Space');
      const all = (await actor('eve').members('?from=0&until=~')).data.map(({ uid }) => uid);
      const until = (await eve.focused()).slice('m-'.length);
      const selected = all.indexOf(until) - all.indexOf('cy') + 1;
      assert.ok(selected > 2, `${selected} from Cy to ${until}`);
      await eve.says(eve.part('count'), `${selected} selected`);
      await eve.ask(() => document.activeElement.blur());
      const other = (await eve.uids()).at(-20);
      await actor('ada').kick(other);
      await eve.gone(eve.row(other));
      road.down = true;
      road.cut();
      await eve.live('reconnecting');
      await actor('ada').kick('cy');
      // More than messages can tell.
      await server.import(
        guid,
        Array.from({ length: 700 }, (_, i) => ({ uid: `b${i}`, name: `Before ${i}`, scope: 'participant', joinedAt: 1_694_000_000 })),
      );
      road.down = false;
      await eve.live('on');
      await eve.says(eve.part('count'), `${selected - 1} selected`);
      await sameAsFresh(eve);
    },
    { members: crowd(), complaints: BROKEN },
  );

  scene('when all who stand beyond the end have left, an empty answer takes the sentinel away', async ({ viewer, actor }) => {
    const eve = await viewer('eve', { query: '?limit=100' });
    await eve.away();
    const shown = await eve.uids();
    const all = (await actor('eve').members('?from=0&until=~')).data.map(({ uid }) => uid);
    const beyond = all.filter((uid) => !shown.includes(uid));
    assert.ok(beyond.length > 0 && beyond.length < 20, `${beyond.length} beyond the end`);
    for (const uid of beyond) await actor('ada').kick(uid);
    await eve.until((x, count) => document.getElementById(x).dataset.count === String(count), eve.x, shown.length);
    await eve.toEnd('next');
    await eve.gone(`#${eve.x} .chat-group-members__next`);
    assert.deepEqual(await eve.uids(), shown);
    await sameAsFresh(eve);
  });

  scene('whoever leaves where the list cannot be scrolled on leaves their space till one scrolls, and what one reads stays', async ({ viewer, actor }) => {
    const eve = await viewer('eve', { query: '?limit=100' });
    await eve.away();
    await page(eve, 'next');
    await eve.gone(`#${eve.x} .chat-group-members__next`);
    const scrollTo = (top) => eve.ask((x, top) => document.getElementById(`${x}-list`).parentElement.scrollTo(0, top), eve.x, top);
    await scrollTo(1e6);
    await eve.frames();
    const [other, last] = (await eve.uids()).slice(-2);
    const top = await eve.topOf(other);
    await actor('ada').kick(last);
    await eve.gone(eve.row(last));
    await eve.frames();
    const moved = (await eve.topOf(other)) - top;
    assert.ok(Math.abs(moved) < 1, `moved by ${moved} px`);
    await scrollTo(0);
    await eve.until((x) => !document.getElementById(`${x}-list`).style.marginBlockEnd, eve.x);
    await sameAsFresh(eve);
  });

  scene(
    'Home and End lead to the true first and last member, whatever is loaded',
    async ({ viewer, actor }) => {
      const { data } = await actor('eve').members('?before=end&limit=1');
      const eve = await viewer('eve');
      await eve.away();
      await eve.focus(`#${eve.x}-list [tabindex="0"]`);
      await eve.press('End');
      await eve.focusIn(data[0].uid);
      const end = await eve.uids();
      assert.equal(end.at(-1), data[0].uid);
      assert.ok(!end.includes('ada'), 'the first were let go of');
      await eve.press('Home');
      await eve.focusIn('ada');
      assert.equal((await eve.uids())[0], 'ada');
      await eve.focus(eve.part('q'));
      await sameAsFresh(eve);
    },
    { members: crowd() },
  );
}
