// Whether a peer does the same work: the same people in the same order in about the same bytes, and the same refusals.

import assert from 'node:assert/strict';

import { people } from './rows.mjs';
import { token } from './service.mjs';

/** A peer's page may be so much larger or smaller than ours: more means that our markup has changed and the peers' has not. */
const TOLERANCE = 0.05;

async function ask(server, path, bearer) {
  const answer = await fetch(`${server.base}${path}`, { headers: { authorization: `Bearer ${bearer}` } });
  return { status: answer.status, body: await answer.text() };
}

/** Compares the pages at these paths; answers how large the peer's are against ours. */
export async function samePages(service, peer, paths, viewer) {
  const bearer = token(viewer);
  const sizes = { ours: 0, theirs: 0 };
  for (const path of paths) {
    const [ours, theirs] = await Promise.all([ask(service, path, bearer), ask(peer, path, bearer)]);
    assert.equal(ours.status, 200, `${path} of the service`);
    assert.equal(theirs.status, 200, `${path} of ${peer.name}`);
    const expected = people(ours.body);
    assert.equal(expected.length, 30, `${path} is a full page`);
    assert.deepEqual(people(theirs.body), expected, `${peer.name} shows other people at ${path}`);
    sizes.ours += Buffer.byteLength(ours.body);
    sizes.theirs += Buffer.byteLength(theirs.body);
  }
  const share = sizes.theirs / sizes.ours;
  assert.ok(Math.abs(share - 1) <= TOLERANCE, `${peer.name} sends ${share.toFixed(2)} times our bytes: bring its template up to date`);
  return share;
}

/** Forged, expired and missing tokens and people who are not in the group are refused by all alike. */
export async function sameRefusals(service, peer, path, viewer) {
  const forged = token(viewer, 3600, 'another secret that is also long enough to be one');
  const cases = [
    [forged, 401],
    [token(viewer, -60), 401],
    ['', 401],
    [token('nobody'), 404],
  ];
  for (const server of [service, peer]) {
    for (const [bearer, status] of cases) assert.equal((await ask(server, path, bearer)).status, status, `${server.name} on a wrong token`);
  }
}
