// tests/storm: storms over thirteen screens, one after the other, until the time is over.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { chromium } from 'playwright-core';

import { SWITCHES } from '../browser/chromium.mjs';
import { ACTS } from './acts.mjs';
import { VIEWERS } from './cast.mjs';
import { FAULTS } from './faults.mjs';
import { NAMED } from './named.mjs';
import { HELP, read } from './options.mjs';
import { checkPatches, names, tryPatches } from './patches.mjs';
import { plan } from './plan.mjs';
import { Record } from './record.mjs';
import { page } from './report.mjs';
import { Storm } from './storm.mjs';
import { Town } from './town.mjs';

/** Problems of a verdict that the console tells of each storm; the report has all of them. */
const TOLD = 3;

const options = read(process.argv.slice(2));
if (options.help) console.log(HELP);
else if (options.list) list();
else if (options.plan) printPlan();
else if (options.check) process.exitCode = await checkPatches();
else if (options.patch || options.patches) process.exitCode = await tryPatches(options);
// A page that never came may have left its proxy open.
else process.exit(await storms());

async function storms() {
  const { seed, seconds, database } = options;
  const [from, only] = [options.from > 1 ? ` --from ${options.from}` : '', options.only.length ? ` --only '${options.only.join(',')}'` : ''];
  const again = `tests/storm --seed ${seed} --seconds ${seconds} --database ${database}${from}${only}${options.named ? ' --named' : ''}`;
  console.log(`seed ${seed}; again: ${again}`);
  const record = new Record(options.loud);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: SWITCHES,
    // Going back is to find the page as it was left.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  const town = await Town.start(database);
  let storm;
  try {
    storm = await Storm.prepare(browser, town, record, options.only);
    const end = Date.now() + seconds * 1_000;
    for (let n = options.from; Date.now() < end; n++) {
      const what = plan(seed, n, options.only, options.named);
      record.log(
        'say',
        `storm ${n}: ${what.lasts.toFixed(0)} s of ${what.happenings.length} happenings; faults: ${what.faults.join(', ')}; besides: ${what.rare.join(', ')}`,
      );
      let all = await play(storm, what, n, record);
      if (all.length && options.confirm) {
        const again = await play(storm, what, n, record);
        const isBoth = ({ verdict }) => [all, again].every((problems) => problems.some((other) => other.verdict === verdict));
        record.doubt([...all, ...again].filter((problem) => !isBoth(problem)));
        all = again.filter(isBoth);
      }
      if (all.some(({ verdict }) => options.until.includes('any') || options.until.includes(verdict))) break;
    }
  } catch (error) {
    record.found({ verdict: 'errors', viewer: 'the storm itself', what: error.stack });
    console.error(error);
  } finally {
    await storm?.close();
    await browser.close();
    await town.stop();
  }
  record.judgeReturns();
  await mkdir(dirname(options.report), { recursive: true });
  await writeFile(options.report, page({ again, seed, seconds, database, record }));
  return conclude(record);
}

/** One storm; what was found. */
async function play(storm, what, n, record) {
  for (const problem of await storm.run(what, options.until)) record.found(problem);
  const all = record.problems.filter(({ storm }) => storm === record.storms.length);
  Object.assign(record.storms.at(-1), { to: record.seconds(), n });
  record.log('say', all.length ? `storm ${n}: ${summary(all)}` : `storm ${n}: every screen is right, nothing moved`);
  for (const problem of all.filter(({ verdict }, index) => all.slice(0, index).filter((other) => other.verdict === verdict).length < TOLD)) tell(problem);
  return all;
}

function summary(problems) {
  const names = problems.map(({ verdict }) => verdict);
  return [...new Set(names)].map((name) => `${name} ×${names.filter((other) => other === name).length}`).join(', ');
}

function tell({ verdict, viewer, what, at, detail = [] }) {
  console.log(`          ✗ ${verdict}: ${viewer}: ${what}${at ? ` (at ${at.toFixed(1)} s)` : ''}`);
  for (const line of detail.slice(0, 6)) console.log(`              ${line}`);
}

function conclude(record) {
  console.log(`\n${record.storms.length} storms, seed ${options.seed}; report: ${options.report}`);
  let wrong = 0;
  for (const { name, words, problems } of record.verdicts()) {
    if (problems.length) wrong++;
    console.log(
      `${problems.length ? '✗' : '✓'} ${words}${problems.length ? ` (${name}: ${problems.length}; storms ${[...new Set(problems.map(({ storm }) => storm))].join(' ')})` : ''}`,
    );
  }
  for (const { verdict, viewer, what, storm } of record.unconfirmed) console.log(`? in one of two tries: ${verdict}: ${viewer}: ${what} (storm ${storm})`);
  const { all, kept } = record.returns;
  if (all) console.log(`${kept} of ${all} pages that somebody came back to were as they had been left`);
  return wrong ? 1 : 0;
}

function list() {
  console.log('viewers');
  for (const { uid, group, scope, query, hand, habits } of VIEWERS)
    console.log(`  ${uid.padEnd(4)} ${scope.padEnd(12)} ${group.padEnd(6)} hand: ${hand.padEnd(7)} ${habits.join(', ')}  ${query}`);
  console.log('acts');
  for (const { name, rare } of ACTS) console.log(`  ${name}${rare ? ' (in some storms)' : ''}`);
  console.log('faults');
  for (const { name } of FAULTS) console.log(`  ${name}`);
  console.log('acts and faults that are drawn only by name (--only), or with --named');
  for (const { name } of NAMED) console.log(`  ${name}`);
  console.log('patches');
  for (const name of names()) console.log(`  ${name}`);
}

function printPlan() {
  for (let [n, seconds] = [options.from, 0]; seconds < options.seconds; n++) {
    const { lasts, happenings } = plan(options.seed, n, options.only, options.named);
    console.log(`storm ${n}, ${lasts.toFixed(1)} s`);
    for (const { at, kind, name, uid } of happenings) console.log(`  ${at.toFixed(2).padStart(6)}  ${kind.padEnd(6)} ${uid ? `${uid}: ` : ''}${name}`);
    seconds += lasts;
  }
}
