// Servers that a run starts, each in a process group of its own, and all of them stopped when the run ends, however it ends.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import { cpu, cpuOfThreads, family, memoryWithShared, ownMemory, resident } from './machine.mjs';

const PATIENCE = 30_000;
const running = new Set();

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
process.on('exit', () => {
  for (const server of running) server.kill('SIGKILL');
});

/** A port that nobody listens on. */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

export class Server {
  constructor(name, command, args, options) {
    this.name = name;
    this.begun = process.hrtime.bigint();
    this.child = spawn(command, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'], ...options });
    this.said = [];
    running.add(this);
    this.ended = once(this.child, 'exit').then(() => running.delete(this));
    createInterface({ input: this.child.stderr }).on('line', (line) => this.said.push(line) > 50 && this.said.shift());
  }

  /** Waits until `ready` answers something; `url` is where it answers. */
  async until(ready) {
    const end = Date.now() + PATIENCE;
    while (Date.now() < end) {
      const found = await ready();
      if (found) return found;
      if (this.child.exitCode !== null) break;
      await sleep(5);
    }
    throw new Error(`${this.name} does not answer:\n${this.said.join('\n')}`);
  }

  get processes() {
    return family(this.child.pid);
  }

  cpu() {
    return cpu(this.processes);
  }

  cpuOfThreads() {
    return cpuOfThreads(this.processes);
  }

  ownMemory() {
    return ownMemory(this.processes);
  }

  resident() {
    return resident(this.processes);
  }

  memoryWithShared() {
    return memoryWithShared(this.processes);
  }

  kill(signal) {
    try {
      process.kill(-this.child.pid, signal);
    } catch {
      // It has ended already.
    }
  }

  async stop() {
    this.kill('SIGTERM');
    const stopped = await Promise.race([this.ended, sleep(3_000).then(() => 'late')]);
    if (stopped === 'late') this.kill('SIGKILL');
    await this.ended;
  }
}

/** Whether something answers there, whatever it says. */
export async function answers(url) {
  try {
    await (await fetch(url)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
