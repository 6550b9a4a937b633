// From samples to lines of the table: what was measured, beside what, and whether that is what was wanted.

import { difference, ratio, said, saidSpread, spread } from './numbers.mjs';

export const NOT_MEASURED = 'not measured in this run';

/** Samples of a run, and those that the Rust benchmark has handed over, under `load.`. */
export function together(figures, handedOver) {
  const samples = { ...figures.samples };
  for (const [name, values] of Object.entries(handedOver?.samples ?? {})) samples[`load.${name}`] = values;
  return samples;
}

/** One line with its figures; `met` is `null` when there is no goal or no figure. */
export function judged(line, samples, words = {}) {
  const what = line.what.replace(/\{(\w+)\}/g, (_, word) => words[word] ?? '…');
  const [name, unit] = line.figure;
  const [limitName, limitUnit, peer] = line.limit ?? [];
  const measured = spread(samples[name]);
  const limit = spread(samples[limitName]);
  const compared = comparison(line, samples[name], samples[limitName]);
  const goal = line.goal ? goalText(line, unit) : '';
  const met = line.goal && compared ? isMet(line.goal, compared.middle) : null;
  return {
    what,
    measured: measured ? saidSpread(measured, unit) : NOT_MEASURED,
    limit: peer ? `${peer}${limit ? `, ${saidSpread(limit, limitUnit)}` : ''}` : '',
    compared: compared && line.compare !== 'value' ? saidSpread(compared, comparedUnit(line, unit)) : '',
    goal,
    met,
    limitedBy: line.limitedBy,
    isMeasured: measured !== null,
    inReadme: line.inReadme === true,
  };
}

function comparison(line, samples, others) {
  if (line.compare === 'value') return spread(samples);
  return line.compare === 'ratio' ? ratio(samples, others) : difference(samples, others);
}

const comparedUnit = (line, unit) => (line.compare === 'ratio' ? 'ratio' : unit);

/** The median decides. */
const isMet = (goal, middle) => (goal.least === undefined ? middle <= goal.most : middle >= goal.least);

function goalText(line, unit) {
  const value = line.goal.least ?? line.goal.most;
  const text = line.compare === 'ratio' ? String(value) : said(value, unit);
  return `${line.goal.least === undefined ? '≤' : '≥'} ${text}`;
}

export const verdict = (met) => (met === null ? '–' : met ? 'met' : 'NOT MET');

/** Columns of text, padded; for a terminal. */
export function columns(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A table of Markdown. */
export function markdown([head, ...rows]) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
