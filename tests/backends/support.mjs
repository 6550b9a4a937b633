// What these tests share.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rename, rm, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

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

/** A folder with the library of Standard Webhooks for Python, for PYTHONPATH. Installed once. */
export async function standardWebhooks() {
  const folder = fileURLToPath(new URL('../../target/python/standardwebhooks-1.1.0', import.meta.url));
  if (!(await stat(folder).catch(() => null))) {
    const unfinished = `${folder}.${process.pid}`;
    await promisify(execFile)('python3', ['-m', 'pip', 'install', '--quiet', '--target', unfinished, 'standardwebhooks==1.1.0']);
    // Whoever was as quick has installed the same.
    await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
  }
  return folder;
}
