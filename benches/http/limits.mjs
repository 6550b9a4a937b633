// What the disk and SQLite can do by themselves, on the disk that the service's database is on.

import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { open } from './database.mjs';

const PAGE = Buffer.alloc(4096, 7);

/** Appends of 4 kB, each followed by `fdatasync`, a second. */
export function appends(folder, seconds) {
  const path = join(folder, 'appends');
  const file = openSync(path, 'a');
  const rate = often(seconds, () => {
    writeSync(file, PAGE);
    fdatasyncSync(file);
  });
  closeSync(file);
  rmSync(path);
  return rate;
}

/** Acts as bare transactions of SQLite (one update and one event each, durable), one after the other, a second. */
export function commits(folder, seconds) {
  const path = join(folder, 'commits.db');
  const database = open(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`
    CREATE TABLE m (g TEXT, uid TEXT, scope INT, seq INT, PRIMARY KEY (g, uid)) WITHOUT ROWID;
    CREATE TABLE e (g TEXT, seq INT, kind TEXT, at INT, uid TEXT, PRIMARY KEY (g, seq)) WITHOUT ROWID;
    INSERT INTO m VALUES ('g', 'u', 0, 0);`);
  const update = database.prepare("UPDATE m SET scope = 1 - scope, seq = ? WHERE g = 'g' AND uid = 'u'");
  const event = database.prepare("INSERT INTO e VALUES ('g', ?, 'member_scope_changed', ?, 'u')");
  const act = database.transaction((number) => {
    update.run(number);
    event.run(number, number);
  });
  const rate = often(seconds, (number) => act.immediate(number));
  database.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  return rate;
}

/** How often something can be done a second, one after the other. */
function often(seconds, work) {
  const begun = process.hrtime.bigint();
  let done = 0;
  let passed = 0;
  while (passed < seconds) {
    work(++done);
    passed = Number(process.hrtime.bigint() - begun) / 1e9;
  }
  return done / passed;
}
