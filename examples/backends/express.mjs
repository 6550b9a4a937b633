// An Express application that owns its people and rooms. They go out to the service when they are saved, through an outbox;
// who is in which room comes back by webhooks, and so does who may not write there until when.

import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import express from 'express';
import { Webhook } from 'standardwebhooks';

const { CGM_URL = 'http://127.0.0.1:8080', CGM_API_KEY, CGM_WEBHOOK_SECRET, PORT = 3000, HOST_DATABASE = 'outbox.json' } = process.env;
/** How long a change is sent again to which the service answers 500, in milliseconds: a day, as long as it remembers keys. */
const PATIENCE = Number(process.env.HOST_PATIENCE ?? 86_400) * 1_000;

/** What the person who asked is answered: 409 is refused and would be again, 503 may be done later. */
const failure = (status, words, code) => Object.assign(new Error(words), { status, code });

/** One call of the service; `null` where it answers the code that is `fine`. */
async function service(method, path, body, fine, key) {
  const headers = { apikey: CGM_API_KEY, 'Content-Type': 'application/json', ...(key && { 'Idempotency-Key': key }) };
  const request = { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(5_000) };
  const { status, data, error } = await fetch(`${CGM_URL}/v3${path}`, request)
    .then(async (answer) => ({ ...(await answer.json()), status: answer.status }))
    .catch((lost) => Promise.reject(failure(503, `${method} ${path}: ${lost.cause?.code ?? lost.message}`)));
  if (status < 400 || (error && error.code === fine)) return data ?? null;
  const mayPass = !error || status === 401 || status === 429 || status >= 500;
  throw failure(mayPass ? 503 : 409, error ? `${error.code}: ${error.message}` : `${method} ${path}: ${status}`, error?.code);
}

/** Reads from the service: a snapshot line by line, anything else as one line. */
async function read(path) {
  const headers = { apikey: CGM_API_KEY, Accept: 'application/x-ndjson' };
  const answer = await fetch(`${CGM_URL}/v3${path}`, { headers, signal: AbortSignal.timeout(10_000) });
  // Of a room that is gone there is nothing.
  if (answer.status === 404) return [];
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return (await answer.text()).trimEnd().split('\n').map((line) => JSON.parse(line));
}

// The outbox: what the service has not got yet, in order. In your database it is a table, and `change` inserts into it in the
// transaction that saves the person or the room. What the service refuses, or fails at for a day, stays with the reason and is
// not sent again.
const outbox = existsSync(HOST_DATABASE) ? JSON.parse(readFileSync(HOST_DATABASE, 'utf8')) : [];
function store() {
  writeFileSync(`${HOST_DATABASE}.new`, JSON.stringify(outbox), { flush: true });
  renameSync(`${HOST_DATABASE}.new`, HOST_DATABASE);
}

/** Stores a change and sends it: the first of these calls, and the next where the answer is the code that is fine. */
async function change(...calls) {
  const row = { key: randomUUID(), calls };
  outbox.push(row);
  store();
  await send();
  return { refusal: row.refusal ?? null };
}

/** Sends what waits, in order; `false` when something still waits. By its key a call is done once, also when its answer was lost. */
async function sendWaiting() {
  for (const row of outbox.filter(({ refusal }) => !refusal)) {
    try {
      for (const [number, call] of row.calls.entries()) if (await service(...call, `${row.key}-${number}`)) break;
      outbox.splice(outbox.indexOf(row), 1);
    } catch (error) {
      // A 500 is about this change alone, any other failure about all of them.
      const isInternal = error.code === 'ERR_INTERNAL';
      if (isInternal) row.failingSince ??= Date.now();
      const isPutAside = error.status === 409 || (isInternal && Date.now() - row.failingSince >= PATIENCE);
      console.error(`${isPutAside ? 'put aside' : 'to be sent again'}: ${error.message}`);
      if (!isPutAside) return false;
      row.refusal = error.message;
    } finally {
      store();
    }
  }
  return true;
}
let sending = Promise.resolve();
const send = () => (sending = sending.then(sendWaiting, sendWaiting));

// Out, in a few lines: what you call where a person or a room is saved or deleted, and where somebody comes in or is taken out.
const savedPerson = ({ uid, ...fields }) =>
  change(['POST', '/users', { uid, ...fields }, 'ERR_UID_ALREADY_EXISTS'], ['PUT', `/users/${uid}`, fields, null]);
/** Before your own row is deleted: while they own a group the service refuses, and your row stays. */
async function deletingPerson(uid) {
  if (!(await send())) throw failure(503, 'Earlier changes are not sent yet.');
  return service('DELETE', `/users/${uid}`, null, 'ERR_UID_NOT_FOUND');
}
const savedRoom = ({ guid, owner, ...fields }) =>
  change(['POST', '/groups', { guid, owner, ...fields }, 'ERR_GUID_ALREADY_EXISTS'], ['PUT', `/groups/${guid}`, fields, null]);
const deletedRoom = (guid) => change(['DELETE', `/groups/${guid}`, null, 'ERR_GUID_NOT_FOUND']);
/** This host stores no memberships by itself, so a refusal is an error for the person who asked. */
async function membership(...call) {
  const { refusal } = await change(call);
  if (refusal) throw failure(409, refusal);
  return {};
}
const added = (guid, uid) => membership('POST', `/groups/${guid}/members`, { participants: [uid] }, null);
const removed = (guid, uid) => membership('DELETE', `/groups/${guid}/members/${uid}`, null, 'ERR_NOT_A_MEMBER');
const tokenOf = async (uid) => (await service('POST', `/users/${uid}/auth_tokens`, {})).authToken;

