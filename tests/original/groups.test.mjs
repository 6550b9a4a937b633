// The original's calls for groups, as its reference documents them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { group, guidOf, NO_RIGHTS, nextSecond, ok, people, refused, scopes, settled, walk } from './original.mjs';
import * as shapes from './shapes.mjs';

test('a group is created on behalf of somebody, who is its owner and admin', async () => {
  const [ann] = await people('ann');
  const guid = guidOf('red');
  const fields = {
    guid,
    name: 'Red',
    type: 'public',
    icon: 'https://a.example/r.png',
    description: 'Of red things',
    metadata: { colour: '#f00' },
    tags: ['x', 'y'],
  };
  const { data } = await ok('POST', '/groups', fields, { as: ann });
  shapes.group(data);
  for (const [name, value] of Object.entries(fields)) assert.deepEqual(data[name], value, name);
  assert.equal(data.owner, ann);
  assert.equal(data.scope, 'admin');
  assert.equal(data.hasJoined, true);
  assert.equal(data.membersCount, 1);
  assert.ok(data.joinedAt >= data.createdAt);
  assert.deepEqual(await scopes(guid), { [ann]: 'admin' });
});

test('a group of nobody belongs to app_system and has no member', async () => {
  const guid = guidOf('red');
  const { data } = await ok('POST', '/groups', { guid, name: 'Red', type: 'public' });
  assert.equal(shapes.group(data).owner, 'app_system');
  assert.equal(data.membersCount, 0);
  assert.deepEqual(await scopes(guid), {});
});

test('a group whose type is not given is public, and a password is never shown', async () => {
  const [ann] = await people('ann');
  const open = await ok('POST', '/groups', { guid: guidOf('red'), name: 'Red', owner: ann });
  assert.equal(shapes.group(open.data).type, 'public');
  const guid = guidOf('red');
  const locked = await ok('POST', '/groups', { guid, name: 'Red', type: 'password', password: 'open sesame', owner: ann });
  assert.equal(shapes.group(locked.data).type, 'password');
  for (const answer of [locked, await ok('GET', `/groups/${guid}`), await ok('GET', `/groups?searchKey=${guid}`)]) {
    assert.ok(!JSON.stringify(answer).includes('sesame'));
  }
  await refused(403, 'ERR_EMPTY_GROUP_PASS', 'POST', '/groups', { guid: guidOf('red'), name: 'Red', type: 'password', owner: ann });
});

test('a group gets a password by a change of its type, and not without one', async () => {
  const [ann, bob] = await people('ann', 'bob');
  const guid = await group(ann);
  await refused(400, 'ERR_BAD_REQUEST', 'PUT', `/groups/${guid}`, { type: 'password' }, { fields: ['password'] });
  await refused(400, 'ERR_BAD_REQUEST', 'PUT', `/groups/${guid}`, { type: 'password', password: 'p'.repeat(101) }, { fields: ['password'] });
  assert.equal((await ok('GET', `/groups/${guid}`)).data.type, 'public');
  assert.equal(shapes.group((await ok('PUT', `/groups/${guid}`, { type: 'password', password: 'open sesame' })).data).type, 'password');
  assert.equal((await ok('PUT', `/groups/${guid}`, { name: 'Crimson' })).data.type, 'password', 'what is not named stays');
  await refused(403, 'ERR_WRONG_GROUP_PASS', 'POST', `/groups/${guid}/members`, { password: 'open' }, { as: bob });
  shapes.group((await ok('POST', `/groups/${guid}/members`, { password: 'open sesame' }, { as: bob })).data);
});

test('a password beside another type does no harm, and one without a type is refused, as the group would be public', async () => {
  for (const type of ['public', 'private']) {
    const guid = guidOf('red');
    const { data } = await ok('POST', '/groups', { guid, name: 'Red', type, password: 'open sesame' });
    assert.equal(shapes.group(data).type, type);
    assert.equal((await ok('PUT', `/groups/${guid}`, { name: 'Crimson', type, password: 'open sesame' })).data.type, type);
  }
  const untyped = { guid: guidOf('red'), name: 'Red', password: 'open sesame' };
  await refused(400, 'ERR_BAD_REQUEST', 'POST', '/groups', untyped, { fields: ['password'] });
});

