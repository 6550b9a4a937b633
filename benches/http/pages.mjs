// Pages of 30 rows: the service, the peers and a constant body in turn, at the same places of the same list.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { samePages, sameRefusals } from './check.mjs';
import { drive, raw, save } from './load.mjs';
import { median } from './numbers.mjs';
import { mix, uidOf } from './people.mjs';
import * as peers from './peers.mjs';
import { interleave } from './rounds.mjs';
import { token } from './service.mjs';

/** So many viewers ask in turn: ordinary members, each with a token of their own. */
export const VIEWERS = Array.from({ length: 64 }, (_, number) => uidOf(900 + number));
/** Places of a list that are asked for. */
const PLACES = 20_000;
/** Windows that people look at: the first ones. */
const LOOKED_AT = 100;
const BROWSER = { 'Accept-Encoding': 'gzip', 'Sec-Fetch-Site': 'same-origin' };
/** Headers that a peer cannot know, or that its server sets by itself. */
const OWN_HEADERS = ['content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding', 'etag', 'last-event-id', 'x-request-id', 'server'];

export const pathOf = (guid, order) => `/groups/${guid}/members?part=rows${order ? `&cursor=${encodeURIComponent(order)}` : ''}`;

/** Positions all over a list, spread so that no two requests in a row are neighbours; the last page is left out, as it is shorter. */
export function places(orders) {
  const step = Math.max(1, Math.floor(orders.length / PLACES));
  const taken = orders.slice(0, -31).filter((_, at) => at % step === 0);
  const keys = new Map(taken.map((order, at) => [order, mix(at)]));
  return taken.sort((one, other) => (keys.get(one) < keys.get(other) ? -1 : 1));
}

/** Requests for these places of a group, by all viewers in turn. */
export function requests(guid, orders, headers = {}) {
  const tokens = VIEWERS.map((viewer) => token(viewer));
  const count = Math.max(orders.length, VIEWERS.length);
  return Array.from({ length: count }, (_, at) => raw(pathOf(guid, orders[at % orders.length]), { token: tokens[at % tokens.length], headers }));
}

/** What the service's first page is: its bytes, and the headers that the peers send too. */
export async function firstPage(service, guid) {
  const answer = await fetch(`${service.base}${pathOf(guid)}`, { headers: { authorization: `Bearer ${token(VIEWERS[0])}`, 'accept-encoding': 'identity' } });
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN_HEADERS.includes(name)));
  return { body: await answer.text(), headers };
}

/** `groups` are positions by guid; `big` is the largest group, `small` the one of 1,000. */
export async function measure(run, { service, database, groups, big, small }) {
  const page = await firstPage(service, big);
  const bodyFile = join(run.folder, 'constant.html');
  await writeFile(bodyFile, page.body);
  const [one, all, django, constant] = await Promise.all([
    peers.fastify(run.folder, database, page.headers),
    peers.fastifyOnAllCores(run.folder, database, page.headers),
    peers.django(run.folder, database, page.headers),
    peers.constant(run.folder, bodyFile, page.headers),
  ]);
  try {
    const anywhere = places(groups.get(big));
    const checked = ['', ...anywhere.slice(0, 9)].map((order) => pathOf(big, order));
    for (const peer of [one, all, django]) {
      const share = await samePages(service, peer, checked, VIEWERS[0]);
      await sameRefusals(service, peer, checked[0], VIEWERS[0]);
      run.say(`${peer.name}: the same 30 people in the same order on ${checked.length} pages, ${(share * 100).toFixed(1)} % of our bytes`);
    }
    run.keep('pages.body', Buffer.byteLength(page.body));

    const looked = groups
      .get(big)
      .slice(0, LOOKED_AT * 30)
      .filter((_, at) => at % 30 === 0);
    const sets = { any: requests(big, anywhere), small: requests(small, places(groups.get(small))), looked: requests(big, looked) };
    sets.gzip = requests(big, looked, BROWSER);
    sets.same = requests(big, ['']);
    for (const [name, set] of Object.entries(sets)) await save(join(run.folder, name), set);
    const turn = (server, set) => async () => {
      const { rate, cpu, p50, p99, bytes } = await drive(server, join(run.folder, set), { seconds: run.seconds });
      return { rate, cpu, p50, p99, bytes };
    };
    const contestants = [
      ['constant', turn(constant, 'same')],
      ['any', turn(service, 'any')],
      ['fastify', turn(one, 'any')],
      ['fastify-all', turn(all, 'any')],
      ['django', turn(django, 'any')],
      ['small', turn(service, 'small')],
      ['looked', turn(service, 'looked')],
      ['gzip', turn(service, 'gzip')],
      ['same', turn(service, 'same')],
    ];
    await interleave(contestants, run.rounds, (name, value) => run.keep(`pages.${name}`, value), run.say);
    assert.ok(median(run.samples['pages.gzip.bytes']) < 0.6 * median(run.samples['pages.looked.bytes']), 'compressed windows are compressed');
  } finally {
    await Promise.all([one, all, django, constant].map((server) => server.stop()));
  }
}
