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

/** Loads page after page behind an end of the window, until somebody's row has come, or gone. */
async function further(viewer, side, uid, isThere) {
  const at = side === 'next' ? -1 : 0;
  for (let pages = 0; pages < PAGES && (await viewer.uids()).includes(uid) !== isThere; pages++) {
    const last = (await viewer.uids()).at(at);
    await viewer.toEnd(side);
    await viewer.until((x, at, last) => [...document.querySelectorAll(`#${x} [data-uid][data-order]`)].at(at).dataset.uid !== last, viewer.x, at, last);
  }
  assert.equal((await viewer.uids()).includes(uid), isThere);
}

export function ends(scene) {
  scene(
    'the row that has the focus keeps its end of the window',
    async ({ viewer }) => {
      const ada = await viewer('ada', { query: '?limit=100' });
      await ada.away();
      await ada.focus(`#${ada.x}-list [tabindex="0"]`);
      for (let pages = 0; pages < 4; pages++) {
        const last = (await ada.uids()).at(-1);
        await ada.toEnd('next');
        await ada.until((x, last) => [...document.querySelectorAll(`#${x} [data-uid][data-order]`)].at(-1).dataset.uid !== last, ada.x, last);
      }
      assert.ok((await ada.uids()).includes('ada'), 'focused, and still there');
      await ada.ask(() => document.activeElement.blur());
      await further(ada, 'next', 'ada', false);
      await sameAsFresh(ada);
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
