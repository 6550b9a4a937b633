// The hosts of examples/backends, each beside a service of its own.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Webhook } from 'standardwebhooks';

import { API_KEY, freePort, Server } from '../browser/server.mjs';
import { becomes } from './support.mjs';

const FOLDER = fileURLToPath(new URL('../../examples/backends/', import.meta.url));
/** The one that Debian's packages are for. */
const PYTHON = process.env.PYTHON ?? '/usr/bin/python3';

export const HOSTS = {
  Express: () => [process.execPath, ['express.mjs']],
  Django: () => [PYTHON, ['-B', 'django_host.py']],
  'plain PHP, shaped like Laravel': (port) => ['php', ['-S', `127.0.0.1:${port}`, 'laravel.php']],
  'plain Ruby, shaped like Rails': () => ['ruby', ['rails.rb']],
};

/** A host and the service that it talks to, `through` a proxy of this class if there is one; `patience` is HOST_PATIENCE, in seconds. */
export async function start(t, command, { through, patience } = {}) {
  const port = await freePort();
  const host = `http://127.0.0.1:${port}`;
  const secret = newSecret();
  const server = await Server.start({ CGM_WEBHOOK_URL: `${host}/webhooks`, CGM_WEBHOOK_SECRET: secret });
  t.after(() => server.stop());
  const front = await through?.start(server.base);
  t.after(() => front?.stop());
  const folder = await mkdtemp(join(tmpdir(), 'cgm-host-'));
  const env = {
    ...process.env,
    CGM_URL: (front ?? server).base,
    CGM_API_KEY: API_KEY,
    CGM_WEBHOOK_SECRET: secret,
    PORT: String(port),
    HOST_DATABASE: join(folder, 'host.db'),
    ...(patience && { HOST_PATIENCE: String(patience) }),
  };
  const [program, args] = command(port);
  const said = [];
  let child;
  const run = () => {
    child = spawn(program, args, { cwd: FOLDER, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => said.push(chunk));
  };
  const end = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  run();
  t.after(() => end().then(() => rm(folder, { recursive: true, force: true })));
  const request = (method, path, body) => fetch(host + path, { method, headers: { 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) });
  const status = async (...asked) => (await request(...asked)).status;
  const ask = async (method, path, body) => {
    const answer = await request(method, path, body);
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}\n${Buffer.concat(said)}`);
    return JSON.parse(text);
  };
  /** Delivers a webhook as the service would, or with other headers, or with another body than was signed; the status that the host answers. */
  const told = (event, { id = `evt_${randomUUID()}`, at = Date.now(), by = [secret], other = {}, forged } = {}) => {
    const body = JSON.stringify({ timestamp: new Date(at).toISOString(), ...event });
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at / 1_000)),
      'webhook-signature': by.map((key) => new Webhook(key).sign(id, new Date(at), body)).join(' '),
      ...other,
    };
    const present = Object.entries(headers).filter(([, value]) => value !== undefined);
    return fetch(`${host}/webhooks`, { method: 'POST', headers: present, body: forged ?? body }).then(({ status }) => status);
  };
  const members = () => ask('GET', '/rooms/deck');
  await becomes({}, members);
  const restart = async () => {
    await end();
    run();
  };
  return { server, front, host, secret, ask, status, told, members, restart };
}

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** Ada's room, with these people in it. */
export async function deck({ ask, members }, ...uids) {
  for (const uid of ['ada', ...uids]) await ask('PUT', `/people/${uid}`, { name: uid });
  await ask('PUT', '/rooms/deck', { name: 'Deck', owner: 'ada' });
  for (const uid of uids) await ask('PUT', `/rooms/deck/people/${uid}`);
  await becomes({ ada: 'owner', ...participants(uids) }, members);
}

export const participants = (uids) => Object.fromEntries(uids.map((uid) => [uid, 'participant']));

/** The ids in a list of the service, sorted; the code of the error when it has none. */
export async function listed({ base }, path) {
  const { data, error } = await (await fetch(`${base}/v3${path}`, { headers: { apikey: API_KEY } })).json();
  return error ? error.code : data.map(({ uid, guid }) => uid ?? guid).sort();
}
