// The original's calls for members and banned users, as its reference documents them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { group, NO_RIGHTS, ok, people, refused, scopes, settled, walk } from './original.mjs';
import * as shapes from './shapes.mjs';

test('members are added in buckets, each with an action message that counts on', async () => {
  const [ann, bob, cat, dan, eve] = await people('ann', 'bob', 'cat', 'dan', 'eve');
  const guid = await group(ann);
  const { data } = await ok('POST', `/groups/${guid}/members`, { admins: [bob], moderators: [cat], participants: [dan], usersToBan: [eve] });
  let membersCount = 1;
  for (const [bucket, on] of [
    ['admins', bob],
    ['moderators', cat],
    ['participants', dan],
  ]) {
    assert.equal(data[bucket][on].success, true);
    shapes.actionMessage(data[bucket][on].data, { by: 'app_system', on, guid, membersCount: ++membersCount });
  }
  assert.deepEqual(data.usersToBan, { [eve]: { success: true } });
  assert.deepEqual(await scopes(guid), { [ann]: 'admin', [bob]: 'admin', [cat]: 'moderator', [dan]: 'participant' });
});

test('whoever adds is named in the action message', async () => {
  const [ann, bob] = await people('ann', 'bob');
  const guid = await group(ann);
  const { data } = await ok('POST', `/groups/${guid}/members`, { participants: [bob] }, { as: ann });
  shapes.actionMessage(data.participants[bob].data, { by: ann, on: bob, guid, membersCount: 2 });
});

test('of several buckets the first wins, and the person appears there only', async () => {
  const [ann, bob] = await people('ann', 'bob');
  const guid = await group(ann);
  const { data } = await ok('POST', `/groups/${guid}/members`, { participants: [bob], moderators: [bob], admins: [bob], usersToBan: [bob] });
  assert.equal(data.admins[bob].success, true);
  for (const bucket of ['moderators', 'participants', 'usersToBan']) assert.ok(!(bob in (data[bucket] ?? {})), bucket);
  assert.equal((await scopes(guid))[bob], 'admin');
});

test('those who cannot be added say why, and the call is 200', async () => {
  const [ann, bob, eve] = await people('ann', 'bob', 'eve');
  const guid = await group(ann, { participants: [bob], usersToBan: [eve] });
  const { data } = await ok('POST', `/groups/${guid}/members`, { participants: [bob, eve, 'nobody-there', 'no.body@a.example'] });
  const code = (uid) => {
    assert.equal(data.participants[uid].success, false);
    assert.ok(data.participants[uid].error.message);
    return data.participants[uid].error.code;
  };
  assert.equal(code(bob), 'ERR_ALREADY_JOINED');
  assert.equal(code(eve), 'ERR_BANNED_GROUPMEMBER');
  for (const nobody of ['nobody-there', 'no.body@a.example']) assert.equal(code(nobody), 'ERR_UID_NOT_FOUND');
  assert.ok(!(eve in (await scopes(guid))), 'who is banned stays out');
});

test('members are listed with their scopes, by page, by scope and by status', async () => {
  const [ann, bob, cat, dan] = await people('ann', 'bob', 'cat', 'dan');
  const guid = await group(ann, { admins: [bob], moderators: [cat], participants: [dan] });
  const members = shapes.list(await ok('GET', `/groups/${guid}/members`), shapes.member);
  assert.equal(members.length, 4);
  const owner = members.find(({ uid }) => uid === ann);
  assert.equal(owner.scope, 'admin');
  const uids = async (query) =>
    shapes
      .list(await ok('GET', `/groups/${guid}/members?${query}`), shapes.member)
      .map(({ uid }) => uid)
      .sort();
  assert.deepEqual(await uids('scopes=admin'), [ann, bob].sort());
  assert.deepEqual(await uids('scopes=moderator,participant'), [cat, dan].sort());
  assert.deepEqual(await uids('status=available'), []);
  assert.deepEqual((await uids('status=offline')).length, 4);
  const pages = [await uids('perPage=3&page=1'), await uids('perPage=3&page=2')];
  assert.deepEqual(pages.flat().sort(), [ann, bob, cat, dan].sort());
  await settled();
  const seen = new Set();
  for (let cursor = { updatedAt: 0 }, steps = 0; steps < 50; steps++) {
    const answer = await ok('GET', `/groups/${guid}/members?perPage=1&affix=append&updatedAt=${cursor.updatedAt}`);
    if (answer.data.length === 0) break;
    for (const { uid } of answer.data) seen.add(uid);
    cursor = answer.cursor;
  }
  assert.equal(seen.size, 4);
  for (const affix of ['append', 'prepend']) {
    assert.deepEqual((await walk(`/groups/${guid}/members`, shapes.member, affix)).sort(), [ann, bob, cat, dan].sort());
  }
  for (const [name, value] of [
    ['scopes', 'king'],
    ['status', 'perhaps'],
    ['perPage', 1_001],
    ['page', 0],
    ['affix', 'between'],
    ['updatedAt', 'yesterday'],
  ]) {
    await refused(400, 'ERR_BAD_REQUEST', 'GET', `/groups/${guid}/members?${name}=${value}`, undefined, { fields: [name] });
  }
});

