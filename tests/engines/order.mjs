// One order for what is on the screen: an answer that others have overtaken takes nothing back.

import assert from 'node:assert/strict';

import { people } from '../browser/cast.mjs';
import { sameAsFresh } from './law.mjs';

/** To the 105 who are there. */
const threeJoin = async (actor) => {
  for (const uid of ['new1', 'new2', 'new3']) await actor(uid).join();
};

/** More than the 500 whose statuses are told one by one; in no other scene, for they stay online. */
const crowd = Array.from({ length: 520 }, (_, i) => ({ uid: `there${i}`, name: `Crowd ${i}`, scope: 'participant', joinedAt: 1_694_000_000 }));

export function order(scene) {
  scene('ten who were renamed while they were offline are all there once they come online', async ({ viewer, server }) => {
    const eve = await viewer('eve', { query: '?status=online' });
    await eve.away();
    const ten = Array.from({ length: 10 }, (_, i) => `p0${i}`);
    for (const uid of ten) await server.host('PUT', `/users/${uid}`, { name: `Renamed ${uid}` });
    for (const uid of ten) await server.host('PUT', `/users/${uid}`, { status: 'online' });
    for (const uid of ten) await eve.there(eve.row(uid));
    await sameAsFresh(eve);
  });

  for (const [status, other] of Object.entries({ online: 'offline', offline: 'online' })) {
    scene(`somebody who was missing in a list of those who are ${status} comes back to it`, async ({ viewer, server, actor }) => {
      // Nobody who has been at a browser: whoever was lately is not offline.
      const report = (status) => server.host('PUT', '/users/p30/presence', { status });
      const eve = await viewer('eve', { query: `?status=${status}` });
      await eve.away();
      await report(status);
      await eve.there(eve.row('p30'));
      await report(other);
      await eve.gone(eve.row('p30'));
      // A status has no number of its own: it comes under that of the absence.
      await report(status);
      await eve.there(eve.row('p30'));
      await report(other);
      await eve.gone(eve.row('p30'));
      await server.host('PUT', '/users/p31', { name: `Jonas, ${status}` });
      await actor('ada').kick('p30');
      await actor('p30', 'Iris Dubois').join();
      await report(status);
      await eve.there(eve.row('p30'));
      await sameAsFresh(eve);
    });
  }

  scene('a slow answer to a filter, with older numbers, does not take the totals back', async ({ viewer, actor, road }) => {
    const ben = await viewer('ben');
    const slow = road.gate(/filter=admins/);
    await ben.click(ben.part('f-admins'));
    await ben.away();
    await slow.arrived;
    await threeJoin(actor);
    await ben.says(ben.part('totals'), '108');
    slow.open();
    await ben.there(`${ben.part('view')}[data-query*="filter=admins"]`);
    await ben.shows('ada', 'ben');
    await sameAsFresh(ben);
    assert.match(await ben.text(ben.part('totals')), /\b108\b/);
  });

  scene('an answer that was asked for before a filter, and comes after it, does not take the totals back', async ({ viewer, actor, road }) => {
    const ben = await viewer('ben');
    const slow = road.gate(/part=component/);
    await actor('ada').mute('ben');
    await slow.arrived;
    await ben.click(ben.part('f-admins'));
    await ben.away();
    await ben.there(`${ben.part('view')}[data-query*="filter=admins"]`);
    await threeJoin(actor);
    await ben.says(ben.part('totals'), '108');
    slow.open();
    await ben.shown(`#${ben.x} .chat-group-members__notice`);
    await sameAsFresh(ben);
    assert.match(await ben.text(ben.part('totals')), /\b108\b/);
  });

  scene("the reply to one's own act, overtaken by what others did, leaves the present on the screen", async ({ viewer, actor, road }) => {
    const ada = await viewer('ada');
    await ada.dialog('dee', 'scope');
    await ada.click(`${ada.part('dialog')} [value="moderator"] + span`);
    const slow = road.gate(/members\/dee\/scope/);
    await ada.click(`${ada.part('dialog')} button[data-action]`);
    await slow.arrived;
    await actor('ada').kick('dee');
    await threeJoin(actor);
    await ada.says(ada.part('totals'), '107');
    slow.open();
    await ada.hidden(ada.part('dialog'));
    // The focus comes back to the list, which then holds still.
    await ada.focus(ada.part('q'));
    await ada.away();
    await ada.gone(ada.row('dee'));
    await sameAsFresh(ada);
    assert.match(await ada.text(ada.part('totals')), /\b107\b/);
  });

  scene(
    'when more people come online than are told one by one, the open page says how fresh it is, and no longer when they are gone',
    async ({ viewer, server, guid }) => {
      const eve = await viewer('eve');
      await eve.away();
      const mode = (name) => eve.there(`${eve.part('view')}[data-presence="${name}"]`);
      await mode('rows');
      assert.equal(await eve.text(eve.part('freshness')), '');
      await Promise.all(crowd.map(({ uid }) => server.host('PUT', `/users/${uid}`, { status: 'online' })));
      await mode('batched');
      assert.match(await eve.text(eve.part('freshness')), /\S/);
      // Statuses are told every five seconds.
      await sameAsFresh(eve, 15_000);
      await server.host('PUT', `/groups/${guid}/members`, { owner: 'ada', members: people().map(({ uid, name }) => ({ uid, name })) });
      await mode('rows');
      assert.equal(await eve.text(eve.part('freshness')), '');
      await sameAsFresh(eve, 15_000);
    },
    { members: [...people(), ...crowd] },
  );
}
