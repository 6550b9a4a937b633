// What foreign generators need: a virtual environment of Python and a scratch folder, both under target, and the service with the
// cast in it.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { API_KEY, Server } from '../browser/server.mjs';

export const run = promisify(execFile);
export { API_KEY };

const TARGET = fileURLToPath(new URL('../../target/clients', import.meta.url));

/** The path of a file beside this one. */
export const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** An empty folder, which git ignores. */
export async function scratch(name) {
  const folder = join(TARGET, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Where the programs of requirements.txt are; installed when that file has changed. */
export async function programs() {
  const wanted = await readFile(here('requirements.txt'));
  const folder = join(TARGET, `python-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`);
  const done = join(folder, 'installed');
  if (!(await readFile(done).catch(() => null))) {
    await rm(folder, { recursive: true, force: true });
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', '--requirement', here('requirements.txt')]);
    await writeFile(done, '');
  }
  return join(folder, 'bin');
}

/** The service, with an endpoint of webhooks that takes everything. */
export async function service() {
  const receiver = createServer((request, answer) => request.resume().on('end', () => answer.writeHead(204).end()));
  await new Promise((listens) => receiver.listen(0, '127.0.0.1', listens));
  const server = await Server.start({
    CGM_WEBHOOK_URL: `http://127.0.0.1:${receiver.address().port}/`,
    CGM_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  });
  return {
    server,
    async stop() {
      receiver.close();
      receiver.closeAllConnections();
      await server.stop();
    },
  };
}

/** What the service says of itself, as a file. */
export async function document(server, folder) {
  const file = join(folder, 'openapi.json');
  const answer = await fetch(`${server.base}/openapi.json`);
  await writeFile(file, await answer.text());
  return file;
}
