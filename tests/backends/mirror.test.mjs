// The mirror of examples/mirror, killed at bad moments.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { fewPeople } from '../browser/cast.mjs';
import { API_KEY, Actor, freePort, Server } from '../browser/server.mjs';
import { becomes, SmallPages, standardWebhooks } from './support.mjs';

const run = promisify(execFile);
const MIRROR = fileURLToPath(new URL('../../examples/mirror/mirror.py', import.meta.url));
const READ =
  'import json, sqlite3, sys; d = sqlite3.connect(sys.argv[1]); print(json.dumps(dict(d.execute("SELECT uid, scope FROM members WHERE guid = ?", [sys.argv[2]]))))';

test('the mirror has at most 60 lines of code', async () => {
  const text = (await readFile(MIRROR, 'utf8')).replace(/^ *"""[^]*?"""$/gm, '');
  const lines = text.split('\n').filter((line) => line.trim() && !line.trim().startsWith('#'));
  assert.ok(lines.length <= 60, `${lines.length} lines`);
});

test('a mirror that is killed, put back to an older state, and loses everything, has what the service has', async (t) => {
  const port = await freePort();
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const server = await Server.start({ CGM_WEBHOOK_URL: `http://127.0.0.1:${port}/`, CGM_WEBHOOK_SECRET: secret });
  t.after(() => server.stop());
  const folder = await mkdtemp(join(tmpdir(), 'cgm-mirror-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const database = join(folder, 'mirror.db');
  const env = {
    ...process.env,
    PYTHONPATH: await standardWebhooks(),
    CGM_URL: server.base,
    CGM_API_KEY: API_KEY,
    CGM_WEBHOOK_SECRET: secret,
    PORT: String(port),
    MIRROR_DATABASE: database,
  };
  let mirror;
  const start = () => {
    mirror = spawn('python3', ['-B', MIRROR], { env, stdio: 'ignore' });
  };
  const kill = async () => {
    mirror.kill('SIGKILL');
    await once(mirror, 'exit');
  };
  t.after(kill);
  start();

  const guid = await server.group(fewPeople());
  const [ada, ben, gus] = ['ada', 'ben', 'gus'].map((uid) => new Actor(server, guid, uid));
  const stored = async () => Object.fromEntries((await ada.members('?limit=100')).data.map(({ uid, scope }) => [uid, scope]));
  const copy = async () => JSON.parse((await run('python3', ['-c', READ, database, guid])).stdout);
  const isRight = async () => becomes(await stored(), copy);
  await isRight();

  await ada.kick('dee');
  await gus.join();
  await isRight();
  await copyFile(database, join(folder, 'older.db'));

  await kill();
  await ada.scope('gus', 'moderator');
  await ada.ban('eve');
  start();
  await isRight();

  await kill();
  await ada.transfer('ben');
  await copyFile(join(folder, 'older.db'), database);
  start();
  await ben.unban('eve');
  await isRight();

  await kill();
  await rm(database);
  await ben.kick('cy');
  start();
  await isRight();
  assert.deepEqual(await copy(), { ada: 'admin', ben: 'owner', gus: 'moderator' });

  await server.host('DELETE', '/users/gus', { permanent: true });
  await becomes({ ada: 'admin', ben: 'owner' }, copy);
  await server.host('DELETE', `/groups/${guid}`);
  await becomes({}, copy);
  await server.host('POST', '/groups', { guid, name: 'Again', owner: 'ada' });
  await becomes({ ada: 'owner' }, copy);
});

test('a mirror that hears that the log begins again keeps no group that is gone, and misses none although others are deleted between two pages', async (t) => {
  const port = await freePort();
  const key = randomBytes(32);
  const server = await Server.start();
  t.after(() => server.stop());
  const front = await SmallPages.start(server.base);
  t.after(() => front.stop());
  const folder = await mkdtemp(join(tmpdir(), 'cgm-mirror-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const database = join(folder, 'mirror.db');
  const guid = await server.group(fewPeople());
  const env = {
    ...process.env,
    PYTHONPATH: await standardWebhooks(),
    CGM_URL: front.base,
    CGM_API_KEY: API_KEY,
    CGM_WEBHOOK_SECRET: `whsec_${key.toString('base64')}`,
    PORT: String(port),
    MIRROR_DATABASE: database,
  };
  const mirror = spawn('python3', ['-B', MIRROR], { env, stdio: 'ignore' });
  t.after(async () => {
    mirror.kill('SIGKILL');
    await once(mirror, 'exit');
  });
  const copy = async (of) => JSON.parse((await run('python3', ['-c', READ, database, of])).stdout);
  await becomes({ ada: 'owner', ben: 'admin', cy: 'moderator', dee: 'participant', eve: 'participant' }, () => copy(guid));

  await run('python3', [
    '-c',
    "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.executescript(\"INSERT INTO groups VALUES ('gone', 'before', 1); INSERT INTO members VALUES ('gone', 'zoe', 'participant')\")",
    database,
  ]);
  assert.deepEqual(await copy('gone'), { zoe: 'participant' });
  assert.equal(await tell(port, key, { type: 'log.restarted', data: { epoch: 'after' } }), 204);
  assert.deepEqual(await copy('gone'), {});
  assert.equal(Object.keys(await copy(guid)).length, 5);

  // The service has no endpoint of webhooks: the mirror has what it reads.
  const rooms = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'];
  for (const room of rooms) await server.host('POST', '/groups', { guid: room, name: room, owner: 'ada' });
  front.remove = (room) => server.host('DELETE', `/groups/${room}`);
  front.doomed = ['r1', 'r2'];
  assert.equal(await tell(port, key, { type: 'log.restarted', data: { epoch: 'later' } }), 204);
  assert.deepEqual(front.doomed, []);
  for (const room of rooms.slice(2)) assert.deepEqual(await copy(room), { ada: 'owner' }, room);
  assert.equal(Object.keys(await copy(guid)).length, 5);
});

async function tell(port, key, event) {
  const [id, timestamp, body] = ['msg_1', String(Math.floor(Date.now() / 1000)), JSON.stringify(event)];
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
}
