// The original's calls for users, as its reference documents them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { call, ok, people, refused, settled, walk } from './original.mjs';
import * as shapes from './shapes.mjs';

test('a user is created with every documented field and has them all in every answer', async () => {
  const fields = {
    uid: 'ann',
    name: 'Ann',
    avatar: 'https://a.example/ann.png',
    link: 'https://a.example/ann',
    role: 'default',
    statusMessage: 'At sea',
    metadata: { team: 'red', '@private': { email: 'ann@a.example', contactNumber: '+1 555 0100' } },
    tags: ['crew', 'north'],
  };
  const created = shapes.user((await ok('POST', '/users', fields)).data);
  for (const [name, value] of Object.entries(fields)) assert.deepEqual(created[name], value, name);
  const { data } = await ok('GET', '/users/ann');
  assert.deepEqual(shapes.user(data).metadata, fields.metadata);
  for (const name of ['uid', 'name', 'avatar', 'link', 'role', 'statusMessage']) assert.equal(data[name], fields[name], name);
});

test('a user with uid and name alone has the role default, an empty list of tags, and nothing that is null', async () => {
  const { data } = await ok('POST', '/users', { uid: 'bob', name: 'Bob' });
  assert.equal(shapes.user(data).role, 'default');
  assert.deepEqual(data.tags, []);
  assert.equal(data.status, 'offline');
  for (const name of ['avatar', 'link', 'statusMessage', 'metadata']) assert.ok(!(name in data), `${name} is left out`);
});

test('withAuthToken answers a token beside the user', async () => {
  const { data } = await ok('POST', '/users', { uid: 'cal', name: 'Cal', withAuthToken: true });
  assert.ok(shapes.user(data).authToken);
  assert.ok(!('authToken' in (await ok('GET', '/users/cal')).data), 'the token is not told again');
});

test('a second user of the same uid is refused', async () => {
  const [ann] = await people('ann');
  await refused(400, 'ERR_UID_ALREADY_EXISTS', 'POST', '/users', { uid: ann, name: 'Another' });
});

test('validation names every field that is wrong', async () => {
  await refused(400, 'ERR_BAD_REQUEST', 'POST', '/users', {}, { fields: ['uid', 'name'] });
  await refused(400, 'ERR_BAD_REQUEST', 'POST', '/users', { uid: 'has blank', name: 'X' }, { fields: ['uid'] });
  await refused(400, 'ERR_BAD_REQUEST', 'POST', '/users', { uid: 'x'.repeat(101), name: 'X' }, { fields: ['uid'] });
  const [dan] = await people('dan');
  for (const [field, value] of [
    ['name', 'n'.repeat(101)],
    ['avatar', `https://a.example/${'a'.repeat(3_000)}`],
    ['link', 'not an address'],
    ['metadata', 'a text'],
    ['metadata', { long: 'm'.repeat(5_200) }],
    ['tags', 'a text'],
    ['tags', Array.from({ length: 26 }, (_, n) => `t${n}`)],
    ['tags', ['t'.repeat(101)]],
  ]) {
    await refused(400, 'ERR_BAD_REQUEST', 'PUT', `/users/${dan}`, { [field]: value }, { fields: [field] });
  }
});

test('an update touches what it names, and unset empties avatar, link and metadata', async () => {
  const [eli] = await people('eli');
  await ok('PUT', `/users/${eli}`, {
    avatar: 'https://a.example/e.png',
    link: 'https://a.example/e',
    metadata: { a: 1 },
    tags: ['x'],
    statusMessage: 'Hi',
    role: 'editor',
  });
  const { data: renamed } = await ok('PUT', `/users/${eli}`, { name: 'Elias' });
  assert.equal(shapes.user(renamed).name, 'Elias');
  assert.equal(renamed.avatar, 'https://a.example/e.png');
  assert.equal(renamed.role, 'editor');
  assert.equal(renamed.statusMessage, 'Hi');
  assert.deepEqual(renamed.tags, ['x']);
  assert.ok(renamed.updatedAt >= renamed.createdAt);
  const { data: emptied } = await ok('PUT', `/users/${eli}`, { unset: ['avatar', 'link', 'metadata'] });
  for (const name of ['avatar', 'link', 'metadata']) assert.ok(!(name in emptied), `${name} is left out`);
  assert.equal(emptied.name, 'Elias');
  await refused(400, 'ERR_BAD_REQUEST', 'PUT', `/users/${eli}`, { unset: ['uid'] }, { fields: ['unset'] });
});

test('an update that changes nothing answers the user with updatedAt and tags as well', async () => {
  const [eli] = await people('eli');
  const { data } = await ok('PUT', `/users/${eli}`, { name: 'Eli' });
  assert.equal(shapes.user(data).updatedAt, data.createdAt);
  assert.deepEqual(data.tags, []);
});

