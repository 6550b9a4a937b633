// What the original's reference documents of each object: the fields, their types, and which are always there. Absent
// values are left out and never null; times are integer Unix seconds.

import assert from 'node:assert/strict';

const text = (value) => typeof value === 'string' && value !== '';
const integer = (value) => Number.isSafeInteger(value) && value >= 0;
const boolean = (value) => typeof value === 'boolean';
const object = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const texts = (value) => Array.isArray(value) && value.every(text);
/** Seconds, and not milliseconds: before the year 2100. */
const time = (value) => integer(value) && value < 4_102_444_800;
const oneOf = (...words) => {
  const check = (value) => words.includes(value);
  return Object.defineProperty(check, 'name', { value: words.join(' or ') });
};
const SCOPE = oneOf('admin', 'moderator', 'participant');
const GROUP_TYPE = oneOf('public', 'password', 'private');

const USER = {
  always: { uid: text, name: text, role: text, status: oneOf('available', 'offline'), createdAt: time },
  sometimes: {
    avatar: text,
    link: text,
    statusMessage: text,
    metadata: object,
    tags: texts,
    updatedAt: time,
    lastActiveAt: time,
    conversationId: text,
    authToken: text,
    blockedByMe: boolean,
    hasBlockedMe: boolean,
    blockedByMeAt: time,
    blockedAt: time,
  },
};

const MEMBER = {
  always: { ...USER.always, scope: SCOPE, joinedAt: time },
  // The contract's own: the original does not mark the owner.
  sometimes: { ...USER.sometimes, isOwner: boolean },
};

const BANNED = {
  // The reference's prose has bannedAt, its schema a user and no more.
  always: { ...USER.always, bannedAt: time },
  // The contract's own: the terms of the ban, and who set it unless that was the host.
  sometimes: { ...USER.sometimes, reason: text, message: text, until: text, by: text },
};

const GROUP = {
  always: { guid: text, name: text, type: GROUP_TYPE, owner: text, membersCount: integer, conversationId: text, createdAt: time },
  sometimes: {
    description: text,
    icon: text,
    metadata: object,
    tags: texts,
    updatedAt: time,
    onlineMembersCount: integer,
    // With onBehalfOf, of the one who asks.
    scope: SCOPE,
    joinedAt: time,
    hasJoined: boolean,
    isOwner: boolean,
  },
};

/** The group of an action message. */
const GROUP_IN_ACTION = {
  always: GROUP.always,
  sometimes: { description: text, icon: text, metadata: object, tags: texts, updatedAt: time, onlineMembersCount: integer },
};

/** Checks that a value has every field of the table, each of its type, and no other. */
function check(value, { always, sometimes }, what) {
  assert.ok(object(value), `${what} is an object: ${JSON.stringify(value)}`);
  for (const name of Object.keys(always)) assert.ok(name in value, `${what} has ${name}: ${JSON.stringify(value)}`);
  for (const [name, field] of Object.entries(value)) {
    const is = always[name] ?? sometimes[name];
    assert.ok(is, `${what} has the field ${name}, which is not documented: ${JSON.stringify(value)}`);
    assert.ok(is(field), `${what}: ${name} is ${is.name}, not ${JSON.stringify(field)}`);
  }
  return value;
}

export const user = (value) => check(value, USER, 'a user');
export const member = (value) => check(value, MEMBER, 'a member');
export const banned = (value) => check(value, BANNED, 'somebody who is banned');

export function group(value) {
  check(value, GROUP, 'a group');
  assert.equal(value.conversationId, `group_${value.guid}`);
  return value;
}

/** `{"success": true, "message": …}`. */
export const done = (value) => check(value, { always: { success: oneOf(true), message: text }, sometimes: {} }, 'a confirmation');

/** `{"success": true, "message", "guid", "owner"}`: the contract's own, as the reference has no call for it. */
export const transfer = (value) => check(value, { always: { success: oneOf(true), message: text, guid: text, owner: text }, sometimes: {} }, 'a transfer');