test('a group is created with its members, each with a result of their own', async () => {
  const [ann, bob, cat, dan, eve] = await people('ann', 'bob', 'cat', 'dan', 'eve');
  const guid = guidOf('red');
  const members = { admins: [bob], moderators: [cat], participants: [dan, 'nobody-at-all', 'no.body@a.example'], usersToBan: [eve] };
  const { data } = await ok('POST', '/groups', { guid, name: 'Red', type: 'public', owner: ann, members });
  const { members: results, ...made } = data;
  assert.equal(shapes.group(made).membersCount, 4);
  let membersCount = 1;
  for (const [bucket, on] of [
    ['admins', bob],
    ['moderators', cat],
    ['participants', dan],
  ]) {
    assert.equal(results[bucket][on].success, true);
    shapes.actionMessage(results[bucket][on].data, { by: 'app_system', on, guid, membersCount: ++membersCount });
  }
  for (const nobody of ['nobody-at-all', 'no.body@a.example']) {
    assert.equal(results.participants[nobody].success, false);
    assert.equal(results.participants[nobody].error.code, 'ERR_UID_NOT_FOUND');
  }
  assert.deepEqual(results.usersToBan, { [eve]: { success: true } });
  assert.deepEqual(await scopes(guid), { [ann]: 'admin', [bob]: 'admin', [cat]: 'moderator', [dan]: 'participant' });
});

test('what cannot be created says which field is wrong', async () => {
  const [ann] = await people('ann');
  await refused(400, 'ERR_BAD_REQUEST', 'POST', '/groups', {}, { fields: ['guid', 'name'] });
  for (const [field, value] of [
    ['type', 'secret'],
    ['name', 'n'.repeat(101)],
    ['description', 'd'.repeat(256)],
    ['icon', 'nowhere'],
    ['metadata', ['x']],
    ['tags', [1]],
  ]) {
    await refused(
      400,
      'ERR_BAD_REQUEST',
      'POST',
      '/groups',
      { guid: guidOf('red'), name: 'Red', type: 'public', owner: ann, [field]: value },
      { fields: [field] },
    );
  }
  const guid = await group(ann);
  await refused(400, 'ERR_GUID_ALREADY_EXISTS', 'POST', '/groups', { guid, name: 'Red', type: 'public', owner: ann });
  await refused(404, 'ERR_UID_NOT_FOUND', 'POST', '/groups', { guid: guidOf('red'), name: 'Red', type: 'public', owner: 'nobody' });
});

test('a group is read, with what it is to the one who asks', async () => {
  const [ann, bob, cat] = await people('ann', 'bob', 'cat');
  const guid = await group(ann, { moderators: [bob] });
  const { data: plain } = await ok('GET', `/groups/${guid}`);
  assert.equal(shapes.group(plain).membersCount, 2);
  for (const name of ['scope', 'isOwner', 'joinedAt', 'hasJoined']) assert.ok(!(name in plain), `${name} is of somebody`);
  const { data: bobs } = await ok('GET', `/groups/${guid}`, undefined, { as: bob });
  assert.equal(shapes.group(bobs).scope, 'moderator');
  assert.equal(bobs.hasJoined, true);
  assert.ok(bobs.joinedAt);
  await refused(401, 'ERR_GROUP_NOT_JOINED', 'GET', `/groups/${guid}/members`, undefined, { as: cat });
  await refused(404, 'ERR_GUID_NOT_FOUND', 'GET', '/groups/no-such-group');
});

test('somebody who is not in a group reads that they have not joined it, and neither scope nor date of joining', async () => {
  const [ann, bob] = await people('ann', 'bob');
  const guid = await group(ann);
  const alone = shapes.group((await ok('GET', `/groups/${guid}`, undefined, { as: bob })).data);
  const listed = shapes.list(await ok('GET', `/groups?searchKey=${guid}`, undefined, { as: bob }), shapes.group);
  for (const seen of [alone, listed.find((one) => one.guid === guid)]) {
    assert.deepEqual([seen.hasJoined, seen.owner], [false, ann]);
    for (const name of ['scope', 'joinedAt']) assert.ok(!(name in seen), `${name} is left out`);
  }
  const closed = await group(ann, {}, { type: 'private' });
  await refused(401, 'ERR_GROUP_NOT_JOINED', 'GET', `/groups/${closed}`, undefined, { as: bob });
});

