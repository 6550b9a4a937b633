// What these tests share.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rename, rm, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Proxy } from '../browser/proxy.mjs';

/** The way to a service in which a page of groups has two, and in which groups are deleted between one page and the next. */
export class SmallPages extends Proxy {
  /** Deletes a group; told its guid. */
  remove = null;
  /** The groups that are still to be deleted, one after each page that was read. */
  doomed = [];

  refuses(request) {
    request.url = request.url.replace('perPage=1000', 'perPage=2');
    return false;
  }

  async forward(request, incoming, answer) {
    const guid = request.url.startsWith('/v3/groups?') ? this.doomed.shift() : undefined;
    if (guid) await this.remove(guid);
    super.forward(request, incoming, answer);
  }
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
