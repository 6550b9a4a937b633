// One run: its options, its folder, and the samples that it keeps, by the name of the figure.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { machine } from './machine.mjs';
import { PROGRAM } from './service.mjs';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const FIGURES = join(ROOT, 'target/bench.json');
/** What `cargo bench --bench load` hands over: `{"date", "samples": {"name": [numbers]}}`. */
export const HANDED_OVER = join(ROOT, 'target/bench-load.json');

export class Run {
  samples = {};

  constructor(options) {
    Object.assign(this, options);
    mkdirSync(join(ROOT, 'target/bench'), { recursive: true });
    this.folder = mkdtempSync(join(ROOT, 'target/bench/run-'));
    process.on('exit', () => rmSync(this.folder, { recursive: true, force: true }));
    this.head = { date: new Date().toISOString(), machine: machine(), program: version(), commit: commit() };
  }

  /** Adds a sample to a figure; times are in seconds, sizes in bytes. */
  keep = (name, value) => {
    this.samples[name] ??= [];
    this.samples[name].push(value);
  };

  say = (text) => console.error(`  ${text}`);

  figures() {
    const { quick, parts, rounds, seconds, members, streams } = this;
    const end = { loadAfter: machine().load, took: Math.round((Date.now() - Date.parse(this.head.date)) / 1000) };
    return { schema: 1, ...this.head, ...end, options: { quick, parts, rounds, seconds, members, streams }, samples: this.samples };
  }

  save() {
    mkdirSync(dirname(FIGURES), { recursive: true });
    writeFileSync(FIGURES, `${JSON.stringify(this.figures(), null, 1)}\n`);
  }
}

/** Figures of a file; `null` when nobody has measured them. */
export function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw new Error(`${file}: ${error.message}`);
  }
}

const version = () => execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' }).trim();

/** The commit of the source, with a sign when it was changed since. */
function commit() {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
