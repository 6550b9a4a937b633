// Measures, part by part, and writes the report. `benches/run` installs what is needed and starts this.

import { join } from 'node:path';

import * as acts from './acts.mjs';
import * as bytes from './bytes.mjs';
import { copy, create } from './database.mjs';
import * as growth from './growth.mjs';
import { HELP, options } from './options.mjs';
import * as pages from './pages.mjs';
import { uidOf } from './people.mjs';
import { report } from './report.mjs';
import { Run } from './run.mjs';
import { fill, requireProgram, serve } from './service.mjs';
import * as start from './start.mjs';
import * as streams from './streams.mjs';

const chosen = chooseOrEnd();
if (!chosen.render) {
  requireProgram();
  const run = new Run(chosen);
  for (const [part, measure] of Object.entries({ bytes: bytes.measure, start: start.measure })) await play(run, part, measure);
  if (run.parts.some((part) => ['pages', 'growth'].includes(part))) await withLists(run);
  await play(run, 'acts', acts.measure);
  await play(run, 'streams', streams.measure);
  await play(run, 'browser', async () => (await import('../browser.mjs')).measure(run));
  run.save();
}
report(chosen);
process.exit(0);

function chooseOrEnd() {
  try {
    const chosen = options(process.argv.slice(2));
    if (!chosen.help) return chosen;
    console.log(HELP);
    process.exit(0);
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    process.exit(2);
  }
}

/** Measures a part if it is wanted. What was measured before a part fails is kept, and the run fails. */
async function play(run, part, measure) {
  if (!run.parts.includes(part)) return;
  console.error(`\n${part}`);
  try {
    await measure(run);
  } catch (error) {
    process.exitCode = 1;
    run.save();
    console.error(`${part} could not be measured:`);
    throw error;
  }
  run.save();
}

/** Groups of all sizes, in the service and in the database of the peers. */
async function withLists(run) {
  const sizes = [1_000, 10_000, 100_000, 1_000_000].filter((size) => size < run.members).concat(run.members);
  const own = join(run.folder, 'service.db');
  const database = join(run.folder, 'peers.db');
  const groups = new Map();
  console.error('\nlists');
  for (const size of sizes) {
    run.say(`a group of ${size}`);
    await fill(own, guidOf(size), size, run.folder);
  }
  const service = await serve(own);
  try {
    const peers = create(database);
    for (const size of sizes) groups.set(guidOf(size), await copy(peers, service, guidOf(size), uidOf(0)));
    peers.exec('ANALYZE');
    peers.close();
    const lists = { service, database, groups, sizes, big: guidOf(run.members), small: guidOf(sizes[0]) };
    await play(run, 'pages', () => pages.measure(run, lists));
    await play(run, 'growth', () => growth.measure(run, lists));
  } finally {
    await service.stop();
  }
}

function guidOf(size) {
  return `group-of-${size}`;
}