test('a row of the list of members is the user as read alone, without tags, and with what they are in the group', async () => {
  const [ann, bob] = await people('ann', 'bob');
  await ok('PUT', `/users/${bob}`, { avatar: 'https://a.example/bob.png', link: 'https://a.example/bob', metadata: { team: 'red' }, tags: ['x'] });
  const guid = await group(ann, { participants: [bob] });
  const { data: set } = await ok('PUT', `/groups/${guid}/members/${bob}`, { scope: 'moderator' });
  for (const options of [{}, { as: ann }, { as: bob }]) {
    const members = shapes.list(await ok('GET', `/groups/${guid}/members`, undefined, options), shapes.member);
    const { scope, joinedAt, ...user } = members.find(({ uid }) => uid === bob);
    assert.deepEqual({ guid, uid: bob, scope, joinedAt }, set, 'as the change of their scope answered');
    const { tags, ...alone } = (await ok('GET', `/users/${bob}`, undefined, options)).data;
    assert.deepEqual(user, alone);
  }
});

test('members that are read on behalf of one of them have the id of the conversation with the reader, who has none', async () => {
  const [ann, bob, cat] = await people('ann', 'bob', 'cat');
  const guid = await group(ann, { participants: [bob, cat] });
  const conversations = async (options) => {
    const members = shapes.list(await ok('GET', `/groups/${guid}/members`, undefined, options), shapes.member);
    return Object.fromEntries(members.filter((member) => 'conversationId' in member).map(({ uid, conversationId }) => [uid, conversationId]));
  };
  assert.deepEqual(await conversations({ as: bob }), { [ann]: `${ann}_user_${bob}`, [cat]: `${bob}_user_${cat}` });
  assert.deepEqual(await conversations({}), {}, 'the key alone talks to nobody');
});

test('a scope is changed, and one that is not given is participant', async () => {
  const [ann, bob, cat] = await people('ann', 'bob', 'cat');
  const guid = await group(ann, { participants: [bob] });
  const { data } = await ok('PUT', `/groups/${guid}/members/${bob}`, { scope: 'moderator' });
  assert.equal(shapes.membership(data).scope, 'moderator');
  assert.equal(data.guid, guid);
  assert.equal(data.uid, bob);
  await refused(409, 'ERR_SAME_SCOPE', 'PUT', `/groups/${guid}/members/${bob}`, { scope: 'moderator' });
  assert.equal(shapes.membership((await ok('PUT', `/groups/${guid}/members/${bob}`, {})).data).scope, 'participant');
  await refused(400, 'ERR_BAD_REQUEST', 'PUT', `/groups/${guid}/members/${bob}`, { scope: 'king' }, { fields: ['scope'] });
  await refused(404, 'ERR_NOT_A_MEMBER', 'PUT', `/groups/${guid}/members/${cat}`, { scope: 'admin' });
  await refused(404, 'ERR_UID_NOT_FOUND', 'PUT', `/groups/${guid}/members/nobody`, { scope: 'admin' });
});