test('somebody who is not there cannot be read, changed or deleted', async () => {
  await refused(404, 'ERR_UID_NOT_FOUND', 'GET', '/users/nobody');
  await refused(404, 'ERR_UID_NOT_FOUND', 'PUT', '/users/nobody', { name: 'X' });
  await refused(404, 'ERR_UID_NOT_FOUND', 'DELETE', '/users/nobody', {});
});

test('a deleted user is gone, whether for good or not', async () => {
  const [fay, gus] = await people('fay', 'gus');
  shapes.done((await ok('DELETE', `/users/${fay}`)).data);
  await refused(404, 'ERR_UID_NOT_FOUND', 'GET', `/users/${fay}`);
  shapes.done((await ok('DELETE', `/users/${gus}`, { permanent: true })).data);
  await refused(404, 'ERR_UID_NOT_FOUND', 'GET', `/users/${gus}`);
});

test('users are listed with their numbers, by page', async () => {
  await people('hal', 'ida', 'jon');
  const all = await ok('GET', '/users?perPage=1000');
  const everybody = shapes.list(all, shapes.user);
  assert.equal(all.meta.pagination.total, everybody.length);
  assert.equal(all.meta.pagination.current_page, 1);
  assert.equal((await ok('GET', '/users')).meta.pagination.per_page, 100);
  const seen = [];
  for (let page = 1; ; page++) {
    const answer = await ok('GET', `/users?perPage=2&page=${page}`);
    const users = shapes.list(answer, shapes.user);
    assert.equal(answer.meta.pagination.current_page, page);
    seen.push(...users.map(({ uid }) => uid));
    if (page >= answer.meta.pagination.total_pages) break;
  }
  assert.deepEqual(seen.sort(), everybody.map(({ uid }) => uid).sort());
  await refused(400, 'ERR_BAD_REQUEST', 'GET', '/users?perPage=1001', undefined, { fields: ['perPage'] });
});

test('walking by the answered cursor sees everybody', async () => {
  const made = await people('kim', 'lou', 'max', 'ned', 'oda');
  await settled();
  const seen = new Set();
  for (let cursor = { updatedAt: 0 }, steps = 0; steps < 500; steps++) {
    const answer = await ok('GET', `/users?perPage=2&affix=append&updatedAt=${cursor.updatedAt}`);
    const users = shapes.list(answer, shapes.user);
    if (users.length === 0) break;
    for (const { uid } of users) seen.add(uid);
    cursor = answer.cursor;
  }
  for (const uid of made) assert.ok(seen.has(uid), uid);
  const all = shapes.list(await ok('GET', '/users?perPage=1000'), shapes.user).map(({ uid }) => uid);
  for (const affix of ['append', 'prepend']) assert.deepEqual((await walk('/users', shapes.user, affix)).sort(), all.sort());
});

test('whoever polls by the answered cursor reads each change once, also one of the second that was just read', async () => {
  const changed = await people('una', 'vic', 'wes');
  await settled();
  const seen = [];
  let updatedAt = Math.floor(Date.now() / 1_000) - 1;
  const poll = async () => {
    const answer = await ok('GET', `/users?affix=append&updatedAt=${updatedAt}`);
    seen.push(...shapes.list(answer, shapes.user).map(({ uid }) => uid));
    updatedAt = answer.cursor?.updatedAt ?? updatedAt;
  };
  for (const uid of changed) {
    await ok('PUT', `/users/${uid}`, { statusMessage: 'Here' });
    await poll();
  }
  await settled();
  await poll();
  assert.deepEqual(seen.sort(), [...changed].sort());
});

test('a row of the list is the user as read alone, with tags where they are asked for', async () => {
  const [ann] = await people('ann');
  await ok('PUT', `/users/${ann}`, {
    avatar: 'https://a.example/ann.png',
    link: 'https://a.example/ann',
    role: 'editor',
    statusMessage: 'At sea',
    metadata: { team: 'red' },
    tags: ['crew'],
  });
  const { data: alone } = await ok('GET', `/users/${ann}`);
  const { tags, ...without } = alone;
  assert.deepEqual(tags, ['crew']);
  assert.deepEqual(shapes.list(await ok('GET', `/users?uids=${ann}&withTags=true`), shapes.user), [alone]);
  assert.deepEqual(shapes.list(await ok('GET', `/users?uids=${ann}`), shapes.user), [without]);
});

test('count and withDeactivated change nothing, as the numbers are always there and nobody is deactivated', async () => {
  await people('ula', 'van');
  const all = await ok('GET', '/users?perPage=1000');
  for (const query of ['count=true', 'withDeactivated=true']) {
    const answer = await ok('GET', `/users?perPage=1000&${query}`);
    assert.deepEqual(shapes.list(answer, shapes.user), all.data, query);
    assert.deepEqual(answer.meta.pagination, all.meta.pagination, query);
  }
  const deactivated = await ok('GET', '/users?onlyDeactivated=true');
  assert.deepEqual(shapes.list(deactivated, shapes.user), []);
  assert.equal(deactivated.meta.pagination.total, 0);
  for (const name of ['count', 'withDeactivated', 'onlyDeactivated']) {
    await refused(400, 'ERR_BAD_REQUEST', 'GET', `/users?${name}=perhaps`, undefined, { fields: [name] });
  }
});

