// The peers: each started by its own script, told by its environment where it finds what.

import { mkdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { answers, freePort, Server } from './processes.mjs';
import { SECRET } from './service.mjs';

const start = (name) => fileURLToPath(new URL(`../peers/${name}/start`, import.meta.url));
export const VENV = process.env.PEER_VENV ?? fileURLToPath(new URL('../../target/bench/venv', import.meta.url));

/** Starts the script of a peer; `folder` is for what the peer writes. */
async function peer(name, script, folder, env = {}) {
  const own = join(folder, name.replaceAll(/\W+/g, '-'));
  await mkdir(own, { recursive: true });
  const port = await freePort();
  const server = new Server(name, start(script), [], { env: { ...process.env, PEER_PORT: String(port), PEER_FOLDER: own, PEER_VENV: VENV, ...env } });
  server.base = `http://127.0.0.1:${port}`;
  await server.until(() => answers(server.base));
  return server;
}

const pages = (database, headers) => ({ PEER_DATABASE: database, PEER_SECRET: SECRET, PEER_HEADERS: JSON.stringify(headers) });

export const fastify = (folder, database, headers, processes = 1) =>
  peer(processes === 1 ? 'fastify' : `fastify, ${processes} processes`, 'fastify', folder, { ...pages(database, headers), PEER_PROCESSES: String(processes) });

export const fastifyOnAllCores = (folder, database, headers) => fastify(folder, database, headers, cpus().length);

export const django = (folder, database, headers) => peer('Django', 'django', folder, pages(database, headers));

/** nginx with the bytes of a file behind the same headers. */
export const constant = (folder, body, headers) => peer('constant body', 'constant', folder, { PEER_BODY: body, PEER_HEADERS: JSON.stringify(headers) });

export const nchan = (folder) => peer('nchan', 'nchan', folder);
