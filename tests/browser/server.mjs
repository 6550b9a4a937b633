// The real program on a database of its own, and people who act on it by its API.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { GROUP_NAME, people } from './cast.mjs';

const run = promisify(execFile);
export const PROGRAM = process.env.CGM_TEST_BIN ?? fileURLToPath(new URL('../../target/debug/chat-group-members', import.meta.url));
/** What the host's back end shows. */
export const API_KEY = 'a-key-that-only-these-tests-know';
const SECRET = 'a secret that only these tests know and that is long enough';

/** A port that nobody listens on. */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Where PostgreSQL is, when `tests/postgres` runs the tests beside one. */
const POSTGRES = process.env.CGM_TEST_POSTGRES;

/** The database of a folder: a file in it, or one of its own in that PostgreSQL. */
async function databaseOf(folder) {
  if (!POSTGRES) return `sqlite://${join(folder, 'test.db')}`;
  const name = `n${process.pid}_${Buffer.from(basename(folder)).toString('hex')}`;
  await run('psql', [`${POSTGRES}/postgres`, '-qc', `CREATE DATABASE ${name}`]);
  return `${POSTGRES}/${name}`;
}

export class Server {
  #tokens = new Map();
  #groups = 0;

  /** A fresh database, and the program listening on a port that was free. `env` is what this one needs besides. */
  static async start(env = {}) {
    const server = new Server();
    server.folder = await mkdtemp(join(tmpdir(), 'cgm-browser-'));
    server.env = {
      ...process.env,
      CGM_DATABASE_URL: env.CGM_DATABASE_URL ?? (await databaseOf(server.folder)),
      CGM_VIEWER_SECRET: SECRET,
      CGM_API_KEY: API_KEY,
      CGM_LOG: 'warn',
      RUST_BACKTRACE: '0',
      ...env,
    };
    await server.#listen('127.0.0.1:0');
    return server;
  }

  async #listen(address) {
    const child = spawn(PROGRAM, ['serve', '--listen', address], { env: this.env, stdio: ['ignore', 'ignore', 'pipe'] });
    this.child = child;
    const lines = createInterface({ input: child.stderr });
    const said = [];
    this.base = await new Promise((found, failed) => {
      lines.on('line', (line) => {
        said.push(line);
        const [, base] = line.match(/listening on (http:\S+)/) ?? [];
        if (base) found(base);
      });
      child.once('exit', () => failed(new Error(`the program ended: ${said.join('\n')}`)));
    });
  }

  /** Dies at once, as by loss of power. */
  async kill() {
    const gone = new Promise((done) => this.child.once('exit', done));
    this.child.kill('SIGKILL');
    await gone;
  }

  /** Back on the same port with the same database. */
  async restart() {
    await this.#listen(new URL(this.base).host);
  }

  /** Takes the log away from the program, or gives it back: a database that cannot be used. */
  async hideLog(hidden) {
    const [from, to] = hidden ? ['groups', 'hidden'] : ['hidden', 'groups'];
    if (POSTGRES) return run('psql', [this.env.CGM_DATABASE_URL, '-qc', `ALTER TABLE ${from} RENAME TO ${to}`]);
    const script = 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1], timeout=10); d.execute("PRAGMA legacy_alter_table=ON"); d.execute(sys.argv[2])';
    return run('python3', ['-c', script, join(this.folder, 'test.db'), `ALTER TABLE ${from} RENAME TO ${to}`]);
  }

  /** A copy of the file as it is, made by the program's own command. */
  async backup() {
    assert.ok(!POSTGRES, 'the copy of a PostgreSQL is made by its own tools');
    const file = join(this.folder, 'backup.db');
    await run(PROGRAM, ['backup', file], { env: this.env });
    return file;
  }

  /** The database is the copy again, and what came after it is lost. */
  async putBack(file) {
    await this.kill();
    for (const ending of ['', '-wal', '-shm']) await rm(join(this.folder, `test.db${ending}`), { force: true });
    await rename(file, join(this.folder, 'test.db'));
    await this.restart();
  }

  async stop() {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A viewer's token, made by the program's own command. */
  async token(uid, { ttl = '1h', name } = {}) {
    const key = `${uid} ${ttl} ${name}`;
    if (ttl !== '1h' || !this.#tokens.has(key)) {
      const { stdout } = await run(PROGRAM, ['token', '--uid', uid, '--ttl', ttl, ...(name ? ['--name', name] : [])], { env: this.env });
      this.#tokens.set(key, stdout.trim());
    }
    return this.#tokens.get(key);
  }

  /** Brings people into a group by the command `import`. */
  async import(guid, members) {
    const quoted = (value) => `"${String(value ?? '').replaceAll('"', '""')}"`;
    const lines = members.map((member) => ['uid', 'name', 'scope', 'avatar', 'joinedAt'].map((field) => quoted(member[field])).join());
    const file = join(this.folder, `${guid}.csv`);
    await writeFile(file, ['uid,name,scope,avatar,joinedAt', ...lines].join('\n'));
    await run(PROGRAM, ['import', '--group', guid, '--group-name', GROUP_NAME, '--type', 'public', file], { env: this.env });
  }

  /** The host's back end asks; the text of its answer. */
  async host(method, path, fields) {
    const answer = await fetch(`${this.base}/v3${path}`, {
      method,
      headers: { apikey: API_KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify(fields ?? {}),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `the host: ${method} ${path}: ${answer.status} ${text}`);
    return text;
  }

  /** A new public group of the cast and a hundred more people, or of those given. */
  async group(members = people()) {
    const guid = `g${++this.#groups}`;
    await this.import(guid, members);
    return guid;
  }
}

/** Somebody who acts by the API, with a bearer, as a program would. */
export class Actor {
  constructor(server, guid, uid, name) {
    Object.assign(this, { server, guid, uid, name });
  }

  async ask(method, path, fields, headers = {}) {
    const token = await this.server.token(this.uid, { name: this.name });
    return fetch(`${this.server.base}/groups/${this.guid}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, Accept: 'application/json', ...(fields && { 'Content-Type': 'application/json' }), ...headers },
      body: fields && JSON.stringify(fields),
    });
  }

  async #act(method, path, fields) {
    const answer = await this.ask(method, path, fields);
    const text = await answer.text();
    assert.ok(answer.ok, `${this.uid}: ${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  join = () => this.#act('POST', '/members', {});
  leave = () => this.kick(this.uid);
  kick = (uid) => this.#act('DELETE', `/members/${uid}`);
  ban = (uid, terms = {}) => this.#act('PUT', `/bans/${uid}`, terms);
  unban = (uid) => this.#act('DELETE', `/bans/${uid}`);
  mute = (uid, terms = { until: 3_600 }) => this.#act('PUT', `/mutes/${uid}`, terms);
  unmute = (uid) => this.#act('DELETE', `/mutes/${uid}`);
  scope = (uid, scope, terms = {}) => this.#act('PUT', `/members/${uid}/scope`, { scope, ...terms });
  transfer = (uid) => this.#act('PUT', '/owner', { uid });
  members = (query = '') => this.#act('GET', `/members${query}`);
}
