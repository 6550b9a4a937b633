// docs/performance.md as text, from figures: a pure function.

import { said, saidSpread, spread } from './numbers.mjs';
import { markdown, NOT_MEASURED, verdict } from './table.mjs';

const number = new Intl.NumberFormat('en-US');
const day = (date) => (date ? date.slice(0, 10) : 'at an unknown date');

/** The whole page. */
export function performance({ figures, handedOver, samples, lines, plots, original, notes, summary }) {
  return `${[
    '# Performance',
    'This page is written by `benches/run` from what it measured; do not edit it. [Figures](figures.md) are those of the Rust benchmark.',
    about(figures, handedOver),
    `## The table\n\n${summary} Medians of the rounds, in brackets the least and the greatest.`,
    table(lines),
    `## What limits each figure\n\n${lines.map(({ what, limitedBy }) => `- **${what}**: ${limitedBy}`).join('\n')}`,
    '## The same page by everybody',
    peers(samples),
    '## Growth\n\nBoth axes are logarithmic; vertical bars are the spread of the rounds. A flat line costs the same at every size.',
    plots.map(({ file, title, svg }) => (svg ? `![${title}](performance/${file})` : `${title}: ${NOT_MEASURED}.`)).join('\n\n'),
    '## In the browser',
    browser(samples, original),
    notes,
    method(figures),
  ]
    .filter(Boolean)
    .join('\n\n')}\n`;
}

function about({ date, took, machine, loadAfter, program, commit, options }, handedOver) {
  const load = (values) => values.map((value) => value.toFixed(1)).join(', ');
  const size = options.quick ? ' **This was a quick run: small groups, short turns. Its figures are no ground for a claim.**' : '';
  const rust = handedOver
    ? `Lines of searches, PostgreSQL and nodes are from \`cargo bench --bench load\` of ${day(handedOver.date)}.`
    : 'Lines that `cargo bench --bench load` measures were not handed over to this run (`target/bench-load.json`).';
  return [
    `Measured on ${day(date)} in ${number.format(took)} s on ${machine.cores} cores (${machine.model}), ${said(machine.memory, 'memory')} of memory, Linux`,
    `${machine.kernel}, by ${program}${commit ? `, source ${commit}` : ''}: ${options.rounds} rounds of ${options.seconds} s each, a group of`,
    `${number.format(options.members)}. Load and servers share the machine. Its load average was ${load(machine.load)} before (1, 5, 15 minutes) and`,
    `${load(loadAfter)} after the run.${size} ${rust}`,
  ].join('\n');
}

function table(lines) {
  const rows = lines.map(({ what, measured, limit, compared, goal, met }) => [
    what,
    measured,
    limit,
    compared,
    goal,
    met === false ? '**not met**' : verdict(met),
  ]);
  return markdown([['what', 'measured', 'limit or peer', 'ratio or difference', 'goal', ''], ...rows]);
}

const SERVERS = [
  ['nginx, constant body of the same bytes: the limit', 'constant'],
  ['the service, any window', 'any'],
  ['the service, windows people look at', 'looked'],
  ['the service, the same compressed (gzip)', 'gzip'],
  ['the service, the same first page', 'same'],
  ['fastify + better-sqlite3 + handlebars, one process', 'fastify'],
  ['the same, one process for each core', 'fastify-all'],
  ['Django + gunicorn behind nginx', 'django'],
];

function peers(samples) {
  const figure = (name, what, unit) => saidSpread(spread(samples[`pages.${name}.${what}`]), unit);
  const rows = SERVERS.map(([what, name]) => [
    what,
    figure(name, 'rate', 'rate'),
    figure(name, 'cpu', 'time'),
    figure(name, 'p50', 'time'),
    figure(name, 'p99', 'time'),
  ]);
  const bytes = spread(samples['pages.body']);
  const page = bytes ? `A page of 30 rows (the first one has ${said(bytes.middle, 'bytes')}) to 64 connections, asked for by 64 viewers in turn.` : '';
  return `${page}\n\n${markdown([['server', 'requests', 'processor time of one, by the server', 'answered after, p50', 'p99'], ...rows])}`.trim();
}

const SCENES = [
  ['first row on screen', 'first', 'time'],
  ['bytes until it is live', 'bytes', 'bytes'],
  ['requests until then', 'requests', 'count'],
  ['one live change of a row, main thread', 'change', 'time'],
  ['one further page, main thread', 'page', 'time'],
  ['one further page, until it is there', 'page.after', 'time'],
  ['a keystroke in search, main thread', 'key', 'time'],
  ['a keystroke in search, until the result is there', 'key.after', 'time'],
];

function browser(samples, original) {
  const sizes = [30, 1_000, 100_000];
  const figure = (size, name, unit) => saidSpread(spread(samples[`browser.${size}.${name}`]), unit);
  const rows = SCENES.map(([what, name, unit]) => [what, ...sizes.map((size) => figure(size, name, unit)), original.figures[name] ?? '–']);
  return [
    'Chromium with a processor four times slower and 400 kb/s in both directions, without added latency, on its first visit. Times of the main thread',
    'are what the task needs beyond an idle page.',
    '',
    markdown([['', ...sizes.map((size) => `${number.format(size)} members`), 'the original'], ...rows]),
    '',
    original.source,
  ].join('\n');
}

function method({ options }) {
  return `## How it is measured

- **Rounds.** Everybody has a turn of ${options.seconds} s, one after the other, ${options.rounds} times, after a round that only warms up. Ratios are taken within a
  round, so that whatever else the machine does meets both alike; the table has the median of these ratios.
- **The same work.** The peers show the same people in the same order in the same markup, and refuse the same tokens; both is checked
  before every run, and a page of theirs that is more than 5 % larger or smaller than ours ends it. Their tables are filled with what the
  service shows, initials included, and are laid out so that a page is one range of a key. What they leave out favours them: no ETag, no
  translation, nobody online, names stored beside memberships.
- **As recommended.** fastify without logging in production mode, alone and by \`node:cluster\`; better-sqlite3 with prepared statements and WAL;
  handlebars compiled once; fast-jwt with its cache. Django without DEBUG, with persistent connections and cached templates, by gunicorn
  with 2 × cores + 1 sync workers behind nginx. nginx and nchan with a worker for each core.
- **Load** is made by wrk with 64 connections and as many threads as cores, requests of the large group at 20,000 places in random order. Streams
  are read by one epoll loop, alike for all servers. Acts count when they made an event.
- **Processor time** is that of the server's processes alone. That of a delivery has the act's own in it, which is all of it at one stream. Memory is what is the processes' own (RssAnon), for nginx with its shared segments.
- **Again.** \`benches/run\` on a Debian machine after \`cargo build --release\`; \`benches/run --help\` has its options.`;
}