test('a scope is changed on behalf of those above the member, and to their own at most', async () => {
  const [ann, bob, cat, dan, eve, fay] = await people('ann', 'bob', 'cat', 'dan', 'eve', 'fay');
  const guid = await group(ann, { admins: [bob], moderators: [cat], participants: [dan, eve] });
  const put = (uid, scope) => ['PUT', `/groups/${guid}/members/${uid}`, { scope }];
  for (const [as, uid, scope] of [
    [cat, dan, 'moderator'],
    [bob, dan, 'admin'],
    [ann, dan, 'participant'],
    [ann, bob, 'moderator'],
  ]) {
    assert.equal(shapes.membership((await ok(...put(uid, scope), { as })).data).scope, scope, `${as} makes ${uid} ${scope}`);
  }
  await refused(403, NO_RIGHTS, ...put(eve, 'admin'), { as: cat });
  await refused(403, NO_RIGHTS, ...put(bob, 'participant'), { as: cat });
  await refused(403, NO_RIGHTS, ...put(dan, 'moderator'), { as: eve });
  await refused(401, 'ERR_GROUP_NOT_JOINED', ...put(eve, 'moderator'), { as: fay });
  assert.deepEqual(await scopes(guid), { [ann]: 'admin', [bob]: 'moderator', [cat]: 'moderator', [dan]: 'participant', [eve]: 'participant' });
});

test('members are kicked by those above them', async () => {
  const [ann, bob, cat, dan] = await people('ann', 'bob', 'cat', 'dan');
  const guid = await group(ann, { admins: [bob], moderators: [cat], participants: [dan] });
  await refused(403, NO_RIGHTS, 'DELETE', `/groups/${guid}/members/${bob}`, undefined, { as: cat });
  shapes.done((await ok('DELETE', `/groups/${guid}/members/${dan}`, undefined, { as: cat })).data);
  shapes.done((await ok('DELETE', `/groups/${guid}/members/${cat}`)).data);
  assert.deepEqual(await scopes(guid), { [ann]: 'admin', [bob]: 'admin' });
  await refused(404, 'ERR_NOT_A_MEMBER', 'DELETE', `/groups/${guid}/members/${dan}`);
  await refused(401, 'ERR_GROUP_NOT_JOINED', 'DELETE', `/groups/${guid}/members/${bob}`, undefined, { as: dan });
});

test('users are banned, listed, and let in again', async () => {
  const [ann, bob, cat] = await people('ann', 'bob', 'cat');
  const guid = await group(ann, { moderators: [cat], participants: [bob] });
  shapes.done((await ok('POST', `/groups/${guid}/bannedusers/${bob}`, undefined, { as: cat })).data);
  assert.ok(!(bob in (await scopes(guid))));
  const [banned] = shapes.list(await ok('GET', `/groups/${guid}/bannedusers`), shapes.banned);
  assert.equal(banned.uid, bob);
  assert.equal(banned.name, 'Bob');
  await refused(409, 'ERR_ALREADY_BANNED', 'POST', `/groups/${guid}/bannedusers/${bob}`);
  shapes.done((await ok('DELETE', `/groups/${guid}/bannedusers/${bob}`)).data);
  await refused(409, 'ERR_NOT_A_BANNED_USER', 'DELETE', `/groups/${guid}/bannedusers/${bob}`);
  // PHP writes an empty object as an empty array.
  shapes.done((await ok('POST', `/groups/${guid}/bannedusers/${bob}`, [])).data);
  shapes.done((await ok('DELETE', `/groups/${guid}/bannedusers/${bob}`, [], { as: cat })).data);
  assert.deepEqual(shapes.list(await ok('GET', `/groups/${guid}/bannedusers`), shapes.banned), []);
  await refused(404, 'ERR_GUID_NOT_FOUND', 'GET', '/groups/no-such-group/bannedusers');
});

