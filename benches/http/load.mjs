// Load by wrk: raw requests in a file, so many connections, so many seconds.

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));
const THREADS = cpus().length;

/** A request's bytes. */
export function raw(path, { method = 'GET', token, headers = {}, body = '' } = {}) {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost'];
  if (token) lines.push(`Authorization: Bearer ${token}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

export const save = (file, requests) => writeFile(file, requests.map((request) => `${request}\0`).join(''));

/**
 * Asks a server for so many seconds; answers requests a second, bytes of an answer, the time of one (median and 99th of a hundred) and the
 * processor time of one request that the server's processes took, all in seconds.
 */
export async function drive(server, file, { connections = 64, seconds, threads = Math.min(THREADS, connections) }) {
  const args = ['-t', threads, '-c', connections, '-d', `${seconds}s`, '--timeout', '20s', '--latency', '-s', SCRIPT, server.base].map(String);
  const before = server.cpu();
  const { stdout } = await run('wrk', args, { env: { ...process.env, LOAD_REQUESTS: file, LOAD_THREADS: String(threads) } });
  const used = server.cpu() - before;
  const result = JSON.parse(stdout.match(/^RESULT (.*)$/m)[1]);
  if (result.refused > 0 || result.broken > 0 || result.requests === 0) {
    throw new Error(`${server.name}: ${result.refused} of ${result.requests} requests were refused, ${result.broken} failed`);
  }
  const { requests, bytes, p50, p99 } = result;
  return { rate: requests / result.seconds, requests, bytes: bytes / requests, p50, p99, cpu: used / requests };
}
