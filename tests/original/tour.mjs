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

const crew = ['skipper', 'mate', 'cook', 'deckhand', 'stowaway'].map((job) => ({
  uid: `node-${job}`,
  name: job[0].toUpperCase() + job.slice(1),
  avatar: `https://a.example/${job}.png`,
  metadata: { job },
  tags: ['crew'],
}));
for (const user of [...crew, ...crew]) {
  const stored = await ensureUser(user);
  if (stored.metadata.job !== user.metadata.job) throw new Error('metadata was not kept');
}

const [skipper, mate, cook, deckhand, stowaway] = crew.map(({ uid }) => uid);
await chat('POST', '/groups', { guid: 'node-ship', name: 'The ship', type: 'private', owner: skipper });
const added = await chat('POST', '/groups/node-ship/members', { admins: [mate], participants: [cook, deckhand, stowaway] });
for (const [uid, result] of Object.entries(added.data.participants)) {
  if (!result.success) throw new Error(`${uid} was not added`);
}
await chat('PUT', `/groups/node-ship/members/${cook}`, { scope: 'moderator' }, skipper);
await chat('POST', `/groups/node-ship/bannedusers/${stowaway}`, undefined, cook);

const members = [];
for (let page = 1, pages = 1; page <= pages; page++) {
  const { data, meta } = await chat('GET', `/groups/node-ship/members?perPage=2&page=${page}`);
  members.push(...data);
  pages = meta.pagination.total_pages;
}
const { data: banned } = await chat('GET', '/groups/node-ship/bannedusers');
const { data: token } = await chat('POST', `/users/${mate}/auth_tokens`, {});
if (!token.authToken) throw new Error('no token');
await chat('DELETE', `/users/${mate}/auth_tokens`);
console.log(`the tour is over: ${members.length} members, ${banned.length} banned`);
