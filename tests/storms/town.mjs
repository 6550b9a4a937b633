// One service on a file, or two beside a PostgreSQL, and everybody's way to act on them that is not a
// browser: bearers, the host's back end, the command line.

import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { Server } from '../browser/server.mjs';

const run = promisify(execFile);
const SECRET = randomBytes(32).toString('hex');
const API_KEY = randomBytes(16).toString('hex');
/** Milliseconds a service has to end by itself, to start, and to answer. */
const ENDING = 10_000;
const ANSWER = 10_000;
/** Calls that are remembered as the longest. */
const LONGEST = 20;

export class Town {
  nodes = [];
  /** The calls that are being answered. */
  calls = new Set();
  /** The calls that took longest in this storm. */
  longest = [];

  /** `database` is `sqlite` or `postgres`; the second wants CGM_TEST_POSTGRES, see tests/postgres. */
  static async start(database) {
    const town = new Town();
    const env = { CGM_VIEWER_SECRET: SECRET, CGM_API_KEY: API_KEY };
    if (database === 'postgres') {
      const cluster = process.env.CGM_TEST_POSTGRES;
      const name = `storm_${randomBytes(4).toString('hex')}`;
      await run('psql', [`${cluster}/postgres`, '--quiet', '--command', `CREATE DATABASE ${name}`]);
      env.CGM_DATABASE_URL = `${cluster}/${name}`;
    }
    const count = database === 'postgres' ? 2 : 1;
    for (let n = 0; n < count; n++) town.nodes.push(await Server.start(env));
    return town;
  }

  async stop() {
    for (const node of this.nodes) await node.stop();
  }

  /** Asks to end, as a deploy does; kills it when it does not. */
  async end(node) {
    const gone = once(node.child, 'exit');
    node.child.kill('SIGTERM');
    const late = sleep(ENDING, 'late', { ref: false });
    if ((await Promise.race([gone, late])) === 'late') {
      await node.kill();
      throw new Error(`the service did not end within ${ENDING} ms of SIGTERM`);
    }
  }

  /** A viewer's token, valid for `seconds`. */
  token(uid, { name, seconds = 7_200 } = {}) {
    const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Math.floor(Date.now() / 1_000);
    const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: uid, name, aud: 'chat-group-members', iat: now, exp: now + seconds })}`;
    return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
  }

  /** Somebody acts by the API. Answers the status; 0 when the service is away. */
  async act(uid, guid, method, path, fields, name) {
    return this.#ask(method, `/groups/${guid}${path}`, fields, { Authorization: `Bearer ${this.token(uid, { name })}` });
  }

  /** The host's back end asks. */
  async host(method, path, fields) {
    return this.#ask(method, `/v3${path}`, fields ?? {}, { apikey: API_KEY });
  }

  async #ask(method, path, fields, headers) {
    this.turn = ((this.turn ?? 0) + 1) % this.nodes.length;
    const call = { what: `${method} ${path} of node ${this.turn}`, began: Date.now() };
    this.calls.add(call);
    try {
      const answer = await fetch(this.nodes[this.turn].base + path, {
        method,
        headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
        body: method === 'GET' ? undefined : JSON.stringify(fields ?? {}),
        signal: AbortSignal.timeout(ANSWER),
      });
      const text = await answer.text();
      return { status: answer.status, text };
    } catch (error) {
      // Killed, restarting, or busy: part of a storm.
      return { status: 0, text: String(error.cause ?? error) };
    } finally {
      this.calls.delete(call);
      this.longest.push({ ...call, took: Date.now() - call.began });
      this.longest.sort((a, b) => b.took - a.took).splice(LONGEST);
    }
  }

  /** By the command `import`, another process beside the service. */
  import(guid, members) {
    return this.nodes[0].import(guid, members);
  }

  /** The group has exactly these members again, and nobody is banned. */
  async restore(guid, members) {
    const banned = JSON.parse((await this.host('GET', `/groups/${guid}/bannedusers`)).text).data ?? [];
    for (const { uid } of banned) await this.host('DELETE', `/groups/${guid}/bannedusers/${uid}`);
    await this.replace(guid, members);
  }

  /** Uids of everybody who is in the group. */
  async members(guid) {
    const uids = new Set();
    for (let page = 1; ; page++) {
      const { status, text } = await this.host('GET', `/groups/${guid}/members?perPage=1000&page=${page}`);
      if (status !== 200) throw new Error(`the members of ${guid}: ${status} ${text}`);
      const { data } = JSON.parse(text);
      for (const { uid } of data) uids.add(uid);
      if (data.length < 1_000) return uids;
    }
  }

  async replace(guid, members) {
    const owner = members.find(({ scope }) => scope === 'owner').uid;
    const { status, text } = await this.host('PUT', `/groups/${guid}/members`, {
      owner,
      members: members.filter(({ uid }) => uid !== owner).map(({ uid, name, scope }) => ({ uid, name, scope })),
    });
    if (status !== 200) throw new Error(`the full sync of ${guid}: ${status} ${text}`);
  }
}
