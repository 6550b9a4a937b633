// What these tests share.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that nobody listens on. */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Asks until the answer is this one. */
export async function becomes(expected, ask) {
  let answer;
  for (const patience = Date.now() + 60_000; Date.now() < patience; ) {
    answer = await ask().catch((error) => String(error));
    try {
      return assert.deepEqual(answer, expected);
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  assert.deepEqual(answer, expected);
}
