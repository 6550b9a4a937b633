// Each back end of examples/backends is started as its README says, saves people and rooms, and hears by webhooks who is
// in them.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Webhook } from 'standardwebhooks';

import { API_KEY, Actor, freePort, Server } from '../browser/server.mjs';
import { becomes } from './support.mjs';

const FOLDER = fileURLToPath(new URL('../../examples/backends/', import.meta.url));
/** The one that Debian's packages are for. */
const PYTHON = process.env.PYTHON ?? '/usr/bin/python3';

const HOSTS = {
  Express: () => [process.execPath, ['express.mjs']],
  Django: () => [PYTHON, ['-B', 'django_host.py']],
  'plain PHP, shaped like Laravel': (port) => ['php', ['-S', `127.0.0.1:${port}`, 'laravel.php']],
  'plain Ruby, shaped like Rails': () => ['ruby', ['rails.rb']],
};

for (const [name, command] of Object.entries(HOSTS)) {
  test(`a host in ${name} keeps people and rooms in step, and hears who is in them`, async (t) => {
    const port = await freePort();
    const host = `http://127.0.0.1:${port}`;
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const server = await Server.start({ CGM_WEBHOOK_URL: `${host}/webhooks`, CGM_WEBHOOK_SECRET: secret });
    t.after(() => server.stop());
    const folder = await mkdtemp(join(tmpdir(), 'cgm-host-'));
    const env = {
      ...process.env,
      CGM_URL: server.base,
      CGM_API_KEY: API_KEY,
      CGM_WEBHOOK_SECRET: secret,
      PORT: String(port),
      HOST_DATABASE: join(folder, 'host.db'),
    };
    const [program, args] = command(port);
    const child = spawn(program, args, { cwd: FOLDER, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = [];
    for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => said.push(chunk));
    t.after(async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    });
    const ask = async (method, path, body) => {
      const answer = await fetch(host + path, { method, headers: { 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) });
      const text = await answer.text();
      assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}\n${Buffer.concat(said)}`);
      return JSON.parse(text);
    };
    const members = () => ask('GET', '/rooms/deck');
    await becomes({}, members);

    for (const [uid, called] of Object.entries({ ada: 'Ada', ben: 'Ben', cy: 'Cy' })) await ask('PUT', `/people/${uid}`, { name: called });
    await ask('PUT', '/people/cy', { name: 'Cyrus' });
    await ask('PUT', '/rooms/deck', { name: 'Deck', owner: 'ada' });
    await ask('PUT', '/rooms/deck', { name: 'The deck', owner: 'ada' });
    for (const uid of ['ben', 'cy']) await ask('PUT', `/rooms/deck/people/${uid}`);
    await becomes({ ada: 'owner', ben: 'participant', cy: 'participant' }, members);

    const { token } = await ask('GET', '/token/ada');
    const ada = new Actor({ base: server.base, token: () => token }, 'deck', 'ada');
    const shown = await ada.members();
    assert.deepEqual(shown.data.map((member) => member.name).sort(), ['Ada', 'Ben', 'Cyrus']);
    await ada.scope('ben', 'moderator');
    await ada.kick('cy');
    await becomes({ ada: 'owner', ben: 'moderator' }, members);
    await ada.transfer('ben');
    await becomes({ ada: 'admin', ben: 'owner' }, members);

    const told = (id, timestamp, body, by = secret) =>
      fetch(`${host}/webhooks`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(timestamp / 1_000)),
          'webhook-signature': new Webhook(by).sign(id, new Date(timestamp), body),
        },
        body,
      }).then(({ status }) => status);
    const joined = (uid) =>
      JSON.stringify({ type: 'member.joined', timestamp: new Date().toISOString(), data: { group: { guid: 'deck' }, member: { uid, scope: 'participant' } } });
    assert.equal(await told('evt_forged', Date.now(), joined('eve'), `whsec_${randomBytes(32).toString('base64')}`), 401, 'another secret');
    assert.equal(await told('evt_old', Date.now() - 3_600_000, joined('eve')), 401, 'an hour ago');
    const id = `evt_${randomUUID()}`;
    assert.equal(await told(id, Date.now(), joined('eve')), 204);
    assert.equal(await told(id, Date.now(), joined('fay')), 204, 'a repeated id is confirmed');
    await becomes({ ada: 'admin', ben: 'owner', eve: 'participant' }, members);

    await ask('DELETE', '/people/ada');
    await becomes({ ben: 'owner', eve: 'participant' }, members);
  });
}
