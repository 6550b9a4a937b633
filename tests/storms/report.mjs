// The report: one page with the verdicts and what happened when, for people.

import { readFileSync } from 'node:fs';

const STYLE = readFileSync(new URL('../rig/src/report.css', import.meta.url), 'utf8');
/** Examples of a verdict that the page shows. */
const EXAMPLES = 40;
/** Seconds before a problem of which its happenings are listed. */
const BEFORE = 6;

export const escape = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The page. */
export function page({ again, seed, seconds, database, record }) {
  const verdicts = record.verdicts();
  const wrong = verdicts.filter(({ problems }) => problems.length).length;
  const words = { 0: 'Everything held.', 1: 'One promise did not hold.' }[wrong] ?? `${wrong} promises did not hold.`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Storm ${seed}: ${words}</title><style>${STYLE}
svg .act { fill: var(--good) } svg .habit { fill: light-dark(#4a7bd0, #7ea6ee) } svg .problem { fill: var(--bad) } svg .quiet { fill: var(--line); opacity: .5 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; font-size: .8rem }</style><main>
<h1>Storm, seed ${seed}</h1><p class="summary ${wrong ? 'bad' : 'good'}">${words}</p>
<p>${record.storms.length} storms in ${seconds} s over thirteen screens, on ${database === 'sqlite' ? 'SQLite' : 'PostgreSQL with two nodes, every request on another than the stream'}.</p>
<p>Again: <code>${escape(again)}</code></p>
<h2>What was promised</h2><ul class="verdicts">${verdicts.map(verdict).join('')}</ul>
<h2>What happened when</h2><div class="scroll">${timeline(record)}</div>
<p class="legend">From top to bottom: acts, faults, what people did at their screens, problems. Grey: quiet, while screens are compared.</p>
<h2>Storms</h2><div class="scroll">${storms(record)}</div>
<h2>What led to it</h2>${stories(record.problems, record)}
${record.unconfirmed.length ? `<h2>In one of two tries</h2>${stories(record.unconfirmed, record)}` : ''}
</main></html>
`;
}

function verdict({ words, problems }) {
  const sound = problems.length === 0;
  const examples = problems
    .slice(0, EXAMPLES)
    .map(
      ({ viewer, what, at, storm, detail = [] }) =>
        `<li>${escape(viewer)}, storm ${storm}, at ${at.toFixed(1)} s: ${escape(what)}${detail.length ? `<pre>${detail.map(escape).join('\n')}</pre>` : ''}`,
    );
  const seen = sound ? '' : `<details><summary>${problems.length} times</summary><ul>${examples.join('')}</ul></details>`;
  return `<li class="${sound ? 'good' : 'bad'}"><b><span aria-hidden="true">${sound ? '✓' : '✗'}</span> ${escape(words)}</b>${seen}`;
}

/** Everything in its place in time: a lane for each kind. */
function timeline({ entries, problems, storms }) {
  const end = Math.max(1, ...entries.map(({ at }) => at));
  const x = (at) => ((at / end) * 1_000).toFixed(1);
  const lane = (things, name, y) =>
    things
      .map(
        (one) =>
          `<rect class="${name}" x="${x(one.at)}" y="${y}" width="2" height="16"><title>${one.at.toFixed(1)} s: ${escape(one.text ?? `${one.viewer}: ${one.what}`)}</title></rect>`,
      )
      .join('');
  const of = (kind) => entries.filter((entry) => entry.kind === kind);
  const quiets = of('quiet').map(({ at }) => ({ at, to: storms.find(({ to }) => to >= at)?.to ?? end }));
  const bands = quiets.map(({ at, to }) => `<rect class="quiet" x="${x(at)}" y="0" width="${(x(to) - x(at)).toFixed(1)}" height="100"/>`);
  const step = [5, 10, 30, 60, 300, 600].find((step) => end / step <= 14) ?? 1_200;
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, n) => `<text class="tick" x="${x(n * step)}" y="114">${n * step} s</text>`);
  return `<svg viewBox="0 0 1000 120" role="img" aria-label="What happened when">${bands.join('')}${lane(of('act'), 'act', 4)}${lane(of('fault'), 'fault', 28)}${lane(of('habit'), 'habit', 52)}${lane(problems, 'problem', 76)}${ticks.join('')}</svg>`;
}

function storms({ storms, problems, entries }) {
  const rows = storms.map(({ n, from, to }, index) => {
    const during = (kind) => entries.filter((entry) => entry.kind === kind && entry.at >= from && entry.at <= (to ?? Infinity));
    const found = problems.filter(({ storm }) => storm === index + 1);
    const faults = during('fault')
      .map(({ text }) => text)
      .filter((text) => !text.startsWith('…'));
    return `<tr><td class="number">${n ?? index + 1}<td class="number">${from.toFixed(0)} s<td class="number">${during('act').length}<td class="number">${during('habit').length}<td>${escape([...new Set(faults)].join(', '))}<td class="number">${found.length}<td>${escape([...new Set(found.map(({ verdict }) => verdict))].join(', '))}`;
  });
  return `<table class="wide"><thead><tr><th class="number">storm<th class="number">from<th class="number">acts<th class="number">at screens<th>faults<th class="number">problems<th>verdicts</thead><tbody>${rows.join('')}</tbody></table>`;
}

const stories = (problems, record) =>
  problems
    .slice(0, EXAMPLES)
    .map((problem) => story(problem, record))
    .join('');

/** One problem, and what came before it. */
function story({ viewer, verdict, what, at, storm, detail = [] }, { entries }) {
  const before = entries.filter((entry) => entry.at <= at && entry.at > at - BEFORE && ['act', 'call', 'fault', 'habit', 'slip'].includes(entry.kind));
  return `<details><summary>${escape(verdict)}: ${escape(viewer)}, storm ${storm}, ${at.toFixed(1)} s: ${escape(what)}</summary><pre>${[...detail, '', ...before.map((entry) => `${entry.at.toFixed(2)}  ${entry.kind}  ${entry.text}`)].map(escape).join('\n')}</pre></details>`;
}
