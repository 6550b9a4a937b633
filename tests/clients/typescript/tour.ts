// A tour by openapi-fetch with the types that openapi-typescript makes of /openapi.json: what a host does with people, groups
// and webhooks.

import createClient from 'openapi-fetch';

import type { components, paths } from './schema.js';

declare const process: { env: Record<string, string> };

const headers = { apikey: process.env['CHAT_API_KEY']! };
const host = createClient<paths>({ baseUrl: process.env['CHAT_BASE_URL']!, headers });

/** What was answered; a refusal ends the tour. */
async function data<T>(answer: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await answer;
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** What came as JSON where lines are offered as well. */
function json<T>(answer: T | string): T {
  if (typeof answer === 'string') throw new Error(`text instead of JSON: ${answer}`);
  return answer;
}

function same(what: unknown, wanted: unknown): void {
  if (JSON.stringify(what) !== JSON.stringify(wanted)) throw new Error(`${JSON.stringify(what)} instead of ${JSON.stringify(wanted)}`);
}

for (const name of ['Ada', 'Ben', 'Dee', 'Eve', 'Flo']) {
  const made = await data(host.POST('/v3/users', { body: { uid: name.toLowerCase(), name, tags: ['new'] } }));
  same(made.data.name, name);
}
const taken = await host.POST('/v3/users', { body: { uid: 'ada', name: 'Ada' } });
same(taken.error?.error.code, 'ERR_UID_ALREADY_EXISTS');

const park = { path: { guid: 'park' } };
const dee = { path: { guid: 'park', uid: 'dee' } };
const group = await data(
  host.POST('/v3/groups', { body: { guid: 'park', name: 'Park', type: 'public', owner: 'ada', members: { participants: ['dee'] } } }),
);
same([group.data.owner, group.data.membersCount], ['ada', 2]);
await data(host.PUT('/v3/groups/{guid}', { params: park, body: { description: 'Under trees' } }));

const added = await data(host.POST('/v3/groups/{guid}/members', { params: park, body: { moderators: ['ben'], participants: ['eve'] } }));
// Of a user who joins the answer is the group.
const results = added.data as components['schemas']['Results'];
same(results['moderators']?.['ben']?.success, true);
const standing = await data(host.PUT('/v3/groups/{guid}/members/{uid}', { params: dee, body: { scope: 'moderator' } }));
same(standing.data.scope, 'moderator');
await data(host.PUT('/v3/users/{uid}', { params: { path: { uid: 'dee' } }, body: { name: 'Deirdre' } }));
const member = await data(host.GET('/v3/groups/{guid}/members/{uid}', { params: dee }));
same([member.data.name, member.data.scope], ['Deirdre', 'moderator']);

const flo = { path: { guid: 'park', uid: 'flo' } };
await data(host.POST('/v3/groups/{guid}/bannedusers/{uid}', { params: flo, body: { reason: 'spam', until: 3600 } }));
const banned = await data(host.GET('/v3/groups/{guid}/bannedusers', { params: park }));
same(
  banned.data.map((user) => user.uid),
  ['flo'],
);
await data(host.DELETE('/v3/groups/{guid}/bannedusers/{uid}', { params: flo }));

const inStep = { owner: 'ada', participants: ['dee', 'flo'] };
const synced = json(await data(host.PUT('/v3/groups/{guid}/members', { params: { ...park, query: { version: 7 } }, body: inStep })));
same([synced.data.membersCount, synced.data.removed], [3, 2]);
// The same call with lines: typed as text, sent as it is.
const lines = ['{"uid":"ada","scope":"owner"}', '{"uid":"dee"}', '{"uid":"eve"}', '{"uid":"flo"}', ''].join('\n');
await data(
  host.PUT('/v3/groups/{guid}/members', {
    params: { ...park, query: { version: 8 } },
    headers: { 'Content-Type': 'application/x-ndjson' },
    body: lines,
    bodySerializer: (body) => body,
    parseAs: 'text',
  }),
);
const page = json(await data(host.GET('/v3/groups/{guid}/members', { params: { ...park, query: { scopes: 'participant' } } })));
same(page.data.map((user) => user.uid).sort(), ['dee', 'eve', 'flo']);

await data(host.PUT('/v3/users/{uid}/presence', { params: { path: { uid: 'dee' } }, body: { status: 'online', ttl: 60 } }));
const counts = await data(host.POST('/v3/groups/online-counts', { body: { guids: ['park'] } }));
same(counts.data['park'], 1);

await data(host.GET('/v3/groups/{guid}/events', { params: { ...park, query: { after: 0 } } }));

const [endpoint] = (await data(host.GET('/v3/webhooks'))).data;
same(endpoint?.state, 'active');
const hook = { path: { id: endpoint!.id } };
await data(host.POST('/v3/webhooks/{id}/pause', { params: hook }));
same((await data(host.POST('/v3/webhooks/{id}/test', { params: hook }))).data.delivered, true);
await data(host.POST('/v3/webhooks/{id}/replay', { params: hook, body: { from: '2026-01-01T00:00:00Z' } }));
await data(host.POST('/v3/webhooks/{id}/resume', { params: hook }));

await data(host.DELETE('/v3/groups/{guid}', { params: park }));
await data(host.DELETE('/v3/users/{uid}', { params: { path: { uid: 'dee' } }, body: { permanent: true } }));
const gone = await host.GET('/v3/users/{uid}', { params: { path: { uid: 'dee' } } });
same(gone.error?.error.code, 'ERR_UID_NOT_FOUND');
console.log('the tour is over');
