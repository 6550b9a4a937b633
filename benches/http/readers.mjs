// The reader of many event streams (benches/peers/streams.py), told what to do line by line.

import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { Server } from './processes.mjs';

const SCRIPT = fileURLToPath(new URL('../peers/streams.py', import.meta.url));

/** A program that answers lines with lines. */
export class Talker {
  constructor(server) {
    this.server = server;
    this.lines = createInterface({ input: server.child.stdout });
  }

  async ask(line) {
    const answered = this.next();
    this.server.child.stdin.write(`${line}\n`);
    return answered;
  }

  async next() {
    const [line] = await Promise.race([once(this.lines, 'line'), this.server.ended.then(() => [null])]);
    if (line === null) throw new Error(`${this.server.name} has ended:\n${this.server.said.join('\n')}`);
    return line;
  }
}

export class Readers {
  constructor(base) {
    this.server = new Server('the reader of streams', 'python3', [SCRIPT, new URL(base).host]);
    this.talker = new Talker(this.server);
  }

  /** Opens a stream for each request of the file. */
  open = (file) => this.#ask(`open ${file}`);

  /** Reads for so many seconds. */
  drain = (seconds) => this.#ask(`drain ${seconds}`);

  /** Sends by `send`, and waits until every stream has had the text; answers the seconds until the last had it, and the bytes that came. */
  async receive(text, send) {
    await this.#ask(`await ${text}`);
    const answered = this.talker.next();
    const begun = process.hrtime.bigint();
    const [line] = await Promise.all([answered, send()]);
    const { last, bytes } = checked(line);
    return { last: Number(BigInt(last) - begun) / 1e9, bytes };
  }

  stop = () => this.server.stop();

  async #ask(line) {
    return checked(await this.talker.ask(line));
  }
}

function checked(line) {
  const values = JSON.parse(line);
  if (values.error) throw new Error(values.error);
  return values;
}
