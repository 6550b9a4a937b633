// What each back end of examples/backends saves while the service is away, busy, or refuses it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Proxy } from '../browser/proxy.mjs';
import { API_KEY, Actor } from '../browser/server.mjs';
import { deck, HOSTS, listed, start } from './hosts.mjs';
import { becomes } from './support.mjs';

/** The way to the service, which loses answers, says that there are too many requests, or that the service failed at some. */
class Road extends Proxy {
  losesAnswers = false;
  isBusy = false;
  /** Requests that are answered as by a service with a fault that they alone meet. */
  fails = null;

  refuses(request, answer) {
    const fails = this.fails?.test(request.url);
    if (!this.isBusy && !fails) return false;
    const [status, code] = fails ? [500, 'ERR_INTERNAL'] : [429, 'ERR_TOO_MANY_REQUESTS'];
    answer.writeHead(status, { 'Content-Type': 'application/json' });
    answer.end(JSON.stringify({ error: { code, message: 'Not now.', details: {} } }));
    return true;
  }

  forward(request, incoming, answer) {
    if (this.losesAnswers) return answer.destroy();
    super.forward(request, incoming, answer);
  }
}

for (const [name, command] of Object.entries(HOSTS)) {
  test(`a host in ${name} sends what was saved while the service was away, in order, with the next change`, async (t) => {
    const { server, ask, members, restart } = await start(t, command);
    await deck({ ask, members }, 'ben');
    const { meta } = await log(server, 0);
    await server.kill();
    await ask('PUT', '/people/ben', { name: 'Ben' });
    await ask('PUT', '/people/ben', { name: 'Benedict' });
    await ask('PUT', '/people/dee', { name: 'Dee' });
    await ask('PUT', '/rooms/deck/people/dee');
    await ask('DELETE', '/rooms/deck/people/ben');
    await ask('PUT', '/rooms/deck/people/ben');
    await ask('PUT', '/rooms/attic', { name: 'Attic', owner: 'dee' });
    await server.restart();
    await restart(); // what waits is stored
    await becomes({ ada: 'owner', ben: 'participant' }, members);
    assert.deepEqual(await listed(server, '/users'), ['ada', 'ben'], 'nothing was sent yet');

    await ask('PUT', '/people/eve', { name: 'Eve' });
    const happened = (await log(server, meta.seq)).data.map(({ type, data }) => `${type} ${(data.member ?? data.members[0]).uid}`);
    assert.deepEqual(happened, ['member.updated ben', 'member.updated ben', 'member.added dee', 'member.kicked ben', 'member.added ben']);
    assert.deepEqual(await named(server, '/groups/deck/members'), { ada: 'ada', ben: 'Benedict', dee: 'Dee' });
    assert.deepEqual(await listed(server, '/groups/attic/members'), ['dee']);
    assert.deepEqual(await listed(server, '/users'), ['ada', 'ben', 'dee', 'eve']);
    await becomes({ ada: 'owner', ben: 'participant', dee: 'participant' }, members);
  });

  test(`a host in ${name} sends it by a command too, after whatever kind of failure, and does nothing twice`, async (t) => {
    const { server, front, ask, members } = await start(t, command, { through: Road });
    await deck({ ask, members });
    front.isBusy = true;
    await ask('PUT', '/people/dee', { name: 'Dee' });
    front.isBusy = false;
    front.broken = /^/;
    await ask('PUT', '/people/eve', { name: 'Eve' });
    assert.deepEqual(await ask('POST', '/outbox'), { sent: false });
    front.broken = null;
    assert.deepEqual(await ask('POST', '/outbox'), { sent: true });
    assert.deepEqual(await named(server, '/users'), { ada: 'ada', dee: 'Dee', eve: 'Eve' });

    front.losesAnswers = true;
    await ask('PUT', '/rooms/deck/people/dee');
    await becomes({ ada: 'owner', dee: 'participant' }, members);
    await new Actor(server, 'deck', 'ada').kick('dee');
    front.losesAnswers = false;
    assert.deepEqual(await ask('POST', '/outbox'), { sent: true });
    assert.deepEqual(await listed(server, '/groups/deck/members'), ['ada'], 'she was added once');
    await becomes({ ada: 'owner' }, members);
  });

  test(`a host in ${name} puts aside what the service refuses, tells who asked for a membership, and goes on`, async (t) => {
    const { server, ask, status, members } = await start(t, command);
    await deck({ ask, members }, 'ben');
    await server.kill();
    await ask('PUT', '/people/flo', { name: '' }); // no name that the service takes
    await ask('DELETE', '/rooms/deck/people/ada'); // nor a room without its owner
    await ask('PUT', '/people/dee', { name: 'Dee' });
    await server.restart();
    assert.deepEqual(await ask('POST', '/outbox'), { sent: true });
    assert.deepEqual(await named(server, '/users'), { ada: 'ada', ben: 'ben', dee: 'Dee' });

    assert.equal(await status('DELETE', '/rooms/deck/people/ada'), 409);
    assert.equal(await status('PUT', '/rooms/nowhere/people/ben'), 409);
    await ask('PUT', '/people/flo', { name: 'Flo' });
    assert.deepEqual(await named(server, '/users'), { ada: 'ada', ben: 'ben', dee: 'Dee', flo: 'Flo' });
    await becomes({ ada: 'owner', ben: 'participant' }, members);
  });

  test(`a host in ${name} puts aside what the service fails at for too long, but nothing while the service is away`, async (t) => {
    const { server, front, ask, members } = await start(t, command, { through: Road, patience: 3 });
    await deck({ ask, members }, 'ben');
    await ask('PUT', '/people/dee', { name: 'Dee' });
    front.fails = /\/members$/;
    await ask('PUT', '/rooms/deck/people/dee');
    await ask('PUT', '/people/eve', { name: 'Eve' });
    assert.deepEqual(await ask('POST', '/outbox'), { sent: false });
    assert.deepEqual(await listed(server, '/users'), ['ada', 'ben', 'dee'], 'Eve waits');
    await becomes({ sent: true }, () => ask('POST', '/outbox'));
    front.fails = null;
    assert.deepEqual(await ask('POST', '/outbox'), { sent: true });
    assert.deepEqual(await listed(server, '/users'), ['ada', 'ben', 'dee', 'eve']);
    assert.deepEqual(await listed(server, '/groups/deck/members'), ['ada', 'ben'], 'what was put aside is not sent any more');

    front.broken = /^/;
    await ask('PUT', '/people/flo', { name: 'Flo' });
    await new Promise((done) => setTimeout(done, 3_500));
    assert.deepEqual(await ask('POST', '/outbox'), { sent: false });
    front.broken = null;
    assert.deepEqual(await ask('POST', '/outbox'), { sent: true });
    assert.deepEqual(await listed(server, '/users'), ['ada', 'ben', 'dee', 'eve', 'flo']);
  });

  test(`a host in ${name} deletes an owner on both sides or on neither`, async (t) => {
    const { server, ask, status, members } = await start(t, command);
    await deck({ ask, members }, 'ben');
    // Whoever is gone from the host would not be refused a second time.
    for (const time of ['first', 'second']) assert.equal(await status('DELETE', '/people/ada'), 409, time);
    assert.deepEqual(await listed(server, '/users'), ['ada', 'ben']);

    await server.kill();
    assert.equal(await status('DELETE', '/people/ben'), 503, 'the service cannot be asked');
    await ask('PUT', '/people/dee', { name: 'Dee' });
    await server.restart();
    assert.equal(await status('DELETE', '/people/ada'), 409);
    await ask('DELETE', '/people/dee');
    assert.deepEqual(await listed(server, '/users'), ['ada', 'ben'], 'she was made known and then deleted');

    await new Actor(server, 'deck', 'ada').transfer('ben');
    await ask('DELETE', '/people/ada');
    assert.deepEqual(await listed(server, '/users'), ['ben']);
    await becomes({ ben: 'owner' }, members);
  });
}

/** What the service answers to its host. */
async function read({ base }, path) {
  return (await fetch(`${base}/v3${path}`, { headers: { apikey: API_KEY } })).json();
}

/** The events of the deck after this one. */
const log = (server, seq) => read(server, `/groups/deck/events?after=${seq}&limit=1000`);

/** The names in a list of the service, by their uids. */
async function named(server, path) {
  return Object.fromEntries((await read(server, path)).data.map(({ uid, name }) => [uid, name]));
}
