// Durable acts over HTTP, beside what the disk and SQLite can do in the same rounds.

import { join } from 'node:path';

import { appends, commits } from './limits.mjs';
import { drive, raw, save } from './load.mjs';
import { ADMINS, uidOf } from './people.mjs';
import { interleave } from './rounds.mjs';
import { fill, serve, token } from './service.mjs';

const GUID = 'acts';
/** More than acts are under way at once, so that no two of them on one person overtake each other. */
const TARGETS = 1024;

/** The number of the newest event of the group. */
async function seq(service) {
  const answer = await fetch(`${service.base}/groups/${GUID}/members?part=rows&limit=1`, { headers: { authorization: `Bearer ${token(uidOf(0))}` } });
  await answer.arrayBuffer();
  return Number(answer.headers.get('last-event-id').split('.').at(-1));
}

/** Requests of so many actors, each on people of their own, up and down again. */
function requests(actors) {
  const tokens = Array.from({ length: actors }, (_, actor) => token(uidOf(actor)));
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
  return ['moderator', 'participant'].flatMap((scope) =>
    Array.from({ length: TARGETS }, (_, at) => {
      const path = `/groups/${GUID}/members/${uidOf(ADMINS + 1 + at)}/scope`;
      return raw(path, { method: 'PUT', token: tokens[at % actors], headers, body: JSON.stringify({ scope }) });
    }),
  );
}

/** Acts a second that made an event each: what changed nothing does not count. */
export async function act(run, service, actors) {
  const file = join(run.folder, `acts-${actors}`);
  await save(file, requests(actors));
  const before = await seq(service);
  const { rate, requests: answered, p50, p99, cpu } = await drive(service, file, { connections: actors, threads: 1, seconds: run.seconds });
  // wrk goes on for a moment after it has stopped counting: never more events than were answered count.
  const share = Math.min(1, ((await seq(service)) - before) / answered);
  return { rate: rate * share, p50, p99, cpu: cpu / share };
}

/** The service with a group to act in. */
export async function withGroup(run, measure) {
  const database = join(run.folder, `acts-${Date.now()}.db`);
  await fill(database, GUID, ADMINS + 1 + TARGETS, run.folder);
  const service = await serve(database);
  try {
    await measure(service);
  } finally {
    await service.stop();
  }
}

export async function measure(run) {
  await withGroup(run, async (service) => {
    const contestants = [
      ['appends', () => perSecond(appends(run.folder, run.seconds))],
      ['sqlite', () => perSecond(commits(run.folder, run.seconds))],
      ['many', () => act(run, service, ADMINS)],
      ['one', () => act(run, service, 1)],
    ];
    await interleave(contestants, run.rounds, (name, value) => run.keep(`acts.${name}`, value), run.say);
  });
}

const perSecond = (rate) => ({ rate, time: 1 / rate });
