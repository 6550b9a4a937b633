// The figures of the README: the lines of the table that say most, between two comments of its text.

import { markdown } from './table.mjs';

const BEGIN = '<!-- figures: written by benches/run -->';
const END = '<!-- /figures -->';

/** The README with these lines between its comments; as it is when it has none, or nothing was measured. */
export function withFigures(readme, lines, date) {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  const shown = lines.filter(({ inReadme, isMeasured }) => inReadme && isMeasured);
  if (after === undefined || shown.length === 0) return readme;
  const rows = shown.map(({ what, measured, limit, compared }) => [what, measured, limit, compared]);
  const table = markdown([['measured', 'median (least to greatest)', 'beside', 'ratio or difference'], ...rows]);
  const source = `One run of \`benches/run\` of ${date.slice(0, 10)}; [Performance](docs/performance.md) has the machine, every line with its goal, and what limits it.`;
  return `${before}${BEGIN}\n\n${table}\n\n${source}\n\n${END}${after}`;
}
