// A rig is worth what it finds. Each patch beside this file undoes one mend: it is applied to a copy of the
// tree, the service is built from that, and storms have ten minutes to find it.
//
// A patch is what `git diff` prints, for `patch -p1`. Lines before it say what it undoes, and may say
// `Verdicts: equal, live` (the verdicts that have to fail; any, if not said), `Database: postgres`, and
// `Only: join, hang` (the acts, faults and habits to draw from; all, if not said).

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, 'tests/storms/patches');
/** The copy of the tree, and what is built from it; kept between patches, so that little is built. */
const TREE = join(ROOT, 'target/storm/tree');
const BUILD = join(ROOT, 'target/storm/build');
const ROOM = { maxBuffer: 64 * 1024 * 1024 };

export const names = () =>
  (existsSync(FOLDER) ? readdirSync(FOLDER) : [])
    .filter((name) => name.endsWith('.patch'))
    .map((name) => name.slice(0, -6))
    .sort();

/** Tries one patch or all of them; the exit code says whether each was found. */
export async function tryPatches({ patch, seed, seconds }) {
  const outcomes = [];
  for (const name of patch ? [patch] : names()) {
    const outcome = await tryOne(name, seed, seconds).catch(({ message }) => ({ found: false, words: `cannot be tried: ${message.split('\n')[0]}` }));
    console.log(`${outcome.found ? '✓ found' : '✗ not found'}: ${name} (${outcome.words})`);
    outcomes.push({ name, ...outcome });
  }
  console.log(`\n${outcomes.filter(({ found }) => found).length} of ${outcomes.length} patches found, seed ${seed}`);
  for (const { name, found, words } of outcomes) console.log(`${found ? '✓' : '✗'} ${name}: ${words}`);
  return outcomes.length && outcomes.every(({ found }) => found) ? 0 : 1;
}

/** Whether each patch can still be applied to the tree as it is; the exit code. */
export async function checkPatches() {
  let wrong = 0;
  for (const name of names()) {
    const answer = await run('patch', ['-p1', '--dry-run', '--directory', ROOT, '--input', join(FOLDER, `${name}.patch`)]).catch((error) => error);
    if (answer.code) console.log(`✗ ${name}: ${answer.stdout}`);
    wrong += answer.code ? 1 : 0;
  }
  console.log(`${names().length - wrong} of ${names().length} patches can be applied`);
  return wrong ? 1 : 0;
}

async function tryOne(name, seed, seconds) {
  const file = join(FOLDER, `${name}.patch`);
  const head = (await readFile(file, 'utf8')).split(/^(?:diff |--- )/m)[0];
  const said = (what) => head.match(new RegExp(`^${what}: *(.*)$`, 'mi'))?.[1].trim();
  await copyTree();
  await run('patch', ['-p1', '--no-backup-if-mismatch', '--directory', TREE, '--input', file]);
  const env = await build(file);
  const database = said('Database') ?? 'sqlite';
  const verdicts = said('Verdicts') ?? 'any';
  const report = join(ROOT, `target/storm/${name}.html`);
  const args = [
    'tests/storms/main.mjs',
    '--seconds',
    seconds,
    '--seed',
    seed,
    '--database',
    database,
    '--only',
    said('Only') ?? '',
    '--until',
    verdicts,
    '--report',
    report,
  ].map(String);
  const [command, ...rest] = database === 'postgres' ? ['tests/postgres', 'node', ...args] : ['node', ...args];
  const began = Date.now();
  const child = spawn(command, rest, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
    process.stdout.write(chunk);
  });
  const [code] = await once(child, 'close');
  const took = `${Math.round((Date.now() - began) / 1_000)} s`;
  const failed = [...text.matchAll(/^✗ .*\((\w+): \d+; storms/gm)].map(([, verdict]) => verdict);
  const wanted = verdicts.split(',').map((verdict) => verdict.trim());
  const hits = failed.filter((verdict) => wanted.includes('any') || wanted.includes(verdict));
  return {
    found: code === 1 && hits.length > 0,
    words: hits.length ? `${hits.join(', ')} after ${took}` : `${failed.join(', ') || 'everything held'} in ${took}; wanted: ${verdicts}`,
  };
}

/** The tree as it is, uncommitted changes included. Only what differs is written: cargo goes by the time of files. */
async function copyTree() {
  const list = async (...args) => (await run('git', ['ls-files', '-z', ...args], { cwd: ROOT, ...ROOM })).stdout.split('\0').filter(Boolean);
  const files = new Set(await list('--cached', '--others', '--exclude-standard'));
  for (const file of files) {
    const content = await readFile(join(ROOT, file)).catch(() => null);
    if (!content) {
      files.delete(file);
      continue;
    }
    const there = await readFile(join(TREE, file)).catch(() => null);
    if (there?.equals(content)) continue;
    await mkdir(dirname(join(TREE, file)), { recursive: true });
    await writeFile(join(TREE, file), content, { mode: (await stat(join(ROOT, file))).mode });
  }
  await mkdir(TREE, { recursive: true });
  for (const entry of await readdir(TREE, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && !path.includes('/node_modules/') && !files.has(path.slice(TREE.length + 1))) await rm(path);
  }
}

/** Builds the copy; what a run needs to use it. A patch of scripts and styles alone needs no new program. */
async function build(file) {
  const touched = [...(await readFile(file, 'utf8')).matchAll(/^\+\+\+ b\/(\S+)/gm)].map(([, path]) => path);
  if (touched.every((path) => path.startsWith('static/'))) return { CGM_TEST_STORM_ASSETS: await buildAssets() };
  if (!existsSync(BUILD)) {
    await mkdir(join(BUILD, 'debug'), { recursive: true });
    // The dependencies are the same: only the service itself is built.
    for (const folder of ['deps', 'build', '.fingerprint'])
      await run('cp', ['-a', '--reflink=auto', join(ROOT, 'target/debug', folder), join(BUILD, 'debug')], ROOM).catch(() => {});
  }
  await run('cargo', ['build', '--quiet', '--bin', 'chat-group-members'], { cwd: TREE, env: { ...process.env, CARGO_TARGET_DIR: BUILD }, ...ROOM });
  return { CGM_TEST_BIN: join(BUILD, 'debug/chat-group-members') };
}

/** What the build makes of the copy's scripts and styles, but not compressed. */
async function buildAssets() {
  const out = join(ROOT, 'target/storm/assets');
  await run('node', ['build/bundle.mjs', join(ROOT, 'node_modules'), out], { cwd: TREE, ...ROOM });
  return out;
}