test('on behalf of somebody bans are set and lifted with their rights, and nobody acts on themselves', async () => {
  const [ann, bob, cat, dan, eve, fay] = await people('ann', 'bob', 'cat', 'dan', 'eve', 'fay');
  const guid = await group(ann, { admins: [bob], moderators: [cat], participants: [dan, eve] });
  const ban = (uid) => ['POST', `/groups/${guid}/bannedusers/${uid}`, undefined];
  const lift = (uid) => ['DELETE', `/groups/${guid}/bannedusers/${uid}`, undefined];
  shapes.done((await ok(...ban(eve), { as: cat })).data);
  await refused(403, NO_RIGHTS, ...ban(bob), { as: cat });
  await refused(403, NO_RIGHTS, ...ban(fay), { as: dan });
  await refused(403, 'ERR_GROUP_NO_SELF_ACTION', ...ban(cat), { as: cat });
  await refused(403, NO_RIGHTS, 'PUT', `/groups/${guid}/members/${cat}`, { scope: 'admin' }, { as: cat });
  await refused(403, NO_RIGHTS, ...lift(eve), { as: dan });
  for (const act of [ban(dan), lift(eve)]) await refused(401, 'ERR_GROUP_NOT_JOINED', ...act, { as: fay });
  shapes.done((await ok(...lift(eve), { as: cat })).data);
  assert.deepEqual(await scopes(guid), { [ann]: 'admin', [bob]: 'admin', [cat]: 'moderator', [dan]: 'participant' });
});

test('somebody joins and leaves by the calls of the SDK', async () => {
  const [ann, bob] = await people('ann', 'bob');
  const open = await group(ann);
  await refused(401, 'ERR_GROUP_NOT_JOINED', 'POST', `/groups/${open}/members`, { participants: [bob] }, { as: bob });
  const { data: joined } = await ok('POST', `/groups/${open}/members`, {}, { as: bob });
  shapes.group(joined);
  assert.deepEqual(
    [joined.guid, joined.owner, joined.membersCount, joined.hasJoined, joined.scope],
    [open, ann, 2, true, 'participant'],
    'the group as the one who joined reads it',
  );
  assert.ok(joined.joinedAt >= joined.createdAt);
  assert.equal((await scopes(open))[bob], 'participant');
  await refused(409, 'ERR_ALREADY_JOINED', 'POST', `/groups/${open}/members`, {}, { as: bob });
  shapes.done((await ok('DELETE', `/groups/${open}/members`, undefined, { as: bob })).data);
  assert.ok(!(bob in (await scopes(open))));
  await refused(409, 'ERR_OWNER_MUST_TRANSFER', 'DELETE', `/groups/${await group(ann, { participants: [bob] })}/members`, undefined, { as: ann });
  const locked = await group(ann, {}, { type: 'password', password: 'open sesame' });
  await refused(403, 'ERR_EMPTY_GROUP_PASS', 'POST', `/groups/${locked}/members`, {}, { as: bob });
  await refused(403, 'ERR_WRONG_GROUP_PASS', 'POST', `/groups/${locked}/members`, { password: 'open' }, { as: bob });
  const { data: unlocked } = await ok('POST', `/groups/${locked}/members`, { password: 'open sesame' }, { as: bob });
  assert.equal(shapes.group(unlocked).type, 'password');
  assert.ok(!('password' in unlocked));
  const closed = await group(ann, {}, { type: 'private' });
  await refused(403, 'ERR_GROUP_JOIN_NOT_ALLOWED', 'POST', `/groups/${closed}/members`, {}, { as: bob });
});

test('a group gets another owner, and one that was no member is added', async () => {
  const [ann, bob, cat] = await people('ann', 'bob', 'cat');
  const guid = await group(ann);
  const transfer = async (owner, options) => shapes.transfer((await ok('PATCH', `/groups/${guid}/owner`, { owner }, options)).data);
  const { message, ...done } = await transfer(bob);
  assert.deepEqual(done, { success: true, guid, owner: bob });
  assert.ok(message.includes(guid) && message.includes(bob), message);
  assert.equal((await ok('GET', `/groups/${guid}`)).data.owner, bob);
  assert.deepEqual(await scopes(guid), { [ann]: 'admin', [bob]: 'admin' });
  assert.equal((await transfer(ann, { as: bob })).owner, ann);
  assert.equal((await transfer(cat, { as: ann })).owner, cat, 'who was no member, by the owner too');
  assert.deepEqual(await scopes(guid), { [ann]: 'admin', [bob]: 'admin', [cat]: 'admin' });
  assert.equal((await transfer(null)).owner, 'app_system', 'the host takes it over');
  assert.equal((await ok('GET', `/groups/${guid}`)).data.owner, 'app_system');
});
