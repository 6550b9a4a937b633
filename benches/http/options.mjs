// What the command line asks for.

import { parseArgs } from 'node:util';

export const PARTS = ['bytes', 'start', 'pages', 'acts', 'streams', 'growth', 'browser'];

export const HELP = `Measures the release program beside peers that do the same work, and beside what the machine can do.

benches/run [--quick] [--rounds N] [--only NAME,…] [--members N] [--streams N,…] [--docs] [--render]

  --quick        small groups and short turns: a few minutes, to see that everything runs
  --rounds N     interleaved rounds that count (default 5; 2 with --quick); one more warms up
  --only NAME,…  only these parts: ${PARTS.join(', ')}
  --members N    size of the large group (default 1,000,000; 100,000 with --quick)
  --streams N,…  open streams (default 2000,10000; 200 with --quick)
  --docs         write docs/performance.md also after --quick or --only
  --render       measure nothing: write the report of the figures that are there
  --help         this text

Figures are in target/bench.json. The report is docs/performance.md with docs/performance/*.svg, and the table of the README; after
--quick or --only it is in target/bench/ instead, unless --docs is given. benches/notes.md is added to it: profiles, changes tried. Lines that "cargo bench --bench load" measures are read from target/bench-load.json,
if it is there. CGM_TEST_BIN is another program than target/release/chat-group-members, PEER_VENV another Python environment.`;

/** The options of a run; throws on what is not one. */
export function options(args) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      only: { type: 'string' },
      members: { type: 'string' },
      streams: { type: 'string' },
      docs: { type: 'boolean', default: false },
      render: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { quick, docs, render, help } = values;
  const only = values.only?.split(',').filter(Boolean) ?? PARTS;
  const unknown = only.filter((part) => !PARTS.includes(part));
  if (unknown.length > 0) throw new Error(`there is no part ${unknown.join(', ')}; there are ${PARTS.join(', ')}`);
  return {
    quick,
    render,
    help,
    docs,
    parts: PARTS.filter((part) => only.includes(part)),
    rounds: number('rounds', values.rounds, quick ? 2 : 5),
    seconds: quick ? 1 : 3,
    members: number('members', values.members, quick ? 100_000 : 1_000_000),
    streams: (values.streams ?? (quick ? '200' : '2000,10000')).split(',').map((text) => number('streams', text)),
  };
}

function number(name, text, otherwise) {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a number, not ${text}`);
  return value;
}
