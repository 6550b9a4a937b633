// Each back end of examples/backends is started as its README says, saves and deletes people and rooms, and hears by webhooks who is
// in them: one by one and hundreds at once, somebody who is erased, a room that is made again, and a history that begins anew. The one in
// Express also enforces mutes.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { API_KEY, Actor } from '../browser/server.mjs';
import { deck, HOSTS, listed, newSecret, participants, start } from './hosts.mjs';
import { becomes, SmallPages } from './support.mjs';

/** An event of the deck, of this number. */
const joined = (uid, seq) => ({ type: 'member.joined', data: { group: { guid: 'deck' }, epoch: 'e', seq, member: { uid, scope: 'participant' } } });

for (const [name, command] of Object.entries(HOSTS)) {
  test(`a host in ${name} keeps people and rooms in step, and hears who is in them`, async (t) => {
    const { server, secret, ask, told, members, restart } = await start(t, command);
    for (const [uid, called] of Object.entries({ ada: 'Ada', ben: 'Ben', cy: 'Cy' })) await ask('PUT', `/people/${uid}`, { name: called });
    await ask('PUT', '/people/cy', { name: 'Cyrus' });
    await ask('PUT', '/rooms/deck', { name: 'Deck', owner: 'ada' });
    await ask('PUT', '/rooms/deck', { name: 'The deck', owner: 'ada' });
    for (const uid of ['ben', 'cy']) await ask('PUT', `/rooms/deck/people/${uid}`);
    await becomes({ ada: 'owner', ben: 'participant', cy: 'participant' }, members);

    const { token } = await ask('GET', '/token/ada');
    const ada = new Actor({ base: server.base, token: () => token }, 'deck', 'ada');
    const shown = await ada.members();
    assert.deepEqual(shown.data.map((member) => member.name).sort(), ['Ada', 'Ben', 'Cyrus']);
    await ada.scope('ben', 'moderator');
    await ada.kick('cy');
    await becomes({ ada: 'owner', ben: 'moderator' }, members);
    await ada.transfer('ben');
    await becomes({ ada: 'admin', ben: 'owner' }, members);

    const id = `evt_${randomUUID()}`;
    // While a secret is replaced, each delivery is signed by both.
    assert.equal(await told(joined('eve', 50), { id, by: [newSecret(), secret] }), 204);
    assert.equal(await told(joined('fay', 50), { id }), 204, 'a repeated id is confirmed');
    await becomes({ ada: 'admin', ben: 'owner', eve: 'participant' }, members);
    // The one in Express has both in memory, and reads who is in which room when it begins.
    if (name !== 'Express') {
      await restart();
      await becomes({ ada: 'admin', ben: 'owner', eve: 'participant' }, members);
      assert.equal(await told(joined('fay', 50), { id }), 204, 'a repeated id is confirmed after a restart');
      assert.deepEqual(await members(), { ada: 'admin', ben: 'owner', eve: 'participant' });
    }

    await ask('DELETE', '/people/ada');
    await becomes({ ben: 'owner', eve: 'participant' }, members);
  });

  test(`a host in ${name} refuses what the service has not signed, however it is made`, async (t) => {
    const { told, members, ...host } = await start(t, command);
    await deck({ ...host, members }, 'ben');
    const eve = joined('eve', 50);
    for (const [what, how] of [
      ['another secret', { by: [newSecret()] }],
      ['an hour ago', { at: Date.now() - 3_600_000 }],
      ['an hour ahead', { at: Date.now() + 3_600_000 }],
      ['another body', { forged: JSON.stringify(eve) }],
      ['another id', { other: { 'webhook-id': `evt_${randomUUID()}` } }],
      ['no id', { other: { 'webhook-id': undefined } }],
      ['no time', { other: { 'webhook-timestamp': undefined } }],
      ['no time that is a number', { other: { 'webhook-timestamp': 'now' } }],
      ['no signature', { other: { 'webhook-signature': undefined } }],
      ['no signature that is one', { other: { 'webhook-signature': 'v1, v1a,v1 \u00e9' } }],
    ]) {
      assert.equal(await told(eve, how), 401, what);
    }
    assert.deepEqual(await members(), { ada: 'owner', ben: 'participant' });
  });

  test(`a host in ${name} takes somebody out of a room and then deletes the room, and the service has neither any more`, async (t) => {
    const { server, ask, members } = await start(t, command);
    await deck({ ask, members }, 'ben', 'cy');
    await ask('DELETE', '/rooms/deck/people/cy');
    assert.deepEqual(await listed(server, '/groups/deck/members'), ['ada', 'ben']);
    await becomes({ ada: 'owner', ben: 'participant' }, members);
    await ask('DELETE', '/rooms/deck/people/cy'); // who is out already is no error

    await ask('DELETE', '/rooms/deck');
    assert.equal(await listed(server, '/groups/deck/members'), 'ERR_GUID_NOT_FOUND');
    assert.deepEqual(await listed(server, '/users/ben/groups'), []);
    await becomes({}, members);
    await ask('PUT', '/rooms/deck', { name: 'Deck', owner: 'ben' });
    assert.deepEqual(await listed(server, '/groups/deck/members'), ['ben']);
    await becomes({ ben: 'owner' }, members);
  });

  test(`a host in ${name} hears of everybody in a sync of many`, async (t) => {
    const { server, told, members, ...host } = await start(t, command);
    await deck({ ...host, members }, 'zoe');
    const uids = Array.from({ length: 1_100 }, (_, number) => `p${number}`); // who do not fit into one page
    const answer = await fetch(`${server.base}/v3/groups/deck/members?version=1`, {
      method: 'PUT',
      headers: { apikey: API_KEY, 'Content-Type': 'application/x-ndjson' },
      body: uids.map((uid) => `${JSON.stringify({ uid, name: uid, scope: 'participant' })}\n`).join(''),
    });
    assert.match(await answer.text(), /"result"/);
    await becomes({ ada: 'owner', ...participants(uids) }, members);

    const unread = { group: { guid: 'deck' }, epoch: 'e', seq: 999, counts: { touched: 1_100 }, membersUrl: '/v3/groups/deck/events/999/members' };
    assert.equal(await told({ type: 'members.synced', data: unread }), 500, 'what could not be read comes again');
  });

  test(`a host in ${name} forgets who was erased while it heard nothing`, async (t) => {
    const { server, told, members, ...host } = await start(t, command);
    await deck({ ...host, members }, 'dee', 'eli');
    const { data } = await (await fetch(`${server.base}/v3/webhooks`, { headers: { apikey: API_KEY } })).json();
    await server.host('POST', `/webhooks/${data[0].id}/pause`);
    for (const uid of ['dee', 'eli']) await server.host('DELETE', `/users/${uid}`, { permanent: true });
    await namesNobody(server, ['dee', 'eli']);
    await server.host('POST', '/users', { uid: 'eli', name: 'Another Eli' });
    await server.host('POST', '/groups/deck/members', { participants: ['eli'] });
    await server.host('POST', `/webhooks/${data[0].id}/resume`);
    await becomes({ ada: 'owner', eli: 'participant' }, members);

    const erased = { type: 'user.deleted', data: { uid: 'fay', pseudonym: 'erased-1', groups: ['deck'], positions: { deck: 50 } } };
    assert.equal(await told(joined('fay', 51)), 204);
    assert.equal(await told(erased), 204);
    await becomes({ ada: 'owner', eli: 'participant', fay: 'participant' }, members);
    assert.equal(await told({ ...erased, data: { ...erased.data, uid: 'gil' } }), 204);
    assert.equal(await told(joined('gil', 50)), 204, 'was on its way');
    await becomes({ ada: 'owner', eli: 'participant', fay: 'participant' }, members);
  });

  test(`a host in ${name} begins a room that is made again with nobody, and all of them with a new history`, async (t) => {
    const { server, told, members, ...host } = await start(t, command);
    await deck({ ...host, members }, 'ben', 'cy');
    await server.host('DELETE', '/groups/deck');
    await server.host('POST', '/groups', { guid: 'deck', name: 'Deck', owner: 'ben' });
    await becomes({ ben: 'owner' }, members);

    const again = { group: { guid: 'deck' }, epoch: 'e', seq: 51, member: { uid: 'ada', scope: 'owner' } };
    assert.equal(await told(joined('eve', 50)), 204);
    assert.equal(await told({ type: 'group.created', data: again }), 204);
    await becomes({ ada: 'owner' }, members);
    for (const [type, data] of [
      ['test', {}],
      ['user.presence', { uid: 'ada', status: 'online', at: new Date().toISOString() }],
    ]) {
      assert.equal(await told({ type, data }), 204, type);
    }
    await becomes({ ada: 'owner' }, members);
    assert.equal(await told({ type: 'log.restarted', data: { epoch: 'f' } }), 204);
    await becomes({ ben: 'owner' }, members);
  });

  for (const [when, doomed] of Object.entries({ 'between two pages': ['r1', 'r2'], 'before they are read': ['r1', 'r6'] })) {
    test(`a host in ${name} reads every room again although others are deleted ${when}`, async (t) => {
      const { server, front, ask, told } = await start(t, command, { through: SmallPages });
      await ask('PUT', '/people/ada', { name: 'Ada' });
      const rooms = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'];
      for (const room of rooms) await ask('PUT', `/rooms/${room}`, { name: room, owner: 'ada' });
      // Otherwise the webhook of a room that was not read would come later.
      for (const room of rooms) await becomes({ ada: 'owner' }, () => ask('GET', `/rooms/${room}`));
      front.remove = (guid) => server.host('DELETE', `/groups/${guid}`);
      front.doomed = [...doomed];
      assert.equal(await told({ type: 'log.restarted', data: { epoch: 'f' } }), 204);
      assert.deepEqual(front.doomed, []);
      for (const room of rooms.filter((room) => !doomed.includes(room))) assert.deepEqual(await ask('GET', `/rooms/${room}`), { ada: 'owner' }, room);
    });
  }
}

