// Schemathesis asks the service whatever its document allows, and what it forbids, and finds nothing that is otherwise than
// described. schemathesis.toml says what it may expect. CGM_TEST_SCHEMATHESIS_SEED asks the same again; CGM_TEST_SCHEMATHESIS_EXAMPLES says
// how many examples of each operation.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

import { seed } from './cast.mjs';
import { API_KEY, here, programs, service } from './support.mjs';

const SEED = process.env.CGM_TEST_SCHEMATHESIS_SEED ?? String(Math.floor(Math.random() * 2 ** 32));
const EXAMPLES = process.env.CGM_TEST_SCHEMATHESIS_EXAMPLES ?? '100';

test('schemathesis finds nothing', { timeout: 900_000 }, async () => {
  const bin = await programs();
  const { server, stop } = await service();
  try {
    await seed(server);
    const listed = await fetch(`${server.base}/v3/webhooks`, { headers: { apikey: API_KEY } });
    const [webhook] = (await listed.json()).data;
    const words = ['--config-file', here('schemathesis.toml'), 'run', `${server.base}/openapi.json`, '--url', server.base];
    const limits = ['--seed', SEED, '--max-examples', EXAMPLES, '--generation-database', 'none', '--no-color'];
    const env = { ...process.env, API_KEY, VIEWER_TOKEN: await server.token('ada'), WEBHOOK: webhook.id };
    const child = spawn(join(bin, 'schemathesis'), [...words, ...limits], { cwd: here('.'), env, stdio: ['ignore', 'inherit', 'inherit'] });
    const code = await new Promise((ends) => child.once('exit', ends));
    assert.equal(code, 0, `asked again by CGM_TEST_SCHEMATHESIS_SEED=${SEED} tests/long schemathesis`);
  } finally {
    await stop();
  }
});
