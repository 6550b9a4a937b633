// One order for what is on the screen: answers and messages may overtake each other, and nothing that is
// old stays.

import assert from 'node:assert/strict';

import { people } from './cast.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const NETWORK = /net::ERR_|Failed to load resource/;
const TEN = Array.from({ length: 10 }, (_, i) => `p0${i}`);

scene('ten who were renamed while they were offline are all there once they come online', async ({ viewer, server }) => {
  const eve = await viewer('eve', { query: '?status=online' });
  for (const uid of TEN) await server.host('PUT', `/users/${uid}`, { name: `Renamed ${uid}` });
  for (const uid of TEN) await server.host('PUT', `/users/${uid}`, { status: 'online' });
  for (const uid of TEN) await eve.there(uid);
  await sameAsFresh(eve);
  assert.equal(await eve.rows.count(), 11);
});

for (const [status, other] of Object.entries({ online: 'offline', offline: 'online' })) {
  scene(`somebody who was missing in a list of those who are ${status} comes back to it`, async ({ viewer, server, actor }) => {
    const report = (status) => server.host('PUT', '/users/dee/presence', { status });
    const eve = await viewer('eve', { query: `?status=${status}` });
    await report(status);
    await eve.there('dee');
    await report(other);
    await eve.gone('dee');
    // A status has no number of its own: it comes under that of the absence.
    await report(status);
    await eve.there('dee');
    await report(other);
    await eve.gone('dee');
    await server.host('PUT', '/users/cy', { name: `Cy, ${status}` });
    await actor('ada').kick('dee');
    await actor('dee', 'Dee Ferreira').join();
    await report(status);
    await eve.there('dee');
    await sameAsFresh(eve);
  });
}

scene(
  'after the database was put back, an event that bears the number of a lost one is news to the host too',
  async ({ viewer, server, actor }) => {
    const copy = await server.backup();
    const eve = await viewer('eve');
    await actor('ada').kick('dee');
    await eve.gone('dee');
    const [lost] = await eve.heard('member-kicked');
    await server.putBack(copy);
    await eve.there('dee');
    await eve.live('on');
    await actor('ada').kick('cy');
    await eve.gone('cy');
    await eve.until((name) => window.heard.filter((event) => event.name === name).length === 2, 'member-kicked');
    const [, kicked] = await eve.heard('member-kicked');
    assert.deepEqual([kicked.seq, kicked.member.uid], [lost.seq, 'cy']);
    await sameAsFresh(eve);
  },
  { complaints: NETWORK },
);

scene('a slow answer with older numbers does not take the totals back', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  const ben = await viewer('ben', { base: road.base });
  await ben.away();
  const slow = road.gate(/filter=admins/);
  await ben.part('f-admins').click();
  await slow.arrived;
  for (const uid of ['new1', 'new2', 'new3']) await actor(uid).join();
  await ben.until(([id]) => /108/.test(document.getElementById(id).textContent), [`${ben.x}-totals`]);
  slow.open();
  await ben.until((id) => document.getElementById(id).dataset.query.includes('filter=admins'), `${ben.x}-view`);
  await sameAsFresh(ben);
});

scene(
  'a search brings the totals along: its stream does not say what came before it',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    const ben = await viewer('ben', { base: road.base });
    road.gate(/\/events/);
    road.cut();
    await ben.live('reconnecting');
    for (const uid of ['new1', 'new2', 'new3']) await actor(uid).join();
    await ben.part('f-admins').click();
    await ben.until((id) => document.getElementById(id).dataset.query.includes('filter=admins'), `${ben.x}-view`);
    assert.match(await ben.part('totals').innerText(), /108/);
  },
  { complaints: /net::ERR_/ },
);

scene(
  'somebody who is muted while the stream is down, and then filters, reads so: the stream of the new list goes on where the last one ended',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    const ben = await viewer('ben', { base: road.base });
    const stream = road.gate(/\/events/);
    road.cut();
    await ben.live('reconnecting');
    await actor('ada').mute('ben', { until: '3600' });
    await ben.part('f-admins').click();
    await ben.until((id) => document.getElementById(id).dataset.query.includes('filter=admins'), `${ben.x}-view`);
    stream.open();
    await ben.root.locator('.chat-group-members__notice').waitFor();
    await sameAsFresh(ben);
  },
  { complaints: /net::ERR_/ },
);

scene('an answer that was asked for before a filter, and comes after it, does not take the totals back', async ({ viewer, server, actor, proxy }) => {
  const road = await proxy();
  const ben = await viewer('ben', { base: road.base });
  await ben.away();
  const slow = road.gate(/part=component/);
  await actor('ada').mute('ben', { until: '3600' });
  await slow.arrived;
  await ben.part('f-admins').click();
  await ben.until((id) => document.getElementById(id).dataset.query.includes('filter=admins'), `${ben.x}-view`);
  for (const uid of ['new1', 'new2', 'new3']) await actor(uid).join();
  await ben.until(([id]) => /108/.test(document.getElementById(id).textContent), [`${ben.x}-totals`]);
  slow.open();
  await ben.root.locator('.chat-group-members__notice').waitFor();
  await sameAsFresh(ben);
});

scene("the reply to one's own act, overtaken by what others did, leaves the present on the screen", async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  const ada = await viewer('ada', { base: road.base });
  await ada.dialog('dee', 'scope');
  await ada.part('dialog').locator('[value="moderator"]').check({ force: true });
  const slow = road.gate(/members\/dee\/scope/);
  await ada.part('dialog').locator('button[data-action]').click();
  await slow.arrived;
  await actor('ada').kick('dee');
  for (const uid of ['new1', 'new2', 'new3']) await actor(uid).join();
  await ada.until(([id]) => /107/.test(document.getElementById(id).textContent), [`${ada.x}-totals`]);
  slow.open();
  await ada.closed();
  await ada.away();
  await ada.gone('dee');
  await sameAsFresh(ada);
});