test('a host in Express takes no message of somebody who is muted: not after a restart, not after they left and came back, and again once it is over', async (t) => {
  const { server, host, restart, ...rest } = await start(t, HOSTS.Express);
  await deck(rest, 'dee', 'eve');
  const ada = new Actor(server, 'deck', 'ada');
  /** What the host answers to a message: 200, or 403 with the end. */
  const write = async (uid) => {
    const body = JSON.stringify({ guid: 'deck', uid, text: 'Hello.' });
    const answer = await fetch(`${host}/messages`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    return answer.status === 403 ? [403, (await answer.json()).until] : [answer.status];
  };
  const muted = async (uid) => (await ada.members()).data.find((member) => member.uid === uid).mutedUntil;
  assert.deepEqual(await write('dee'), [200]);
  assert.deepEqual(await write('flo'), [404], 'who is not in the room');

  await ada.mute('dee');
  const until = await muted('dee');
  await becomes([403, until], () => write('dee'));
  assert.deepEqual(await write('eve'), [200]);
  await restart();
  await becomes([403, until], () => write('dee'));
  await ada.kick('dee');
  await becomes([404], () => write('dee'));
  await restart();
  await becomes([404], () => write('dee'));
  await server.host('POST', '/groups/deck/members', { participants: ['dee'] });
  await becomes([403, until], () => write('dee'));
  await ada.unmute('dee');
  await becomes([200], () => write('dee'));

  await ada.mute('eve', { until: 2 });
  const end = await muted('eve');
  await becomes([403, end], () => write('eve'));
  // The host knows the end, also when nobody tells it that it has come.
  const { data } = await (await fetch(`${server.base}/v3/webhooks`, { headers: { apikey: API_KEY } })).json();
  await server.host('POST', `/webhooks/${data[0].id}/pause`);
  await becomes([200], () => write('eve'));
  assert.ok(Date.now() >= Date.parse(end), 'not before the end');
});

/** Waits until the log of the deck has these people under their pseudonyms. */
async function namesNobody({ base }, uids) {
  await becomes([], async () => {
    const { data } = await (await fetch(`${base}/v3/groups/deck/events?limit=1000`, { headers: { apikey: API_KEY } })).json();
    return data.map((event) => event.data.member?.uid).filter((uid) => uids.includes(uid));
  });
}
