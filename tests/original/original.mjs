// The service as somebody sees it who has only the original's reference: a base URL, a key, and the documented headers.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';

import { API_KEY, Server } from '../browser/server.mjs';
import * as shapes from './shapes.mjs';

let server;
before(async () => {
  server = await Server.start();
});
after(() => server.stop());

export { API_KEY };
/** Where the service is: what stood in the place of `https://{appId}.api-{region}.cometchat.io`. */
export const base = () => server.base;

/** One documented request. Answers the status, the headers and the body. */
export async function call(method, path, body, { as, headers = {} } = {}) {
  const answer = await fetch(`${server.base}/v3${path}`, {
    method,
    headers: {
      apikey: API_KEY,
      accept: 'application/json',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(as && { onBehalfOf: as }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

/** A request that works: always 200, and `{"data": …}`. Answers the whole body. */
export async function ok(method, path, body, options) {
  const answer = await call(method, path, body, options);
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  assert.ok('data' in answer.body, `${method} ${path} answers data`);
  return answer.body;
}

/** The reference has four codes for a lack of rights, and does not say which of them when. */
export const NO_RIGHTS = /^ERR_GROUP_NO_(ADMIN_SCOPE|MODERATOR_SCOPE|CLEARANCE|SCOPE_CLEARANCE)$/;

/** A request that is refused with this status and code; validation names these fields. */
export async function refused(status, code, method, path, body, { fields, ...options } = {}) {
  const answer = await call(method, path, body, options);
  const given = shapes.error(answer.body, fields);
  const told = code instanceof RegExp && code.test(given) ? given : code;
  assert.equal(`${answer.status} ${given}`, `${status} ${told}`, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.error;
}

let named = 0;

/** People of a test, made as the reference's sample makes them: `ann` becomes a uid that no other test has. */
export async function people(...names) {
  const mark = ++named;
  const made = names.map((name) => ({ uid: `${name}-${mark}`, name: name[0].toUpperCase() + name.slice(1) }));
  for (const user of made) shapes.user((await ok('POST', '/users', user)).data);
  return made.map(({ uid }) => uid);
}

/** A guid that no other test has. */
export const guidOf = (word) => `${word}-${++named}`;

/** A group of this owner with these members, as the host makes it. */
export async function group(owner, members = {}, fields = {}) {
  const guid = guidOf('red');
  await ok('POST', '/groups', { guid, name: 'Red', type: 'public', owner, ...fields });
  if (Object.keys(members).length > 0) await ok('POST', `/groups/${guid}/members`, members);
  return guid;
}

/** Lets things happen in different seconds, so that a list has several pages by a cursor, which names a second. */
export const nextSecond = () => new Promise((done) => setTimeout(done, 1_050));

/** Until `append` has everything that was changed by now: it leaves out the last one or two seconds. */
export const settled = () => new Promise((done) => setTimeout(done, 2_100));

/**
 * All of a list by its cursor: from the page of `affix` alone to the empty one at the end, each thing once and in the order in
 * which they were changed. `append` goes from the earliest change on, `prepend` from the latest back.
 */
export async function walk(path, each, affix, changed = ({ updatedAt, createdAt }) => updatedAt ?? createdAt) {
  if (affix === 'append') await settled();
  const all = [];
  for (let query = `perPage=2&affix=${affix}`, pages = 1; ; pages++) {
    assert.ok(pages < 500, `${path} by ${affix} ends`);
    const answer = await ok('GET', `${path}?${query}`);
    const page = shapes.list(answer, each);
    if (page.length === 0) break;
    assert.equal(answer.cursor.affix, affix);
    query = `perPage=2&affix=${affix}&updatedAt=${answer.cursor.updatedAt}`;
    all.push(...page);
  }
  const moments = all.map(changed);
  assert.deepEqual(
    moments,
    [...moments].sort((one, other) => (affix === 'append' ? one - other : other - one)),
  );
  const ids = all.map(({ uid, guid }) => uid ?? guid);
  assert.deepEqual([...new Set(ids)], ids, 'each of them once');
  return ids;
}

/** The scopes of a group's members by uid. */
export async function scopes(guid) {
  const members = shapes.list(await ok('GET', `/groups/${guid}/members`), shapes.member);
  return Object.fromEntries(members.map(({ uid, scope }) => [uid, scope]));
}
