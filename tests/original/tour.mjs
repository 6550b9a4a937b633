// A back end's script against the original's REST interface, with nothing but fetch.

const { CHAT_BASE_URL, CHAT_API_KEY } = process.env;

async function chat(method, path, body, onBehalfOf) {
  const response = await fetch(CHAT_BASE_URL + path, {
    method,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      apikey: CHAT_API_KEY,
      ...(onBehalfOf ? { onBehalfOf } : {}),
    },
    body: body ? JSON.stringify(body) : undefined,
  });
  const json = await response.json();
  if (json.error) throw Object.assign(new Error(json.error.message), { code: json.error.code });
  return json;
}

/** The code that a call is refused with. */
const refusal = (...call) =>
  chat(...call).then(
    () => 'none',
    (error) => error.code,
  );

function expect(is, what) {
  if (!is) throw new Error(what);
}

/** Creates a user, or updates the one that is there: the common idiom. */
async function ensureUser(user) {
  try {
    return (await chat('POST', '/users', user)).data;
  } catch (error) {
    if (error.code !== 'ERR_UID_ALREADY_EXISTS') throw error;
    const { uid, ...fields } = user;
    return (await chat('PUT', `/users/${uid}`, fields)).data;
  }
}

/** All of a list by the cursor of each answer: some entries may come again, and the last page is empty. */
async function byCursor(path, onBehalfOf) {
  const found = new Map();
  let cursor = {};
  for (;;) {
    const page = await chat('GET', `${path}?${new URLSearchParams({ perPage: 2, ...cursor })}`, undefined, onBehalfOf);
    if (page.data.length === 0) return [...found.values()];
    for (const one of page.data) found.set(one.uid ?? one.guid, one);
    cursor = page.cursor;
  }
}

const crew = ['skipper', 'mate', 'cook', 'deckhand', 'stowaway'].map((job) => ({
  uid: `node-${job}`,
  name: job[0].toUpperCase() + job.slice(1),
  avatar: `https://a.example/${job}.png`,
  metadata: { job },
  tags: ['crew'],
}));
for (const user of [...crew, ...crew]) {
  const stored = await ensureUser(user);
  expect(stored.metadata.job === user.metadata.job, 'metadata was not kept');
}

const [skipper, mate, cook, deckhand, stowaway] = crew.map(({ uid }) => uid);
await chat('POST', '/groups', { guid: 'node-ship', name: 'The ship', type: 'private', owner: skipper });
const added = await chat('POST', '/groups/node-ship/members', { admins: [mate], participants: [cook, deckhand, stowaway] });
for (const [uid, result] of Object.entries(added.data.participants)) expect(result.success, `${uid} was not added`);
await chat('PUT', `/groups/node-ship/members/${cook}`, { scope: 'moderator' }, skipper);
await chat('POST', `/groups/node-ship/bannedusers/${stowaway}`, undefined, cook);

const members = [];
for (let page = 1, pages = 1; page <= pages; page++) {
  const { data, meta } = await chat('GET', `/groups/node-ship/members?perPage=2&page=${page}`);
  members.push(...data);
  pages = meta.pagination.total_pages;
}
const uids = (list) => list.map(({ uid }) => uid).sort();
const seen = await byCursor('/groups/node-ship/members', cook);
expect(`${uids(seen)}` === `${uids(members)}`, 'the cursor led to other members than the pages');
for (const { uid, conversationId } of seen) expect((uid === cook) === !conversationId, `${uid} has ${conversationId} for the cook`);
expect((await byCursor('/users')).length >= crew.length, 'the cursor left users out');

// What people do themselves, with their own rights.
await chat('POST', '/groups', { guid: 'node-boat', name: 'The boat', type: 'public' }, mate);
const { data: joined } = await chat('POST', '/groups/node-boat/members', {}, cook);
expect(joined.hasJoined && joined.scope === 'participant' && joined.owner === mate, 'the cook has not joined');
const { data: theirs } = await chat('GET', '/groups?hasJoined=true&sortBy=guid', undefined, cook);
expect(`${theirs.map(({ guid, scope }) => `${guid} ${scope}`)}` === 'node-boat participant,node-ship moderator', 'the cook is in other groups');
expect((await refusal('GET', '/groups/node-ship', undefined, stowaway)) === 'ERR_GROUP_NOT_JOINED', 'the stowaway reads');
expect((await refusal('DELETE', `/groups/node-ship/members/${mate}`, undefined, cook)).startsWith('ERR_GROUP_NO_'), 'the cook kicks the mate');
await chat('DELETE', '/groups/node-boat/members', undefined, cook);
expect((await refusal('DELETE', '/groups/node-boat', undefined, cook)) === 'ERR_GROUP_NOT_JOINED', 'the cook sinks the boat');
await chat('DELETE', '/groups/node-boat', undefined, mate);

const { data: banned } = await chat('GET', '/groups/node-ship/bannedusers');
const { data: token } = await chat('POST', `/users/${mate}/auth_tokens`, {});
expect(token.authToken, 'no token');
await chat('DELETE', `/users/${mate}/auth_tokens`);
console.log(`the tour is over: ${members.length} members, ${banned.length} banned`);
