// Writes what was measured: to the terminal, and as docs/performance.md with its plots. Everything in it comes from target/bench.json
// and target/bench-load.json, but for benches/notes.md, which people write.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { LINES } from './lines.mjs';
import { PARTS } from './options.mjs';
import { performance } from './performance.mjs';
import { plots } from './plots.mjs';
import { withFigures } from './readme.mjs';
import { FIGURES, HANDED_OVER, ROOT, read } from './run.mjs';
import { columns, judged, together, verdict } from './table.mjs';

export const ORIGINAL = new URL('../original.json', import.meta.url);

export function report({ docs }) {
  const figures = read(FIGURES);
  if (!figures) throw new Error('nothing has been measured yet: there is no target/bench.json');
  const handedOver = read(HANDED_OVER);
  const samples = together(figures, handedOver);
  const lines = LINES.map((line) => judged(line, samples, wordsOf(figures)));

  const rows = lines.map(({ what, measured, limit, compared, goal, met }) => [what, measured, limit, compared, goal, verdict(met)]);
  console.log(columns([['what', 'measured', 'limit or peer', 'compared', 'goal', ''], ...rows]));
  console.log(`\n${summary(lines)}`);

  const forDocs = docs || isComplete(figures.options);
  const folder = join(ROOT, forDocs ? 'docs' : 'target/bench');
  const drawn = plots(samples);
  mkdirSync(join(folder, 'performance'), { recursive: true });
  for (const { file, svg } of drawn) {
    const path = join(folder, 'performance', file);
    if (svg) writeFileSync(path, svg);
    else rmSync(path, { force: true });
  }
  const page = join(folder, 'performance.md');
  const original = JSON.parse(readFileSync(ORIGINAL, 'utf8'));
  writeFileSync(page, performance({ figures, handedOver, samples, lines, plots: drawn, original, notes: notes(), summary: summary(lines) }));
  if (forDocs) {
    const readme = join(ROOT, 'README.md');
    writeFileSync(readme, withFigures(readFileSync(readme, 'utf8'), lines, figures.date));
  }
  console.log(page);
}

/** Only a run of all parts at full size is for docs/. */
const isComplete = ({ quick, parts }) => !quick && parts.length === PARTS.length;

/** What stands for the sizes of this run in the lines. */
function wordsOf({ options }) {
  const number = new Intl.NumberFormat('en-US');
  const [streams, manyStreams] = options.streams.map((count) => number.format(count));
  return { streams, manyStreams, members: number.format(options.members) };
}

function summary(lines) {
  const count = (met) => lines.filter((line) => line.goal && line.met === met).length;
  return `${count(true)} goals met, ${count(false)} not met, ${count(null)} without a figure in this run.`;
}

/** What people add to the report: profiles, and changes that were tried. */
function notes() {
  try {
    return readFileSync(join(ROOT, 'benches/notes.md'), 'utf8').trim();
  } catch {
    return '';
  }
}
