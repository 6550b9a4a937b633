// What these tests share.

import assert from 'node:assert/strict';

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