scene(
  'a second import is not lost while the list is fetched for the first, under the pointer',
  async ({ viewer, server, guid, proxy }) => {
    // So many that the list is fetched anew.
    const some = (wave) => Array.from({ length: 1_100 }, (_, i) => ({ uid: `${wave}${i}`, name: `Aaa ${wave} ${i}`, scope: i ? 'participant' : 'moderator' }));
    const road = await proxy();
    const ben = await viewer('ben', { base: road.base });
    await ben.row('cy').hover();
    await server.import(guid, some('first'));
    await ben.part('held').waitFor();
    const slow = road.gate(/part=rows/);
    await ben.part('held').click();
    await slow.arrived;
    await server.import(guid, some('second'));
    await ben.until((id) => /2,\d05/.test(document.getElementById(id).textContent), `${ben.x}-totals`);
    slow.open();
    await ben.there('first0');
    await ben.part('held').waitFor();
    await ben.away();
    await ben.page.evaluate(() => document.activeElement.blur());
    await ben.there('second0');
    await sameAsFresh(ben);
  },
  { members: people() },
);

const crowd = (size) => [
  ...people(),
  ...Array.from({ length: size }, (_, i) => ({ uid: `c${i}`, name: `Crowd ${i}`, scope: 'participant', joinedAt: 1_694_000_000 })),
];

scene(
  'when more people come online than are told one by one, the open page says how fresh it is, and no longer when they are gone',
  async ({ viewer, server, guid }) => {
    const eve = await viewer('eve');
    const mode = (name) => eve.page.locator(`#${eve.x}-view[data-presence="${name}"]`).waitFor({ state: 'attached' });
    await mode('rows');
    assert.equal(await eve.part('freshness').textContent(), '');
    await Promise.all(Array.from({ length: 520 }, (_, i) => server.host('PUT', `/users/c${i}`, { status: 'online' })));
    await mode('batched');
    assert.match(await eve.part('freshness').textContent(), /\S/);
    await sameAsFresh(eve, 15_000);
    await server.host('PUT', `/groups/${guid}/members`, { owner: 'ada', members: people().map(({ uid, name }) => ({ uid, name })) });
    await mode('rows');
    assert.equal(await eve.part('freshness').textContent(), '');
    await sameAsFresh(eve, 15_000);
  },
  { members: crowd(520) },
);

/** More than the 5,000 above whom only their number is live; in no other scene, for they stay online. */
const thousands = Array.from({ length: 5_001 }, (_, i) => ({ uid: `n${i}`, name: `Aaron ${1_000 + i}`, scope: 'participant', joinedAt: 1_694_000_000 }));
/** Reports that are sent at once. */
const AT_ONCE = 100;

scene(
  'when only the number of those who are online is live, the open page says so, and when it is not so any more, every row has its present status',
  async ({ viewer, server, guid }) => {
    const report = async (people, status) => {
      for (let at = 0; at < people.length; at += AT_ONCE)
        await Promise.all(people.slice(at, at + AT_ONCE).map(({ uid }) => server.host('PUT', `/users/${uid}/presence`, { status })));
    };
    const eve = await viewer('eve');
    const mode = (name) => eve.page.locator(`#${eve.x}-view[data-presence="${name}"]`).waitFor({ state: 'attached' });
    const status = (uid, status) => eve.page.locator(`#${eve.x}-m-${uid}[data-status="${status}"]`).waitFor({ state: 'attached' });
    await report(thousands.slice(0, 1), 'online');
    await status('n0', 'online');
    await report(thousands, 'online');
    await mode('counts');
    assert.match(await eve.part('freshness').textContent(), /only their number is live/);
    // Those whom other scenes have left online count as well.
    const { data } = JSON.parse(await server.host('POST', '/groups/online-counts', { guids: [guid] }));
    const online = (count) =>
      eve.until(([id, count]) => document.getElementById(id).innerText.includes(count), [`${eve.x}-totals`, count.toLocaleString('en-US')]);
    await online(data[guid]);
    await report(thousands.slice(0, 1), 'offline');
    await online(data[guid] - 1);
    assert.equal(await eve.row('n0').getAttribute('data-status'), 'online', 'as it was when only the number became live');
    // Below 4,500 they are told of every five seconds again.
    await report(thousands.slice(1, 600), 'offline');
    await mode('batched');
    await status('n0', 'offline');
    assert.doesNotMatch(await eve.part('freshness').textContent(), /only their number is live/);
    await sameAsFresh(eve, 15_000);
  },
  { members: [...people(), ...thousands], timeout: 120_000 },
);

scene(
  'what strangers leave behind who came and went does not grow',
  async ({ viewer, actor }) => {
    const eve = await viewer('eve');
    await eve.away();
    const session = await eve.context.newCDPSession(eve.page);
    await session.send('Performance.enable');
    const nodes = async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'Nodes').value;
    };
    const storm = async (from, to) => {
      for (let i = from; i < to; i += 25) {
        const some = Array.from({ length: 25 }, (_, j) => actor(`s${i + j}`));
        await Promise.all(some.map((one) => one.join()));
        await Promise.all(some.map((one) => one.leave()));
      }
      await sameAsFresh(eve);
    };
    await storm(0, 50);
    const before = await nodes();
    await storm(50, 250);
    const after = await nodes();
    assert.ok(after < before * 1.1, `${before} nodes, then ${after}`);
  },
  { timeout: 120_000 },
);
