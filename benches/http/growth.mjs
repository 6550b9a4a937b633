// Cost against size: members of a group, open streams, groups, actors. Flat is good.

import { join } from 'node:path';

import { act, withGroup } from './acts.mjs';
import { samePages } from './check.mjs';
import { drive, raw, save } from './load.mjs';
import { firstPage, pathOf, places, requests, VIEWERS } from './pages.mjs';
import { nameOf } from './people.mjs';
import * as peers from './peers.mjs';
import { interleave } from './rounds.mjs';
import { API_KEY, host, serve, token } from './service.mjs';
import { fanOut } from './streams.mjs';

const STREAMS = [1, 10, 100, 1_000, 10_000];
const GROUPS = [1, 10, 100, 1_000, 10_000, 20_000];
const ACTORS = [1, 4, 16, 64];
/** Members of each of many groups: a page and one more. */
const IN_A_GROUP = 31;
/** Calls of the host that are under way at once. */
const AT_ONCE = 16;

export async function measure(run, lists) {
  await members(run, lists);
  await groups(run, run.quick ? GROUPS.slice(0, 4) : GROUPS);
  await actors(run);
  for (const count of run.quick ? STREAMS.slice(0, 3) : STREAMS) await fanOut(run, count, `growth.streams.${count}`);
}

/** Any page of groups of all sizes, of the service and of peers that read their database. */
async function members(run, { service, database, groups, sizes }) {
  const { headers } = await firstPage(service, `group-of-${sizes[0]}`);
  const [fastify, django] = await Promise.all([peers.fastify(run.folder, database, headers), peers.django(run.folder, database, headers)]);
  try {
    const contestants = [];
    for (const size of sizes) {
      const guid = `group-of-${size}`;
      const anywhere = places(groups.get(guid));
      const file = join(run.folder, `growth-${size}`);
      await save(file, requests(guid, anywhere));
      for (const peer of [fastify, django])
        await samePages(
          service,
          peer,
          anywhere.slice(0, 5).map((order) => pathOf(guid, order)),
          VIEWERS[0],
        );
      for (const [name, server] of Object.entries({ ours: service, fastify, django })) {
        contestants.push([`growth.members.${size}.${name}`, () => turn(server, file, run.seconds)]);
      }
    }
    await interleave(contestants, run.rounds, run.keep);
    run.say('members measured');
  } finally {
    await Promise.all([fastify, django].map((server) => server.stop()));
  }
}

async function turn(server, file, seconds) {
  const { rate, cpu } = await drive(server, file, { seconds });
  return { rate, cpu };
}

/** The first page of each of many groups in turn, and what they hold in memory. */
async function groups(run, counts) {
  const service = await serve(join(run.folder, 'groups.db'));
  try {
    const guidOf = (number) => `one-of-many-${number}`;
    const tokens = VIEWERS.slice(0, IN_A_GROUP).map((viewer) => token(viewer));
    const empty = service.ownMemory();
    for (const [number, uid] of VIEWERS.slice(0, IN_A_GROUP).entries()) await host(service, 'POST', '/v3/users', { uid, name: nameOf(900 + number) });
    let made = 0;
    for (const count of counts) {
      await inParallel(count - made, (number) => makeGroup(service, guidOf(made + number)));
      made = count;
      const file = join(run.folder, `groups-${count}`);
      const asked = Array.from({ length: Math.max(count, tokens.length) }, (_, at) => raw(pathOf(guidOf(at % count)), { token: tokens[at % tokens.length] }));
      await save(file, asked);
      await interleave([[`growth.groups.${count}`, () => turn(service, file, run.seconds)]], run.rounds, run.keep);
      run.keep(`growth.groups.${count}.memory`, service.ownMemory() - empty);
      run.say(`${count} groups measured`);
    }
  } finally {
    await service.stop();
  }
}

async function makeGroup(service, guid) {
  await host(service, 'POST', '/v3/groups', { guid, name: guid, type: 'private', owner: VIEWERS[0] });
  const rows = VIEWERS.slice(0, IN_A_GROUP).map((uid, number) => JSON.stringify({ uid, scope: number === 0 ? 'owner' : 'participant' }));
  const answer = await fetch(`${service.base}/v3/groups/${guid}/members`, {
    method: 'PUT',
    headers: { apikey: API_KEY, 'content-type': 'application/x-ndjson' },
    body: `${rows.join('\n')}\n`,
  });
  const text = await answer.text();
  if (!answer.ok || !text.includes('"result"')) throw new Error(`${guid}: ${answer.status} ${text}`);
}

/** Does the work for every number, several at once. */
async function inParallel(count, work) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** Acts by more and more people at once. */
async function actors(run) {
  await withGroup(run, async (service) => {
    const contestants = ACTORS.map((count) => [`growth.acts.${count}`, () => act(run, service, count)]);
    await interleave(contestants, run.rounds, run.keep);
    run.say('acts measured');
  });
}
