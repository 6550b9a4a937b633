// The original's list of banned users: every field of it, its pages and its cursor.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { group, nextSecond, ok, people, refused, walk } from './original.mjs';
import * as shapes from './shapes.mjs';

/** The fields that a user has in every list. */
const OF_A_USER = ['uid', 'name', 'avatar', 'link', 'role', 'statusMessage', 'metadata', 'status', 'createdAt', 'updatedAt'];

const bannedAt = (user) => user.bannedAt;

test('a banned user is listed with every field of a user, without scope and date of joining, and with the terms of the ban', async () => {
  const [ann, bob, cat, eve] = await people('ann', 'bob', 'cat', 'eve');
  const details = {
    avatar: 'https://a.example/bob.png',
    link: 'https://a.example/bob',
    role: 'guest',
    statusMessage: 'At sea',
    metadata: { team: 'red' },
  };
  await ok('PUT', `/users/${bob}`, details);
  const guid = await group(ann, { moderators: [cat], participants: [bob] });
  const before = Math.floor(Date.now() / 1_000);
  shapes.done((await ok('POST', `/groups/${guid}/bannedusers/${bob}`, undefined, { as: cat })).data);
  const terms = { reason: 'spam', message: 'Not here.', until: '2099-01-31T12:00:00Z' };
  shapes.done((await ok('POST', `/groups/${guid}/bannedusers/${eve}`, terms)).data);

  const listed = shapes.list(await ok('GET', `/groups/${guid}/bannedusers`), shapes.banned);
  const [bobs, eves] = [bob, eve].map((uid) => listed.find((user) => user.uid === uid));
  const { data: user } = await ok('GET', `/users/${bob}`);
  for (const name of OF_A_USER) assert.deepEqual(bobs[name], user[name], name);
  for (const name of ['scope', 'joinedAt', 'reason', 'message', 'until']) assert.ok(!(name in bobs), `${name} is left out`);
  assert.equal(bobs.by, cat);
  assert.ok(bobs.bannedAt >= before && bobs.bannedAt <= Date.now() / 1_000, `${bobs.bannedAt}`);
  assert.deepEqual([eves.reason, eves.message, Date.parse(eves.until)], [terms.reason, terms.message, Date.parse(terms.until)]);
  assert.ok(!('by' in eves), 'the host did it');
  assert.ok(!('updatedAt' in eves), 'a ban does not change the user');
});

test('banned users are listed with their numbers, by page, and by cursor in both directions to the end', async () => {
  const [ann, ...others] = await people('ann', 'bob', 'cat', 'dan', 'eve', 'fay');
  const guid = await group(ann);
  for (const [place, uid] of others.entries()) {
    if (place % 2 === 1) await nextSecond();
    await ok('POST', `/groups/${guid}/bannedusers/${uid}`);
  }
  const path = `/groups/${guid}/bannedusers`;
  const uids = (answer) => shapes.list(answer, shapes.banned).map(({ uid }) => uid);
  const all = await ok('GET', path);
  assert.deepEqual(uids(all).sort(), others);
  assert.deepEqual(all.meta.pagination, { total: 5, count: 5, per_page: 100, current_page: 1, total_pages: 1 });
  for (const name of ['perPage', 'per_page']) {
    const seen = [];
    for (const [page, count] of [2, 2, 1, 0].entries()) {
      const answer = await ok('GET', `${path}?${name}=2&page=${page + 1}`);
      seen.push(...uids(answer));
      assert.deepEqual(answer.meta.pagination, { total: 5, count, per_page: 2, current_page: page + 1, total_pages: 3 });
    }
    assert.deepEqual(seen, uids(all), `${name}: the same in the same order`);
  }
  for (const affix of ['append', 'prepend']) assert.deepEqual((await walk(path, shapes.banned, affix, bannedAt)).sort(), others);

  const first = await ok('GET', `${path}?perPage=2`);
  const rest = await ok('GET', `${path}?affix=${first.cursor.affix}&updatedAt=${first.cursor.updatedAt}`);
  assert.deepEqual([...new Set([...uids(first), ...uids(rest)])].sort(), others, 'its cursor goes on where a page ends');
  for (const [name, value] of [
    ['perPage', 0],
    ['perPage', 1_001],
    ['page', 0],
  ]) {
    await refused(400, 'ERR_BAD_REQUEST', 'GET', `${path}?${name}=${value}`, undefined, { fields: [name] });
  }
});
