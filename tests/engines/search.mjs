// Finding somebody: the search box, the quick filters, the pages in both directions.

import assert from 'node:assert/strict';

import { people } from '../browser/cast.mjs';
import { sameAsFresh } from './law.mjs';

/** Most rows that a window keeps. */
const MOST = 300;

/** The cast and a crowd of so many pages that the loaded window lets go of one end. */
const crowd = () => [
  ...people(),
  ...Array.from({ length: 500 }, (_, i) => ({ uid: `c${i}`, name: `Crowd ${1000 + i}`, scope: 'participant', joinedAt: 1_694_000_000 })),
];

export function search(scene) {
  scene('Eve finds people by any part of the name, without its accents, in any script', async ({ viewer }) => {
    const eve = await viewer('eve');
    for (const [text, found] of [
      ['angstrom', 'zoe'],
      ['小明', 'wxm'],
      ['الزهراء', 'fat'],
    ]) {
      await eve.search(text);
      await eve.shows(found);
      assert.equal(await eve.focused(), 'q', 'the box keeps the focus all the while');
      assert.equal(await eve.ask((x) => document.getElementById(x).dataset.count, eve.x), '1');
      assert.equal(await sameAsFresh(eve), 1);
    }
    await eve.search('');
    await eve.there(eve.row('ada'));
    assert.equal(await sameAsFresh(eve), 30);
  });

  scene('a search that finds no one says so, and offers everybody', async ({ viewer, picture }) => {
    const eve = await viewer('eve');
    await eve.search('nobody is called this');
    await eve.says(eve.part('empty'), 'No one matches');
    await eve.says(eve.part('say'), 'No one matches');
    await sameAsFresh(eve);
    await picture('nobody');
    await eve.click(`${eve.part('empty')} a`);
    await eve.there(eve.row('ada'));
    await sameAsFresh(eve);
  });

  scene('the quick filters show admins, moderators and who is online, and keep the search', async ({ viewer, actor }) => {
    const eve = await viewer('eve');
    await eve.filter('admins');
    await eve.shows('ada', 'ben');
    await eve.filter('moderators');
    await eve.shows('cy');
    await eve.filter('online');
    await eve.shows('eve');
    const online = await actor('ben').ask('GET', '/events', undefined, { Accept: 'text/event-stream' });
    await eve.shows('ben', 'eve');
    await sameAsFresh(eve);
    await eve.search('okafor');
    await eve.shows('ben');
    await online.body.cancel();
    await eve.filter('all');
    await eve.shows('ben');
    await sameAsFresh(eve);
  });

  scene(
    'scrolling to the end and back visits everybody, in the order that the data gives, and keeps the page small',
    async ({ viewer, actor }) => {
      const all = [];
      for (let next = ''; next !== null; ) {
        const { data, meta } = await actor('eve').members(`?limit=100${next && `&cursor=${encodeURIComponent(next)}`}`);
        all.push(...data.map(({ uid }) => uid));
        next = meta.next;
      }
      const eve = await viewer('eve', { query: '?limit=100' });
      await eve.away();
      for (const [side, last] of [
        ['next', all.at(-1)],
        ['previous', all[0]],
      ]) {
        const seen = new Set();
        for (;;) {
          const uids = await eve.uids();
          assert.deepEqual(uids, all.slice(all.indexOf(uids[0]), all.indexOf(uids[0]) + uids.length), 'no gap, nobody twice');
          assert.ok(uids.length <= MOST, `${uids.length} rows are loaded`);
          for (const uid of uids) seen.add(uid);
          const end = side === 'next' ? uids.at(-1) : uids[0];
          if (end === last) break;
          await eve.toEnd(side);
          await eve.until(
            (x, end, side) => [...document.querySelectorAll(`#${x} [data-uid][data-order]`)].at(side === 'next' ? -1 : 0).dataset.uid !== end,
            eve.x,
            end,
            side,
          );
        }
        if (side === 'next') assert.equal(seen.size, all.length);
        await eve.gone(`#${eve.x} .chat-group-members__${side}`);
        await sameAsFresh(eve);
      }
    },
    { members: crowd() },
  );

  scene(
    'whoever reads in the middle stays there to the pixel while people join above and a page comes',
    async ({ viewer, actor }) => {
      const eve = await viewer('eve');
      await eve.away();
      await eve.toEnd('next');
      await eve.until((x) => document.querySelectorAll(`#${x} [data-uid][data-order]`).length > 30, eve.x);
      await eve.ask((x) => document.getElementById(`${x}-list`).parentElement.scrollBy(0, -70), eve.x);
      // Two frames: the scroll has been painted.
      await eve.frames();
      const before = await eve.eye();
      for (let i = 0; i < 5; i++) await actor(`new${i}`, `Aaa ${i}`).join();
      await actor('ada').scope('dee', 'moderator');
      await eve.there(eve.row('new4'));
      await eve.there(`${eve.row('dee')}[data-scope="moderator"]`);
      await eve.frames();
      assert.deepEqual(await eve.eye(), before);
      await sameAsFresh(eve);
    },
    { members: crowd() },
  );
}
