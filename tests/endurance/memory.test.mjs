// What a page that stays open costs: the heap and the nodes of the document, after a garbage
// collection, depend on what is shown and not on what has happened.

import assert from 'node:assert/strict';

import { sameAsFresh } from '../browser/law.mjs';
import { scene, stage } from '../browser/support.mjs';
import { crowd, nameOf, stranger } from './crowd.mjs';

// Compiled code comes and goes as the engine likes, and would be most of what changes.
stage(undefined, ['--js-flags=--no-opt --no-maglev --no-sparkplug --no-flush-bytecode']);

/** What may be more than before. */
const MORE = 1.05;
const MINUTES = 60_000;
const MEASURED = ['Nodes', 'JSEventListeners', 'JSHeapUsedSize'];

/** Measures a page after a garbage collection. */
async function scale({ context, page }) {
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  return async (when) => {
    // What the stage has heard is not the component's.
    await page.evaluate(() => (window.heard = []));
    for (let turn = 0; turn < 3; turn++) await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const measured = Object.fromEntries(metrics.filter(({ name }) => MEASURED.includes(name)).map(({ name, value }) => [name, value]));
    console.log(when, JSON.stringify(measured));
    return measured;
  };
}

function flat(before, after) {
  for (const name of MEASURED) assert.ok(after[name] <= before[name] * MORE, `${name}: ${before[name]}, then ${after[name]}`);
}

scene(
  'at 20,000 changes a page weighs what it weighed at 2,000',
  async ({ viewer, actor, server, guid }) => {
    const eve = await viewer('eve');
    await eve.away();
    const measure = await scale(eve);
    const ada = actor('ada');
    let [changes, strangers] = [0, 0];
    const storm = async (until) => {
      while (changes < until) {
        const some = Array.from({ length: 25 }, () => stranger(server, guid, `s${++strangers}`, `${nameOf(strangers % 97)} the Stranger`));
        const each = async (act) => {
          await Promise.all(some.map(act));
          changes += some.length;
        };
        await each((one) => one.join());
        await each(({ uid }) => server.host('PUT', `/users/${uid}`, { status: 'online' }));
        await each(({ uid, name }) => server.host('PUT', `/users/${uid}`, { name: `Aa ${name}` }));
        await each(({ uid }) => ada.scope(uid, 'moderator'));
        await each(({ uid }) => server.host('PUT', `/users/${uid}`, { status: 'offline' }));
        await each((one) => one.leave());
      }
      await sameAsFresh(eve, 30_000);
    };
    await storm(2_000);
    const before = await measure('at 2,000');
    await storm(20_000);
    flat(before, await measure('at 20,000'));
  },
  { timeout: 30 * MINUTES },
);

scene(
  'scrolling through 20,000 rows and back leaves nothing behind',
  async ({ viewer }) => {
    const eve = await viewer('eve', { query: '?limit=100' });
    await eve.away();
    const measure = await scale(eve);
    /** Scrolls so many rows to one side, or to the end of the list; gives the uid at that end of the window. */
    const scroll = (side, rows) =>
      eve.page.evaluate(
        async ([x, side, most]) => {
          const list = document.getElementById(`${x}-list`);
          const scroller = list.closest('.chat-group-members__scroll');
          const end = () => (side === 'next' ? list.lastElementChild : list.firstElementChild);
          const isEnd = () => !end().matches(`.chat-group-members__${side}`);
          for (let turns = 0; !isEnd() && turns < most; turns++) {
            const { order } = end().dataset;
            scroller.scrollTop = side === 'next' ? scroller.scrollHeight : 0;
            while (end().dataset.order === order) await new Promise((done) => setTimeout(done, 10));
          }
          scroller.scrollTop = side === 'next' ? scroller.scrollHeight : 0;
          return [...list.querySelectorAll('[data-uid]')].at(side === 'next' ? -1 : 0).dataset.uid;
        },
        [eve.x, side, rows / 100],
      );
    await scroll('next', 2_000);
    const before = await measure('2,000 rows down');
    assert.equal(await scroll('next', Infinity), 'sak', '田中さくら sorts last');
    flat(before, await measure('20,000 rows down'));
    assert.equal(await scroll('previous', Infinity), 'ada');
    flat(before, await measure('back at the top'));
    await sameAsFresh(eve);
  },
  { members: crowd(20_000), timeout: 15 * MINUTES },
);
