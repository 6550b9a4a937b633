// The page of 30 members as a usual Node.js stack serves it: fastify, better-sqlite3, handlebars, fast-jwt.
// Settings are those that their documentation recommends for production. What it leaves out favours it: no ETag, no translation, no
// search, nobody is online.

import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';

import Database from 'better-sqlite3';
import { createVerifier } from 'fast-jwt';
import fastify from 'fastify';
import handlebars from 'handlebars';

const { PEER_PORT, PEER_DATABASE, PEER_SECRET, PEER_HEADERS, PEER_PROCESSES = '1' } = process.env;
const LIMIT = 30;
const RANKS = ['owner', 'admin', 'moderator', 'participant'];
const HEADINGS = ['Owner', 'Admins', 'Moderators', 'Participants'];
const BADGES = ['Owner', 'Admin', 'Moderator', null];
const MODERATOR = RANKS.indexOf('moderator');
const COLUMNS = 'position, rank, uid, name, joined_at, hue, initials';

if (Number(PEER_PROCESSES) > 1 && cluster.isPrimary) {
  for (let process = 0; process < Number(PEER_PROCESSES); process++) cluster.fork();
} else {
  await serve();
}

async function serve() {
  const database = new Database(PEER_DATABASE, { readonly: true });
  database.pragma('mmap_size = 1073741824');
  const scope = database.prepare('SELECT rank FROM members WHERE guid = ? AND uid = ?').pluck();
  const counts = database.prepare('SELECT rank, members FROM sections WHERE guid = ? ORDER BY rank').raw();
  const first = database.prepare(`SELECT ${COLUMNS} FROM members WHERE guid = ? ORDER BY position LIMIT ${LIMIT + 1}`);
  const after = database.prepare(`SELECT ${COLUMNS} FROM members WHERE guid = ? AND position > ? ORDER BY position LIMIT ${LIMIT + 1}`);
  const verify = createVerifier({
    key: PEER_SECRET,
    algorithms: ['HS256'],
    allowedAud: 'chat-group-members',
    requiredClaims: ['sub', 'exp', 'aud'],
    cache: true,
  });
  const render = handlebars.compile(readFileSync(new URL('page.hbs', import.meta.url), 'utf8'), { knownHelpersOnly: true, strict: true });
  const joined = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
  const headers = JSON.parse(PEER_HEADERS);
  const online = new Map();

  const app = fastify({ logger: false });
  app.get('/groups/:guid/members', (request, reply) => {
    const viewer = viewerOf(request.headers.authorization);
    if (!viewer) return reply.code(401).send('');
    const { guid } = request.params;
    const own = scope.get(guid, viewer);
    if (own === undefined) return reply.code(404).send('');
    const { cursor } = request.query;
    const rows = cursor ? after.all(guid, cursor) : first.all(guid);
    const numbers = new Map(counts.all(guid));
    const further = rows.length > LIMIT;
    if (further) rows.pop();
    let last = null;
    const people = rows.map((row) => {
      const isOwn = row.uid === viewer;
      const heading = row.rank === last ? null : { rank: row.rank, scope: RANKS[row.rank], word: HEADINGS[row.rank], members: numbers.get(row.rank) };
      last = row.rank;
      return {
        heading,
        uid: row.uid,
        scope: RANKS[row.rank],
        status: online.get(row.uid) ?? 'offline',
        word: online.has(row.uid) ? 'Online' : 'Offline',
        joinedAt: row.joined_at,
        joined: joined.format(row.joined_at * 1000),
        order: row.position,
        hue: row.hue,
        initials: row.initials,
        name: row.name,
        badge: BADGES[row.rank],
        isOwn,
        link: isOwn || (own <= MODERATOR && own < row.rank),
      };
    });
    const page = { guid, people, previous: cursor ? people[0].order : null, next: further ? people.at(-1).order : null };
    return reply.headers(headers).send(render(page));
  });
  await app.listen({ port: Number(PEER_PORT), host: '127.0.0.1' });

  function viewerOf(authorization) {
    try {
      return verify(authorization.slice('Bearer '.length)).sub;
    } catch {
      return null;
    }
  }
}