/** `{"guid", "uid", "scope", "joinedAt"}`. */
export const membership = (value) =>
  check(value, { always: { guid: text, uid: text, scope: SCOPE, joinedAt: time }, sometimes: { isOwner: boolean } }, 'a membership');

/** `{"uid", "authToken", "createdAt"}`. */
export const token = (value) => check(value, { always: { uid: text, authToken: text, createdAt: time }, sometimes: {} }, 'a token');

/** A list with its numbers: `each` checks an item. */
export function list(answer, each) {
  assert.deepEqual(
    Object.keys(answer).filter((name) => !['data', 'meta', 'cursor'].includes(name)),
    [],
    'a list has data, meta and cursor',
  );
  assert.ok(Array.isArray(answer.data), 'data is an array');
  answer.data.forEach(each);
  const { pagination } = answer.meta;
  const counted = { total: integer, count: integer, per_page: integer, current_page: integer, total_pages: integer };
  check(pagination, { always: counted, sometimes: {} }, 'the pagination');
  assert.equal(pagination.count, answer.data.length, 'count is the number of items');
  // How many pages an empty list has is not documented.
  if (pagination.total > 0) assert.equal(pagination.total_pages, Math.ceil(pagination.total / pagination.per_page), 'the pages follow from the total');
  if (answer.data.length > 0) {
    const cursor = { always: { updatedAt: integer, affix: oneOf('append', 'prepend') }, sometimes: {} };
    check(answer.cursor, cursor, 'the cursor beside data');
    assert.deepEqual(answer.meta.cursor, answer.cursor, 'the cursor stands in both places that the reference names');
  }
  return answer.data;
}

/** The message that tells of somebody who was added. */
export function actionMessage(value, { by, on, guid, membersCount }) {
  const always = {
    id: (id) => text(id) && /^\d+$/.test(id),
    conversationId: oneOf(`group_${guid}`),
    sender: oneOf(by),
    receiverType: oneOf('group'),
    receiver: oneOf(guid),
    category: oneOf('action'),
    type: oneOf('groupMember'),
    data: object,
    sentAt: time,
    updatedAt: time,
  };
  check(value, { always, sometimes: {} }, 'an action message');
  check(value.data, { always: { action: oneOf('added'), entities: object }, sometimes: {} }, 'the data of an action message');
  const { entities } = value.data;
  const entity = (type) => ({ always: { entity: object, entityType: oneOf(type) }, sometimes: {} });
  check(entities, { always: { by: object, on: object, for: object }, sometimes: {} }, 'the entities');
  for (const name of ['by', 'on']) {
    check(entities[name], entity('user'), name);
    user(entities[name].entity);
  }
  assert.equal(entities.by.entity.uid, by);
  assert.equal(entities.on.entity.uid, on);
  check(entities.for, entity('group'), 'for');
  check(entities.for.entity, GROUP_IN_ACTION, 'the group of an action message');
  assert.equal(entities.for.entity.guid, guid);
  assert.equal(entities.for.entity.membersCount, membersCount, 'membersCount counts up from one to the next');
}

/** `{"error": {"code", "message", "details"}}`; `details` are sentences by field where validation failed. */
export function error(answer, fields = []) {
  check(answer, { always: { error: object }, sometimes: {} }, 'a refusal');
  const { code, message, details } = answer.error;
  assert.ok(text(code) && text(message), `a refusal has a code and a message: ${JSON.stringify(answer)}`);
  for (const field of fields) {
    // Of a list, the item that is wrong may be named.
    const named = Object.keys(details ?? {}).filter((name) => name === field || name.startsWith(`${field}[`));
    assert.ok(named.length > 0 && named.every((name) => texts(details[name])), `details name ${field}: ${JSON.stringify(answer)}`);
  }
  return code;
}