test('a user is read on behalf of another with the id of their conversation, and on behalf of nobody else without one', async () => {
  const [ann, bob] = await people('ann', 'bob');
  const conversation = async (uid, options) => shapes.user((await ok('GET', `/users/${uid}`, undefined, options)).data).conversationId;
  assert.equal(await conversation(ann, { as: bob }), `${ann}_user_${bob}`);
  assert.equal(await conversation(bob, { as: ann }), `${ann}_user_${bob}`);
  assert.equal(await conversation(bob, { as: bob }), undefined, 'nobody talks to themselves');
  assert.equal(await conversation(bob), undefined);
  await refused(404, 'ERR_UID_NOT_FOUND', 'GET', `/users/${ann}`, undefined, { as: 'nobody' });
});

test('users are found by the beginning of a name or uid, by role, by tags and by status', async () => {
  const [pia, quy] = await people('pia', 'quy');
  await ok('PUT', `/users/${pia}`, { name: 'Pia Sommer', role: `pilot-${pia}`, tags: [`tag-${pia}`] });
  const uids = async (query) => shapes.list(await ok('GET', `/users?${query}`), shapes.user).map(({ uid }) => uid);
  assert.deepEqual(await uids(`searchKey=${pia}`), [pia]);
  assert.ok((await uids('searchKey=Pia%20Som')).includes(pia));
  assert.deepEqual(await uids(`searchKey=${pia}&searchIn=uid`), [pia]);
  assert.deepEqual(await uids(`searchKey=${pia}&searchIn[]=name`), []);
  assert.deepEqual(await uids(`role=pilot-${pia}`), [pia]);
  assert.deepEqual(await uids(`roles=pilot-${pia},none`), [pia]);
  assert.deepEqual(await uids(`roles=none&roles=pilot-${pia}`), [pia], 'a list in the form that OpenAPI has for plain arrays');
  assert.deepEqual(await uids(`searchKey=${pia}&searchIn=name&searchIn=uid`), [pia]);
  assert.deepEqual(await uids(`tags=tag-${pia}`), [pia]);
  assert.deepEqual(await uids(`searchKey=${quy}&status=available`), []);
  assert.deepEqual(await uids(`searchKey=${quy}&status=offline`), [quy]);
  const [tagged] = shapes.list(await ok('GET', `/users?searchKey=${pia}&withTags=true`), shapes.user);
  assert.deepEqual(tagged.tags, [`tag-${pia}`]);
});

test('tokens: one is made, all are flushed', async () => {
  const [ray] = await people('ray');
  const { data } = await ok('POST', `/users/${ray}/auth_tokens`, {});
  assert.equal(shapes.token(data).uid, ray);
  assert.ok(shapes.token((await ok('POST', `/users/${ray}/auth_tokens`, { force: true })).data));
  shapes.done((await ok('DELETE', `/users/${ray}/auth_tokens`)).data);
  await refused(404, 'ERR_UID_NOT_FOUND', 'POST', '/users/nobody/auth_tokens', {});
});

test('what the contract does not offer says so by the code for an unknown path', async () => {
  const [sam] = await people('sam');
  for (const [method, path, body] of [
    ['PUT', '/users', { uidsToActivate: [sam] }],
    ['DELETE', '/users', { uidsToDeactivate: [sam] }],
    ['GET', `/users/${sam}/auth_tokens`],
    ['GET', `/users/${sam}/auth_tokens/x`],
    ['PUT', `/users/${sam}/auth_tokens/x`, { platform: 'web', userAgent: 'x', appInfo: {} }],
    ['DELETE', `/users/${sam}/auth_tokens/x`],
    ['GET', '/no/such/path'],
    ['PATCH', '/users'],
  ]) {
    await refused(404, 'ERR_API_NOT_FOUND', method, path, body);
  }
});

test('the key is asked for, and a wrong one is told apart from none', async () => {
  const none = await call('GET', '/users', undefined, { headers: { apikey: '' } });
  assert.equal(`${none.status} ${shapes.error(none.body)}`, '401 AUTH_ERR_EMPTY_APIKEY');
  await refused(401, 'AUTH_ERR_APIKEY_NOT_FOUND', 'GET', '/users', undefined, { headers: { apikey: 'another' } });
  await refused(404, 'ERR_UID_NOT_FOUND', 'GET', '/groups', undefined, { as: 'nobody' });
});

test('headers that some clients send besides do no harm', async () => {
  await ok('GET', '/users?perPage=1', undefined, { headers: { appId: 'APP', 'Content-Type': 'application/json' } });
});

test('a field that neither the original nor the contract knows is refused by name', async () => {
  const [tom] = await people('tom');
  await refused(400, 'ERR_BAD_REQUEST', 'PUT', `/users/${tom}`, { nmae: 'X' }, { fields: ['nmae'] });
});