test('a row of the list is the group as read alone', async () => {
  const [ann, bob, cat] = await people('ann', 'bob', 'cat');
  const details = { icon: 'https://a.example/r.png', description: 'Of red things', metadata: { colour: '#f00' }, tags: ['x'] };
  const guid = await group(ann, { moderators: [bob] }, details);
  for (const options of [{}, { as: ann }, { as: bob }, { as: cat }]) {
    const { data: alone } = await ok('GET', `/groups/${guid}`, undefined, options);
    assert.equal(alone.onlineMembersCount, options.as === cat ? undefined : 0);
    const listed = shapes.list(await ok('GET', `/groups?searchKey=${guid}`, undefined, options), shapes.group);
    assert.deepEqual(
      listed.find((one) => one.guid === guid),
      alone,
    );
  }
});

test('the groups of a person are listed with what they are in each, by page, and by cursor in both directions to the end', async () => {
  const [ann, bob] = await people('ann', 'bob');
  const owned = await group(bob, {}, { tags: ['x'] });
  await nextSecond();
  const moderated = await group(ann, { moderators: [bob] }, { type: 'password', password: 'open sesame' });
  const joined = await group(ann, { participants: [bob] }, { type: 'private' });
  await group(ann);
  const path = `/users/${bob}/groups`;
  const all = shapes.list(await ok('GET', path), shapes.group);
  const guids = [owned, moderated, joined].sort();
  assert.deepEqual(all.map(({ guid }) => guid).sort(), guids);
  for (const [guid, scope] of [
    [owned, 'admin'],
    [moderated, 'moderator'],
    [joined, 'participant'],
  ]) {
    const listed = all.find((one) => one.guid === guid);
    assert.deepEqual(listed, (await ok('GET', `/groups/${guid}`, undefined, { as: bob })).data, 'as they read it themselves');
    assert.deepEqual([listed.scope, listed.hasJoined, listed.isOwner, listed.onlineMembersCount], [scope, true, guid === owned ? true : undefined, 0]);
    assert.ok(listed.joinedAt >= listed.createdAt);
  }
  for (const name of ['perPage', 'per_page']) {
    const seen = [];
    for (const [page, count] of [2, 1, 0].entries()) {
      const answer = await ok('GET', `${path}?${name}=2&page=${page + 1}`);
      seen.push(...shapes.list(answer, shapes.group));
      assert.deepEqual(answer.meta.pagination, { total: 3, count, per_page: 2, current_page: page + 1, total_pages: 2 });
    }
    assert.deepEqual(seen, all, `${name}: the same in the same order`);
  }
  for (const affix of ['append', 'prepend']) assert.deepEqual((await walk(path, shapes.group, affix)).sort(), guids);
  await refused(404, 'ERR_UID_NOT_FOUND', 'GET', '/users/nobody/groups');
});

test('an update touches what it names, and unset empties icon, description and metadata', async () => {
  const [ann] = await people('ann');
  const guid = await group(ann, {}, { icon: 'https://a.example/r.png', description: 'D', metadata: { a: 1 }, tags: ['t'] });
  const { data: renamed } = await ok('PUT', `/groups/${guid}`, { name: 'Crimson' });
  assert.equal(shapes.group(renamed).name, 'Crimson');
  assert.equal(renamed.icon, 'https://a.example/r.png');
  assert.ok(renamed.updatedAt >= renamed.createdAt);
  const { data: tagged } = await ok('PUT', `/groups/${guid}`, { tags: ['u', 'v'], type: 'private' });
  assert.deepEqual(tagged.tags, ['u', 'v']);
  assert.equal(tagged.type, 'private');
  const { data: emptied } = await ok('PUT', `/groups/${guid}`, { unset: ['icon', 'description', 'metadata'] });
  for (const name of ['icon', 'description', 'metadata']) assert.ok(!(name in emptied), `${name} is left out`);
  await refused(400, 'ERR_BAD_REQUEST', 'PUT', `/groups/${guid}`, { unset: ['name'] }, { fields: ['unset'] });
});

test('moderators and up may update, admins may delete, and owner transfers with the key alone', async () => {
  const [ann, bob, cat, dan] = await people('ann', 'bob', 'cat', 'dan');
  const guid = await group(ann, { admins: [bob], moderators: [cat], participants: [dan] });
  await refused(403, NO_RIGHTS, 'PUT', `/groups/${guid}`, { name: 'X' }, { as: dan });
  assert.equal((await ok('PUT', `/groups/${guid}`, { name: 'By Cat', owner: cat }, { as: cat })).data.owner, ann);
  assert.equal((await ok('PUT', `/groups/${guid}`, { owner: bob })).data.owner, bob);
  assert.deepEqual(await scopes(guid), { [ann]: 'admin', [bob]: 'admin', [cat]: 'moderator', [dan]: 'participant' });
  await refused(403, NO_RIGHTS, 'DELETE', `/groups/${guid}`, undefined, { as: cat });
  shapes.done((await ok('DELETE', `/groups/${guid}`, undefined, { as: ann })).data);
  await refused(404, 'ERR_GUID_NOT_FOUND', 'GET', `/groups/${guid}`);
});

