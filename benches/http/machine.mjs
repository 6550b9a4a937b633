// What this machine is, and what processes take of it (Linux).

import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';

/** The machine in words and numbers, with how busy it is now. */
export function machine() {
  const all = cpus();
  return { model: all[0].model.trim(), cores: all.length, memory: totalmem(), kernel: release(), load: loadavg(), files: openFiles() };
}

/** How many files a process may have open. */
export function openFiles() {
  const line = readFileSync('/proc/self/limits', 'utf8').match(/^Max open files\s+(\d+)/m);
  return Number(line[1]);
}

/** A process and all that descend from it. */
export function family(...roots) {
  const children = new Map();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = field(() => readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ').at(-1).split(' ')[1]);
    if (parent) children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(entry)]);
  }
  const all = [...roots];
  for (const pid of all) all.push(...(children.get(pid) ?? []));
  return all;
}

/** Ticks in which the kernel says processor time, a second. */
const TICKS = 100;

/** Seconds of processor that processes have used so far, in steps of 10 ms; threads that have ended count. */
export function cpu(pids) {
  const ticks = pids.flatMap((pid) => (field(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '').split(') ').at(-1).split(' ').slice(11, 13));
  return ticks.reduce((sum, some) => sum + Number(some), 0) / TICKS;
}

/** The same of threads that run now, to the nanosecond: for turns so short that none of them ends. */
export function cpuOfThreads(pids) {
  let nanoseconds = 0;
  for (const pid of pids) {
    for (const task of field(() => readdirSync(`/proc/${pid}/task`)) ?? []) {
      nanoseconds += Number(field(() => readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) ?? 0);
    }
  }
  return nanoseconds / 1e9;
}

/** Memory of processes that is their own (not a file's pages), bytes. */
export const ownMemory = (pids) => total(pids, 'RssAnon');

/** Memory of processes with the pages of their programs and files, bytes. */
export const resident = (pids) => total(pids, 'VmRSS');

/** Own and shared memory: what nginx holds in segments that its workers share counts once. */
export function memoryWithShared(pids) {
  return ownMemory(pids) + Math.max(0, ...pids.map((pid) => total([pid], 'RssShmem')));
}

function total(pids, name) {
  const each = pids.map((pid) => field(() => readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'))[1]));
  return each.reduce((sum, kilobytes) => sum + Number(kilobytes ?? 0) * 1024, 0);
}

/** What a process that may have ended meanwhile says; `undefined` when it has. */
function field(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}
