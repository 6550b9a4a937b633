// Small clients as the original's users write them, with fetch and with Python's requests: base URL and key are theirs
// to set, and nothing else about the service is known to them.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { API_KEY, base } from './original.mjs';

const run = promisify(execFile);
/** The one that Debian's packages are for. */
const PYTHON = process.env.PYTHON ?? '/usr/bin/python3';

for (const [name, program, file] of [
  ['fetch', process.execPath, 'tour.mjs'],
  ['requests', PYTHON, 'tour.py'],
]) {
  test(`a client written with ${name} keeps a community in step`, async () => {
    const path = fileURLToPath(new URL(file, import.meta.url));
    const { stdout } = await run(program, [path], { env: { ...process.env, CHAT_BASE_URL: `${base()}/v3`, CHAT_API_KEY: API_KEY } });
    assert.match(stdout, /^the tour is over: 4 members, 1 banned$/m);
  });
}