test('groups are listed with their numbers, by page and by cursor', async () => {
  const [ann] = await people('ann');
  const made = [];
  for (let n = 0; n < 5; n++) made.push(await group(ann));
  const all = await ok('GET', '/groups?perPage=1000');
  const guids = shapes.list(all, shapes.group).map(({ guid }) => guid);
  assert.equal(all.meta.pagination.total, guids.length);
  for (const guid of made) assert.ok(guids.includes(guid));
  const byPage = [];
  for (let page = 1; ; page++) {
    const answer = await ok('GET', `/groups?perPage=3&page=${page}`);
    byPage.push(...shapes.list(answer, shapes.group).map(({ guid }) => guid));
    if (page >= answer.meta.pagination.total_pages) break;
  }
  assert.deepEqual(byPage.sort(), guids.sort());
  await settled();
  const seen = new Set();
  for (let cursor = { updatedAt: 0 }, steps = 0; steps < 500; steps++) {
    const answer = await ok('GET', `/groups?perPage=2&affix=append&updatedAt=${cursor.updatedAt}`);
    const groups = shapes.list(answer, shapes.group);
    if (groups.length === 0) break;
    for (const { guid } of groups) seen.add(guid);
    cursor = answer.cursor;
  }
  for (const guid of made) assert.ok(seen.has(guid), guid);
  for (const affix of ['append', 'prepend']) assert.deepEqual((await walk('/groups', shapes.group, affix)).sort(), guids);
});

test('groups are found and sorted', async () => {
  const [ann, bob] = await people('ann', 'bob');
  const mark = guidOf('zeta');
  const sub = async (letter, fields) => {
    const guid = `${mark}-${letter}`;
    await ok('POST', '/groups', { guid, name: `${mark} ${letter}`, owner: ann, ...fields });
    return guid;
  };
  // Not in the order of their names.
  const b = await sub('b', { type: 'password', password: 'x' });
  await nextSecond();
  const a = await sub('a', { type: 'public', tags: [`tag-${mark}`] });
  await nextSecond();
  const c = await sub('c', { type: 'private' });
  await ok('POST', `/groups/${a}/members`, { participants: [bob] });
  const guids = async (query, options) => shapes.list(await ok('GET', `/groups?${query}`, undefined, options), shapes.group).map(({ guid }) => guid);
  const sorted = async (query, options) => (await guids(query, options)).sort();
  assert.deepEqual(await sorted(`searchKey=${mark}`), [a, b, c]);
  assert.deepEqual(await sorted(`searchKey=${mark}&searchIn=guid`), [a, b, c]);
  assert.deepEqual(await sorted(`searchKey=${mark}&searchIn=name`), [a, b, c]);
  assert.deepEqual(await guids(`searchKey=${a}&searchIn=guid`), [a]);
  assert.deepEqual(await guids(`searchKey=${a}&searchIn=name`), [], 'a guid is no name');
  assert.deepEqual(await guids(`searchKey=${mark}&sortBy=name&sortOrder=desc`), [c, b, a]);
  assert.deepEqual(await guids(`searchKey=${mark}&sortBy=guid&sortOrder=asc`), [a, b, c]);
  assert.deepEqual(await guids(`searchKey=${mark}&sortBy=createdAt&sortOrder=asc`), [b, a, c]);
  assert.deepEqual(await guids(`searchKey=${mark}&sortBy=createdAt&sortOrder=desc`), [c, a, b]);
  assert.deepEqual(await guids(`searchKey=${mark}&type=password`), [b]);
  assert.deepEqual(await sorted(`searchKey=${mark}&types=public,private`), [a, c]);
  assert.deepEqual(await guids(`tags=tag-${mark}`), [a]);
  assert.deepEqual(await guids(`searchKey=${mark}&withTags=true`), [a]);
  assert.deepEqual(await guids(`searchKey=${mark}&hasJoined=true`, { as: bob }), [a]);
  assert.deepEqual(await sorted(`searchKey=${mark}&hasJoined=false`, { as: bob }), [a, b], 'a private group is hidden from who is not in it');
  await refused(400, 'ERR_BAD_REQUEST', 'GET', '/groups?sortBy=colour', undefined, { fields: ['sortBy'] });
});
