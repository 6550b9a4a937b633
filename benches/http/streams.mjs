// Fan-out: one message to many open streams of the service, of nchan, and of a bare loop that writes the same bytes.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { raw, save } from './load.mjs';
import { openFiles } from './machine.mjs';
import { ADMINS, uidOf } from './people.mjs';
import { nchan } from './peers.mjs';
import { freePort, Server } from './processes.mjs';
import { Readers, Talker } from './readers.mjs';
import { interleave } from './rounds.mjs';
import { fill, serve, token } from './service.mjs';

const GUID = 'streams';
const BARE_LOOP = fileURLToPath(new URL('../peers/bare_loop.py', import.meta.url));
/** Files that a process has open besides its streams. */
const OTHER_FILES = 200;
/** What nchan writes around the text of a message. */
const NCHAN_FRAME = 'id: 1234567890:0\ndata: \n\n'.length;
/** Presence of those who came is sent within so many seconds. */
const SETTLING = 6;
/** With fewer streams the growth of a process says more of its allocator than of them. */
const ENOUGH_FOR_MEMORY = 1_000;
/** A message after so long a pause is sent at once. */
const PAUSE = 150;

export async function measure(run) {
  for (const [number, count] of run.streams.entries()) await fanOut(run, count, `streams.${number}`);
}

/** Whether a process may have so many streams open. */
export const possible = (count) => count + OTHER_FILES <= openFiles();

/** Keeps, for each of the three: processor time of a delivery, time until the last one, memory of a stream. */
export async function fanOut(run, count, prefix, rounds = run.rounds) {
  if (!possible(count)) return run.say(`${count} streams: not measured, as a process may have only ${openFiles()} files open (ulimit -n)`);
  const stages = [];
  try {
    const ours = await Ours.open(run, count, stages);
    const size = await ours.measureSize();
    const others = [await Nchan.open(run, count, size, stages), await BareLoop.open(run, count, size, stages)];
    run.keep(`${prefix}.count`, count);
    const weighed = count < ENOUGH_FOR_MEMORY ? [] : [ours, ...others].filter((stage) => stage.memory !== undefined);
    for (const stage of weighed) run.keep(`${prefix}.${stage.name}.memory`, stage.memory);
    const turn = (stage) => async (round) => {
      await sleep(PAUSE);
      const { last, bytes, cpu } = await stage.send(round);
      return { last, cpu: cpu / count, bytes: bytes / count };
    };
    const contestants = [ours, ...others].map((stage) => [stage.name, turn(stage)]);
    await interleave(contestants, rounds, (name, value) => run.keep(`${prefix}.${name}`, value));
    run.say(`${count} streams measured`);
  } finally {
    for (const stage of stages.reverse()) await stage.stop();
  }
}

/** Streams of a server, with what their opening and a first message cost it in memory. */
async function opened(stages, run, server, requests, memory) {
  const readers = new Readers(server.base);
  stages.push(readers);
  const file = join(run.folder, 'streams');
  await save(file, requests);
  const before = memory();
  await readers.open(file);
  return { readers, growth: () => (memory() - before) / requests.length };
}

class Ours {
  name = 'ours';
  turn = 0;

  static async open(run, count, stages) {
    const ours = new Ours();
    const database = join(run.folder, `streams-${count}-${Date.now()}.db`);
    await fill(database, GUID, ADMINS + 1 + count + 1000, run.folder);
    const server = await serve(database);
    stages.push(server);
    const headers = { authorization: `Bearer ${token(uidOf(0))}` };
    const page = await fetch(`${server.base}/groups/${GUID}/members`, { headers });
    const path = (await page.text()).match(/data-connect="([^"]*)"/)[1].replaceAll(/&#38;|&amp;/g, '&');
    const [epoch, seq] = page.headers.get('last-event-id').split('.');
    const viewers = Array.from({ length: count }, (_, number) => uidOf(ADMINS + 1 + number));
    const requests = viewers.map((uid) => raw(path, { token: token(uid), headers: { Accept: 'text/event-stream' } }));
    Object.assign(ours, { count, server, headers, epoch, seq: Number(seq) });
    Object.assign(ours, await opened(stages, run, server, requests, () => server.ownMemory()));
    await ours.readers.drain(SETTLING);
    await ours.send();
    ours.memory = ours.growth();
    return ours;
  }

  /** Bytes of a message of this kind on one stream. */
  async measureSize() {
    await sleep(PAUSE);
    return Math.round((await this.send()).bytes / this.count);
  }

  /** Somebody without a stream is made a moderator. */
  async send() {
    const target = uidOf(ADMINS + 1 + this.count + (this.turn++ % 1000));
    const before = this.server.cpuOfThreads();
    const received = await this.readers.receive(`id: ${this.epoch}.${++this.seq}`, async () => {
      const url = `${this.server.base}/groups/${GUID}/members/${target}/scope`;
      const answer = await fetch(url, { method: 'PUT', headers: this.headers, body: new URLSearchParams({ scope: 'moderator' }) });
      if (!answer.ok) throw new Error(`an act was refused: ${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    });
    return { ...received, cpu: this.server.cpuOfThreads() - before };
  }
}

class Nchan {
  name = 'nchan';

  static async open(run, count, size, stages) {
    const it = new Nchan();
    const server = await nchan(run.folder);
    stages.push(server);
    const requests = Array.from({ length: count }, () => raw('/events', { headers: { Accept: 'text/event-stream' } }));
    Object.assign(it, { server, size, turn: 0 });
    Object.assign(it, await opened(stages, run, server, requests, () => server.memoryWithShared()));
    await it.send();
    it.memory = it.growth();
    return it;
  }

  async send() {
    const text = `message-${++this.turn}-`;
    const body = text.padEnd(this.size - NCHAN_FRAME, 'x');
    const before = this.server.cpuOfThreads();
    const received = await this.readers.receive(text, async () => {
      const answer = await fetch(`${this.server.base}/publish`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body });
      if (!answer.ok) throw new Error(`nchan refused a message: ${answer.status}`);
      await answer.arrayBuffer();
    });
    return { ...received, cpu: this.server.cpuOfThreads() - before };
  }
}

class BareLoop {
  name = 'bare';
  turn = 0;

  static async open(run, count, size, stages) {
    const it = new BareLoop();
    const port = await freePort();
    const server = new Server('the bare loop', 'python3', [BARE_LOOP], { env: { ...process.env, PEER_PORT: String(port), PEER_SIZE: String(size) } });
    stages.push(server);
    server.base = `http://127.0.0.1:${port}`;
    it.talker = new Talker(server);
    await it.talker.next();
    const requests = Array.from({ length: count }, () => raw('/events'));
    Object.assign(it, await opened(stages, run, server, requests, () => server.ownMemory()));
    return it;
  }

  /** The loop measures its own processor time: writing alone. */
  async send() {
    const text = `message-${++this.turn}-`;
    let nanoseconds;
    const received = await this.readers.receive(text, async () => {
      nanoseconds = Number(await this.talker.ask(text));
    });
    return { ...received, cpu: nanoseconds / 1e9 };
  }
}
