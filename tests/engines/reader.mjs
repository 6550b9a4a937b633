// What a reader looks at stays where it is to the pixel, whatever comes and goes above, at the ends and far away.

import assert from 'node:assert/strict';

import { crowd, extended, further, page } from './crowd.mjs';
import { sameAsFresh } from './law.mjs';

/** Who was looked at is still the first in sight, and has not moved by a pixel. */
async function still(viewer, [uid, top]) {
  await viewer.frames();
  const [now, there] = await viewer.eye();
  assert.equal(now, uid);
  assert.ok(Math.abs(there - top) < 1, `${uid} moved by ${there - top} px`);
}

export function reader(scene) {
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
}
