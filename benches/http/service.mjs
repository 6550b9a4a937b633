// The service that is measured: its release program on a database of its own, tokens of its viewers, and its members in order.

import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

import { ownMemory } from './machine.mjs';
import { csv } from './people.mjs';
import { Server } from './processes.mjs';

export const SECRET = 'a secret that only this benchmark knows and nobody needs';
export const API_KEY = 'a-key-of-this-benchmark';

export const PROGRAM = process.env.CGM_TEST_BIN ?? fileURLToPath(new URL('../../target/release/chat-group-members', import.meta.url));

export function requireProgram() {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: run "cargo build --release" first, or name a program by CGM_TEST_BIN`);
}

/** Options that stand in the environment of this run are none of the program's. */
const environment = (database) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CGM_'))),
  CGM_DATABASE_URL: `sqlite://${database}`,
  CGM_VIEWER_SECRET: SECRET,
  CGM_API_KEY: API_KEY,
  CGM_LOG: 'error',
});

/** The service beside this database; `readyAfter` is the time from its start until it said that it is ready, seconds. */
export async function serve(database) {
  const service = new Server('chat-group-members', PROGRAM, ['serve', '--listen', '127.0.0.1:0'], { env: environment(database) });
  const line = await service.until(() => service.said.find((line) => line.startsWith('listening on http://')));
  service.base = line.slice('listening on '.length);
  await service.until(() => fetch(`${service.base}/readyz`).then((answer) => answer.ok));
  service.readyAfter = Number(process.hrtime.bigint() - service.begun) / 1e9;
  return service;
}

/** Imports so many people into a group; answers the seconds it took and the most memory of its own, bytes. */
export async function fill(database, guid, size, folder) {
  const file = join(folder, 'members.csv');
  await pipeline(Readable.from(csv(size)), createWriteStream(file));
  const begun = process.hrtime.bigint();
  const child = spawn(PROGRAM, ['import', '--group', guid, file], { env: environment(database), stdio: ['ignore', 'ignore', 'inherit'] });
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, ownMemory([child.pid]))), 5);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  await rm(file);
  if (code !== 0) throw new Error(`the import of ${size} people ended with ${code}`);
  return { seconds: Number(process.hrtime.bigint() - begun) / 1e9, memory: most };
}

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A viewer's token, as a host makes it (HS256). */
export function token(uid, lifetime = 6 * 3600, secret = SECRET) {
  const now = Math.floor(Date.now() / 1000);
  const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub: uid, aud: 'chat-group-members', iat: now, exp: now + lifetime })}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** A call of the host's back end. */
export async function host(service, method, path, body) {
  const answer = await fetch(`${service.base}${path}`, {
    method,
    headers: { apikey: API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
