// What others do appears by itself, keeps still under the hand, and outlives every cut.

import assert from 'node:assert/strict';

import { fewPeople } from '../browser/cast.mjs';
import { sameAsFresh } from './law.mjs';

/** What a browser, or htmx, says about a connection that broke. */
const BROKEN = /fetch|network|load failed|htmx|connection/i;
const pill = '.chat-group-members__held button';

export function live(scene) {
  scene(
    'who joins, goes or rises takes their place; headings and numbers follow',
    async ({ viewer, actor }) => {
      const eve = await viewer('eve');
      await eve.away();
      await actor('ben').kick('dee');
      await eve.shows('ada', 'ben', 'cy', 'eve');
      await actor('new', 'Aaron <New> 🌱').join();
      await eve.shows('ada', 'ben', 'cy', 'new', 'eve');
      assert.equal(await eve.text(`${eve.row('new')} .chat-group-members__name`), 'Aaron <New> 🌱');
      await actor('ada').scope('new', 'admin');
      await eve.shows('ada', 'new', 'ben', 'cy', 'eve');
      await actor('ada').transfer('ben');
      await eve.shows('ben', 'new', 'ada', 'cy', 'eve');
      await actor('ben').ban('cy', { reason: 'why not' });
      await eve.gone(eve.row('cy'));
      const online = await actor('ben').ask('GET', '/events', undefined, { Accept: 'text/event-stream' });
      await eve.there(`${eve.row('ben')}[data-status="online"]`);
      await sameAsFresh(eve);
      await online.body.cancel();
      assert.deepEqual(
        (await eve.heard('member-kicked')).map(({ member }) => member.uid),
        ['dee'],
      );
    },
    { members: fewPeople() },
  );

  scene('a name with a line separator comes through, and what is after it too', async ({ viewer, actor }) => {
    const eve = await viewer('eve');
    await eve.away();
    await actor('odd', 'Aaa\u2028Odd\u2029Name').join();
    await eve.there(eve.row('odd'));
    await actor('ben').kick('dee');
    await eve.gone(eve.row('dee'));
    await sameAsFresh(eve);
  });

  scene('while the pointer rests on the list nothing moves under it; what came is said, and shown when it leaves', async ({ viewer, actor, picture }) => {
    const eve = await viewer('eve');
    const at = await eve.point(eve.row('cy'));
    const under = () => eve.ask(([x, y]) => document.elementFromPoint(x, y).closest('[data-uid]').dataset.uid, at);
    assert.equal(await under(), 'cy');
    await actor('ada').scope('dee', 'admin');
    await actor('first', 'Aaa First').join();
    await eve.shown(pill);
    await eve.says(pill, '2 changes');
    assert.equal(await under(), 'cy');
    await picture('held');
    await eve.away();
    await eve.there(eve.row('first'));
    await eve.hidden(pill);
    await sameAsFresh(eve);
  });

  scene(
    'a connection that is cut says so in words, comes back by itself, and loses nothing',
    async ({ viewer, actor, road, picture }) => {
      const eve = await viewer('eve');
      await eve.focus(eve.part('q'));
      await eve.away();
      road.down = true;
      road.cut();
      await eve.live('reconnecting');
      await eve.shown(eve.part('live'));
      assert.match(await eve.text(eve.part('live')), /Reconnecting/);
      await picture('reconnecting');
      await actor('back', 'Aaa Back').join();
      await actor('ben').kick('p01');
      road.down = false;
      await eve.live('on');
      await eve.there(eve.row('back'));
      await sameAsFresh(eve);
      assert.deepEqual(
        (await eve.heard('member-joined')).map(({ member }) => member.uid),
        ['back'],
      );
      assert.equal(await eve.focused(), 'q');
      await eve.hidden(eve.part('live'));
    },
    { complaints: BROKEN },
  );

  scene(
    'the program dies and comes back: what was asked for meanwhile is shown in the end',
    async ({ viewer, actor, server }) => {
      const eve = await viewer('eve');
      await actor('ben').kick('dee');
      await eve.gone(eve.row('dee'));
      await server.kill();
      await eve.live('reconnecting');
      await eve.focus(eve.part('q'));
      await eve.press('brandt');
      await eve.there(`${eve.part('error')} [role="alert"]`);
      await server.restart();
      await eve.live('on');
      await eve.until(() => location.search.includes('brandt'));
      await actor('late', 'Aaron Brandt').join();
      await eve.there(eve.row('late'));
      await eve.away();
      await sameAsFresh(eve);
    },
    { complaints: BROKEN },
  );

  scene(
    'whoever is put out while the connection is cut sees no one any more, and is told so',
    async ({ viewer, actor, road }) => {
      const dee = await viewer('dee');
      road.down = true;
      road.cut();
      await dee.live('reconnecting');
      await actor('ben').kick('dee');
      road.down = false;
      await dee.live('off');
      assert.equal(await dee.count('[data-uid]'), 0);
      assert.match(await dee.text(`#${dee.x} [role="alert"]`), /not in this group/);
    },
    { complaints: BROKEN },
  );
}
