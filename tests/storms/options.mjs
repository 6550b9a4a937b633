// What a run is asked for.

import { parseArgs } from 'node:util';

export const HELP = `tests/storm: random acts and faults over thirteen screens, and a look at every screen after each storm

  --seconds N       how long storms begin (default 180, 600 for each patch; an hour is 3600)
  --seed N          what acts and faults are drawn from; a run says its own. What is drawn repeats, its timing does not
  --from N          the first storm of the seed (default 1), to see one again by itself
  --database NAME   sqlite (one node; the default), or postgres (two nodes, every request on another than the stream)
  --only NAME,…     only these acts, faults and habits, by name; some are drawn in no other way
  --named           also the acts and faults that are otherwise drawn only by name: a seed draws other storms with it
  --report FILE     where the report is written (default target/storm.html)
  --until NAME,…    ends with the first storm in which one of these verdicts fails (any: whichever); that storm ends once a hand is disturbed
  --confirm         has each storm that fails again, and counts what fails both times: for slow machines
  --loud            says everything that happens
  --plan            only says what would happen
  --list            viewers, acts, faults and patches by name
  --patch NAME      undoes one mend in a copy of the tree, and storms until it is found
  --patches         each of them, one after the other
  --check           only looks whether each patch can still be applied`;

export function read(args) {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string' },
      seed: { type: 'string' },
      from: { type: 'string', default: '1' },
      database: { type: 'string', default: 'sqlite' },
      only: { type: 'string', default: '' },
      named: { type: 'boolean', default: false },
      report: { type: 'string', default: 'target/storm.html' },
      until: { type: 'string', default: '' },
      confirm: { type: 'boolean', default: false },
      loud: { type: 'boolean', default: false },
      plan: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      patch: { type: 'string' },
      patches: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (!['sqlite', 'postgres'].includes(values.database)) throw new Error(`--database: sqlite or postgres, not ${values.database}`);
  return {
    ...values,
    until: listed(values.until),
    seconds: Number(values.seconds ?? (values.patch || values.patches ? 600 : 180)),
    seed: Number(values.seed ?? Date.now() % 1_000_000),
    from: Number(values.from),
    only: listed(values.only),
  };
}

const listed = (text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