// In: your tables. What is applied and which events were applied are kept together.
const rooms = new Map();
const applied = new Set();
/** The last event of a room that may be about somebody who was erased. */
const erased = new Map();
/** Until when people of a room may not write, members or not: a mute outlives leaving and coming back. */
const mutes = new Map();
const scopesIn = (guid) => Object.fromEntries([...(rooms.get(guid) ?? [])].map(([uid, { scope }]) => [uid, scope]));

/** The members an event speaks of are in the room with this scope, or out of it. */
async function apply({ type, data }) {
  if (type === 'log.restarted') return readAgain();
  if (type === 'user.deleted') return forget(data);
  if (!data.group) return;
  const { guid } = data.group;
  if (type === 'group.created' || type === 'group.deleted') for (const kept of [rooms, mutes]) kept.delete(guid);
  for await (const member of touched(data)) put(guid, data.seq, member);
  if (type === 'member.muted' || type === 'member.unmuted') mute(guid, data.seq, data.member.uid, data.until);
}

/** Whom an event touched. Of many people it has only `membersUrl`, where to read them. */
async function* touched({ group, seq, membersUrl, members, member }) {
  if (!membersUrl) return yield* members ?? (member ? [member] : []);
  for (let cursor = ''; cursor !== null; ) {
    const [{ data, meta }] = await read(`/groups/${group.guid}/events/${seq}/members?limit=1000&cursor=${cursor}`);
    yield* data;
    cursor = meta.next;
  }
}

function put(guid, seq, { uid, scope }) {
  if (erased.get(`${guid} ${uid}`) >= seq) return;
  const room = rooms.get(guid) ?? rooms.set(guid, new Map()).get(guid);
  if (scope) room.set(uid, { scope, seq });
  else room.delete(uid);
}

function mute(guid, seq, uid, until) {
  if (erased.get(`${guid} ${uid}`) >= seq) return;
  const muted = mutes.get(guid) ?? mutes.set(guid, new Map()).get(guid);
  if (until) muted.set(uid, { until, seq });
  else muted.delete(uid);
}

/** Until when somebody may not write, if that is so now. The end needs no webhook: it was told with the mute. */
function mutedUntil(guid, uid) {
  const until = mutes.get(guid)?.get(uid)?.until;
  return Date.parse(until) > Date.now() ? until : null;
}

/** Somebody was erased. Later events are about somebody else by the same uid. */
function forget({ uid, positions }) {
  for (const [guid, seq] of Object.entries(positions)) {
    erased.set(`${guid} ${uid}`, seq);
    for (const kept of [rooms, mutes]) if (kept.get(guid)?.get(uid)?.seq <= seq) kept.get(guid).delete(uid);
  }
}

/** Another history of events begins: a snapshot of each room says who is in it, and as of which event. */
async function readAgain() {
  for (const kept of [rooms, mutes, erased]) kept.clear();
  const listed = async (page) => (await read(`/groups?perPage=1000&sortBy=createdAt&page=${page}`))[0];
  // The last page first: when a room is deleted meanwhile, those after it move towards pages that are not read yet.
  for (let page = (await listed(1)).meta.pagination.total_pages; page > 0; page--) {
    for (const { guid } of (await listed(page)).data) {
      const [{ seq, mutes: ofOthers = [] } = {}, ...people] = await read(`/groups/${guid}/members`);
      for (const { uid, until } of ofOthers) mute(guid, seq, uid, until);
      for (const { uid, scope, isOwner, mutedUntil } of people) {
        put(guid, seq, { uid, scope: isOwner ? 'owner' : scope });
        mute(guid, seq, uid, mutedUntil);
      }
    }
  }
}

/** One webhook after the other, as a transaction would have it. */
let turn = Promise.resolve();
const inTurn = (work) => (turn = turn.then(work, work));

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
  await inTurn(async () => {
    if (applied.has(id)) return;
    await apply(event);
    applied.add(id);
  });
  answer.sendStatus(204);
});

app.use(express.json());
app.put('/people/:uid', async ({ params, body }, answer) => answer.json(await savedPerson({ uid: params.uid, ...body })));
app.delete('/people/:uid', async ({ params }, answer) => answer.json(await deletingPerson(params.uid))); // and then your own row
app.put('/rooms/:guid', async ({ params, body }, answer) => answer.json(await savedRoom({ guid: params.guid, ...body })));
app.delete('/rooms/:guid', async ({ params }, answer) => answer.json(await deletedRoom(params.guid)));
app.put('/rooms/:guid/people/:uid', async ({ params }, answer) => answer.json(await added(params.guid, params.uid)));
app.delete('/rooms/:guid/people/:uid', async ({ params }, answer) => answer.json(await removed(params.guid, params.uid)));
app.post('/outbox', async (_, answer) => answer.json({ sent: await send() })); // from cron
app.get('/rooms/:guid', ({ params }, answer) => answer.json(scopesIn(params.guid)));
app.post('/messages', ({ body: { guid, uid, text } }, answer) => { // from whoever is signed in
  if (!rooms.get(guid)?.has(uid)) return answer.sendStatus(404);
  const until = mutedUntil(guid, uid);
  if (until) return answer.status(403).json({ until });
  answer.json({ guid, uid, text }); // and to everybody in the room
});
app.get('/token/:uid', async ({ params }, answer) => answer.json({ token: await tokenOf(params.uid) })); // whoever is signed in
app.use((error, _, answer, next) => (error.status ? answer.status(error.status).json({ error: error.message }) : next(error)));

// What is in memory goes with the process: who is in which room, and muted, is read when it begins.
await inTurn(readAgain);
app.listen(PORT, '127.0.0.1', () => console.error(`listening on http://127.0.0.1:${PORT}`));
