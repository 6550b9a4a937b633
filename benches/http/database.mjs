// The database of the peers: the same people in the same order, in the tables that suit a page best. The key of the table is the place in
// the list (scope, sort key and uid in one text, whose order is the list's), so that a page is one range of it, and names stand beside it.

import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';

import { people } from './rows.mjs';
import { token } from './service.mjs';

const BATCH = 100;
const TABLES = `
  CREATE TABLE members (
    guid TEXT NOT NULL, position TEXT NOT NULL, rank INTEGER NOT NULL, uid TEXT NOT NULL,
    name TEXT NOT NULL, joined_at INTEGER NOT NULL, hue INTEGER NOT NULL, initials TEXT NOT NULL,
    PRIMARY KEY (guid, position)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX members_by_uid ON members (guid, uid, rank);
  CREATE TABLE sections (guid TEXT NOT NULL, rank INTEGER NOT NULL, members INTEGER NOT NULL, PRIMARY KEY (guid, rank)) WITHOUT ROWID;`;

/** Opens a database file with the peers' better-sqlite3, which is there only once the peers are installed. */
export function open(path) {
  const Database = createRequire(new URL('../peers/package.json', import.meta.url))('better-sqlite3');
  return new Database(path);
}

export function create(path) {
  const database = open(path);
  database.pragma('journal_mode = WAL');
  database.exec(TABLES);
  return database;
}

/** Copies a group out of the service, page by page; answers the positions of its members in order. */
export async function copy(database, service, guid, viewer) {
  const insert = database.prepare('INSERT INTO members VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const orders = [];
  database.exec('BEGIN');
  for await (const page of pages(service, guid, viewer)) {
    for (const person of page) {
      insert.run(guid, person.order, Number(person.order[0]), person.uid, person.name, person.joinedAt, person.hue, person.initials);
      orders.push(person.order);
    }
  }
  database.prepare('INSERT INTO sections SELECT guid, rank, count(*) FROM members WHERE guid = ? GROUP BY rank').run(guid);
  database.exec('COMMIT');
  return orders;
}

/** All members of a group, a batch at a time. */
async function* pages(service, guid, viewer) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token(viewer)}` };
  let cursor = '';
  try {
    for (;;) {
      const page = people(await get(`${service.base}/groups/${guid}/members?part=rows&limit=${BATCH}${cursor}`, headers, agent));
      yield page;
      if (page.length < BATCH) return;
      cursor = `&cursor=${encodeURIComponent(page.at(-1).order)}`;
    }
  } finally {
    agent.destroy();
  }
}

function get(url, headers, agent) {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers, agent }, (answer) => {
      answer.setEncoding('utf8');
      let body = '';
      answer.on('data', (part) => (body += part));
      answer.on('end', () => (answer.statusCode === 200 ? resolve(body) : reject(new Error(`${url}: ${answer.statusCode} ${body}`))));
    });
    asked.on('error', reject);
    asked.end();
  });
}
