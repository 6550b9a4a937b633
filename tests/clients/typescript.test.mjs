// Types for TypeScript are generated, checked by its compiler in strict mode, and used by openapi-fetch.

import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { test } from 'node:test';

import { API_KEY, document, here, run, scratch, service } from './support.mjs';

test('a client that openapi-typescript generates compiles in strict mode and does what a host needs', async () => {
  const folder = await scratch('typescript');
  await cp(here('typescript'), folder, { recursive: true });
  const { server, stop } = await service();
  try {
    await document(server, folder);
    const env = { ...process.env, CHAT_BASE_URL: server.base, CHAT_API_KEY: API_KEY };
    const within = { cwd: folder, env, maxBuffer: 1 << 26 };
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], within);
    await run('npx', ['openapi-typescript', 'openapi.json', '--output', 'schema.d.ts'], within);
    await run('npx', ['tsc', '--project', '.'], within).catch((error) => assert.fail(error.stdout));
    const { stdout } = await run(process.execPath, ['tour.js'], within);
    assert.match(stdout, /^the tour is over$/m);
  } finally {
    await stop();
  }
});
