// A client for Python is generated, checked by mypy, and used.

import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { API_KEY, document, here, programs, run, scratch, service } from './support.mjs';

test('a client that openapi-python-client generates has sound types and does what a host needs', async () => {
  const [bin, folder] = [await programs(), await scratch('python')];
  const { server, stop } = await service();
  try {
    const path = await document(server, folder);
    // The generator formats its code with ruff, which it finds there.
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, CHAT_BASE_URL: server.base, CHAT_API_KEY: API_KEY };
    const within = { cwd: folder, env, maxBuffer: 1 << 26 };
    await run('openapi-python-client', ['generate', '--path', path, '--meta', 'none', '--output-path', 'members'], within);
    await cp(here('tour.py'), join(folder, 'tour.py'));
    await run('mypy', ['--strict', '--follow-imports=silent', 'tour.py'], within).catch((error) => assert.fail(error.stdout));
    // What is the same in every client of this generator is its own.
    await run('mypy', ['--follow-imports=silent', '-p', 'members.api', '-p', 'members.models'], within).catch((error) => assert.fail(error.stdout));
    const { stdout } = await run('python', ['tour.py'], within);
    assert.match(stdout, /^the tour is over$/m);
  } finally {
    await stop();
  }
});
