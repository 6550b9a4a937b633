// A position is what is on the screen: what a screen lacks it says, and asks for until it has it.

import assert from 'node:assert/strict';

import { sameAsFresh } from './law.mjs';

/** What a browser, or htmx, says about an answer that failed or never came. */
const BROKEN = /fetch|network|load failed|htmx|connection|abort/i;
/** Milliseconds after which a page that never comes has been given up and is asked for again: ten seconds, and a pause. */
const GIVEN_UP = 20_000;

export function position(scene) {
  scene('a filter pressed while a search is on its way leaves both in force', async ({ viewer, road }) => {
    const eve = await viewer('eve');
    const slow = road.gate(/searchKeyword=o/);
    await eve.focus(eve.part('q'));
    await eve.press('o');
    await slow.arrived;
    await eve.click(eve.part('f-moderators'));
    slow.open();
    await eve.until((id) => {
      const query = new URLSearchParams(document.getElementById(id).dataset.query);
      return query.get('searchKeyword') === 'o' && query.get('filter') === 'moderators';
    }, `${eve.x}-view`);
    await eve.shows('cy');
  });

  scene('a search typed while a filter is on its way leaves both in force', async ({ viewer, road }) => {
    const eve = await viewer('eve');
    const slow = road.gate(/filter=admins/);
    await eve.click(eve.part('f-admins'));
    await slow.arrived;
    await eve.focus(eve.part('q'));
    await eve.press('ben');
    await road.until(() => road.asked.some((line) => line.includes('searchKeyword=ben')));
    slow.open();
    await eve.until((id) => {
      const query = new URLSearchParams(document.getElementById(id).dataset.query);
      return query.get('searchKeyword') === 'ben' && query.get('filter') === 'admins';
    }, `${eve.x}-view`);
    await eve.shows('ben');
  });

  scene(
    'what a message breaks is fetched, and the messages after it are shown',
    async ({ viewer, actor }) => {
      const eve = await viewer('eve');
      await eve.away();
      // The drivers read with it too, and nothing about Dee.
      await eve.ask(() => {
        const { parse } = window.JSON;
        let left = 1;
        window.JSON.parse = (text, ...rest) => {
          if (text.includes('"dee"') && left-- > 0) throw new Error('this one breaks');
          return parse(text, ...rest);
        };
      });
      await actor('ada').scope('dee', 'admin');
      await actor('ada').scope('eve', 'moderator');
      await actor('ada').kick('cy');
      await eve.gone(eve.row('cy'));
      await eve.there(`${eve.row('dee')}[data-scope="admin"]`);
      await sameAsFresh(eve);
      assert.equal((await eve.said()).filter((line) => line.includes('this one breaks')).length, 1);
    },
    { complaints: /this one breaks/ },
  );

  scene(
    'whoever was put out while away sees the rows no more, and reads why',
    async ({ viewer, actor, road }) => {
      const dee = await viewer('dee');
      await dee.away();
      road.down = true;
      road.cut();
      await dee.live('reconnecting');
      await actor('ada').ban('dee', { message: 'Cool off, please', until: 3_600 });
      road.down = false;
      await dee.says(`#${dee.x}`, 'Cool off, please');
      assert.deepEqual(await dee.uids(), []);
      await actor('ada').unban('dee');
    },
    { complaints: BROKEN },
  );

  for (const part of ['component', 'rows']) {
    scene(
      `what has to be fetched once one's role has changed (${part}) is asked for again when that fails, and until it has come the screen is not live`,
      async ({ viewer, actor, road }) => {
        const eve = await viewer('eve', { query: '?hideError=true' });
        await eve.away();
        const asked = () => road.asked.filter((line) => line.includes(`part=${part}`)).length;
        const once = asked();
        road.broken = new RegExp(`part=${part}`);
        await actor('ada').scope('eve', 'admin');
        await eve.live('reconnecting');
        await eve.says(eve.part('live'), 'Reconnecting');
        await road.until(() => asked() > once);
        road.broken = null;
        await eve.live('on');
        await eve.there(`#${eve.x}[data-scope="admin"]`);
        await eve.shown(eve.button('dee'));
        await sameAsFresh(eve);
      },
      { complaints: BROKEN },
    );
  }

  scene(
    'a page that never comes holds no live change back, and is asked for again',
    async ({ viewer, actor, road }) => {
      const eve = await viewer('eve');
      await eve.away();
      const hung = road.gate(/cursor=/);
      await eve.toEnd('next');
      await hung.arrived;
      await actor('ada').scope('p00', 'admin');
      await eve.there(`${eve.row('p00')}[data-scope="admin"]`);
      assert.equal((await eve.uids())[2], 'p00', 'among the admins');
      await eve.live('on');
      const asked = () => road.asked.filter((line) => line.includes('cursor=')).length;
      const once = asked();
      // What has arrived stays where it is; what is asked for again comes.
      hung.forget();
      await road.until(() => asked() > once, GIVEN_UP);
      await eve.until((x) => document.querySelectorAll(`#${x} [data-uid][data-order]`).length > 40, eve.x);
      await sameAsFresh(eve);
    },
    { complaints: BROKEN },
  );
}
