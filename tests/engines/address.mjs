// The browser's own buttons on our own page: Back, Forward and Reload lead to what was on the screen.

import assert from 'node:assert/strict';

import { sameAsFresh } from './law.mjs';

/** What a browser, or htmx, says about the stream of a page that was left. */
const BROKEN = /fetch|network|load failed|htmx|connection|abort/i;

/** Waits until this stands in the search box. */
const boxSays = (viewer, text) => viewer.until((box, text) => document.querySelector(box).value === text, viewer.part('q'), text);

export function address(scene) {
  scene('Back undoes a filter, then a search; Forward does the search again', async ({ viewer, driver }) => {
    const eve = await viewer('eve');
    await eve.search('mar');
    await eve.shows('cy', 'long');
    await eve.filter('moderators');
    await eve.shows('cy');
    await eve.until(() => location.search.includes('filter=moderators'));
    await driver.navigate().back();
    await eve.shows('cy', 'long');
    await boxSays(eve, 'mar');
    await driver.navigate().back();
    await eve.there(eve.row('ada'));
    await boxSays(eve, '');
    await driver.navigate().forward();
    await eve.shows('cy', 'long');
    await boxSays(eve, 'mar');
    await sameAsFresh(eve);
  });

  scene('a page that is loaded again shows the place that was looked at, beyond the first page of the list', async ({ viewer, driver }) => {
    const eve = await viewer('eve');
    await eve.away();
    await eve.toEnd('next');
    await eve.until((x) => document.querySelectorAll(`#${x} [data-uid][data-order]`).length > 30, eve.x);
    await eve.ask((x) => document.getElementById(`${x}-list`).parentElement.scrollBy(0, 900), eve.x);
    await eve.frames();
    const [uid, top] = await eve.eye();
    assert.ok((await eve.uids()).indexOf(uid) >= 30);
    // The place is kept a moment after each scroll.
    await eve.until((selector) => {
      const row = document.querySelector(selector);
      return history.state?.order === row.dataset.order && Math.abs(history.state.top - row.getBoundingClientRect().top) < 1;
    }, eve.row(uid));
    const stands = async () => {
      await eve.there(eve.row(uid));
      await eve.until((row, top) => Math.abs(document.querySelector(row).getBoundingClientRect().top - top) < 2, eve.row(uid), top);
    };
    await driver.navigate().refresh();
    await eve.live('on');
    await stands();
    await sameAsFresh(eve);
    await stands();
  });

  // A browser may keep the page that was left as it was, or load it again.
  scene(
    'whoever opens the page of Liam and goes back finds what they searched, without those who have gone meanwhile, and live',
    async ({ viewer, actor, driver, guid }) => {
      const eve = await viewer('eve');
      await eve.search('dubois');
      await eve.there(eve.row('p33'));
      await eve.click(eve.row('p33'));
      await eve.until((path) => document.readyState === 'complete' && location.pathname === path, `/groups/${guid}/members/p33`);
      await actor('ada').kick('p30');
      await driver.navigate().back();
      await eve.live('on');
      // Neither pointer nor focus holds the list.
      await eve.away();
      await eve.ask(() => document.activeElement.blur());
      await eve.gone(eve.row('p30'));
      await boxSays(eve, 'dubois');
      await actor('ada').kick('p31');
      await eve.gone(eve.row('p31'));
      await sameAsFresh(eve);
    },
    { complaints: BROKEN },
  );

  // A browser keeps pages that were left, with what they are connected to, and makes six connections to one server.
  scene(
    'of nine lists that are opened one after the other in one tab only the last one keeps a connection',
    async ({ viewer, driver, guid, road }) => {
      const eve = await viewer('eve');
      for (let limit = 20; limit < 29; limit++) {
        await driver.get(`${road.base}/groups/${guid}/members?limit=${limit}`);
        await eve.live('on');
      }
      await road.until(() => road.streams() === 1);
      await driver.navigate().back();
      await eve.live('on');
      await road.until(() => road.streams() === 1);
    },
    { complaints: BROKEN },
  );
}
