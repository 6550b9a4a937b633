// An Express application that owns its people and rooms. They go out to the service when they are saved;
// who is in which room comes back by webhooks.

import express from 'express';
import { Webhook } from 'standardwebhooks';

const { CGM_URL = 'http://127.0.0.1:8080', CGM_API_KEY, CGM_WEBHOOK_SECRET, PORT = 3000 } = process.env;

/** One call of the service; `null` where it answers one of the codes that are `fine`. */
async function service(method, path, body, ...fine) {
  const answer = await fetch(`${CGM_URL}/v3${path}`, {
    method,
    headers: { apikey: CGM_API_KEY, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(5_000),
  });
  const { data, error } = await answer.json();
  if (error && !fine.includes(error.code)) throw new Error(`${error.code}: ${error.message}`);
  return data ?? null;
}

// Out, in ten lines: what you call where a person or a room is saved.
const savedPerson = async ({ uid, ...fields }) =>
  (await service('POST', '/users', { uid, ...fields }, 'ERR_UID_ALREADY_EXISTS')) ?? service('PUT', `/users/${uid}`, fields);
const deletedPerson = (uid) => service('DELETE', `/users/${uid}`, undefined, 'ERR_UID_NOT_FOUND');
const savedRoom = async ({ guid, owner, ...fields }) =>
  (await service('POST', '/groups', { guid, owner, ...fields }, 'ERR_GUID_ALREADY_EXISTS')) ?? service('PUT', `/groups/${guid}`, fields);
const added = (guid, uid) => service('POST', `/groups/${guid}/members`, { participants: [uid] });
const tokenOf = async (uid) => (await service('POST', `/users/${uid}/auth_tokens`, {})).authToken;

// In: your tables. What is applied and which events were applied are kept together.
const rooms = new Map();
const applied = new Set();

/** The members an event speaks of are in the room with this scope, or out of it. */
async function apply({ type, data }) {
  const guid = data.group?.guid;
  if (type === 'group.deleted') return rooms.delete(guid);
  const room = rooms.get(guid) ?? rooms.set(guid, new Map()).get(guid);
  for (const member of data.members ?? (data.member ? [data.member] : [])) {
    if (member.scope) room.set(member.uid, member.scope);
    else room.delete(member.uid);
  }
}

const app = express();

app.post('/webhooks', express.raw({ type: 'application/json', limit: '1mb' }), async (asked, answer) => {
  let event;
  try {
    event = new Webhook(CGM_WEBHOOK_SECRET).verify(asked.body, asked.headers);
  } catch {
    return answer.sendStatus(401);
  }
  // The id is the same for every try.
  const id = asked.headers['webhook-id'];
  if (!applied.has(id)) {
    await apply(event);
    applied.add(id);
  }
  answer.sendStatus(204);
});

app.use(express.json());
app.put('/people/:uid', async ({ params, body }, answer) => answer.json(await savedPerson({ uid: params.uid, ...body })));
app.delete('/people/:uid', async ({ params }, answer) => answer.json(await deletedPerson(params.uid)));
app.put('/rooms/:guid', async ({ params, body }, answer) => answer.json(await savedRoom({ guid: params.guid, ...body })));
app.put('/rooms/:guid/people/:uid', async ({ params }, answer) => answer.json(await added(params.guid, params.uid)));
app.get('/rooms/:guid', ({ params }, answer) => answer.json(Object.fromEntries(rooms.get(params.guid) ?? [])));
app.get('/token/:uid', async ({ params }, answer) => answer.json({ token: await tokenOf(params.uid) })); // whoever is signed in

app.listen(PORT, '127.0.0.1', () => console.error(`listening on http://127.0.0.1:${PORT}`));
