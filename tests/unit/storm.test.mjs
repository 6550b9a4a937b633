// What storms are drawn from: a seed repeats, nothing is listed that is never drawn, and what the patches name is there.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { ACTS } from '../storms/acts.mjs';
import { VIEWERS } from '../storms/cast.mjs';
import { FAULTS } from '../storms/faults.mjs';
import { HABITS } from '../storms/habits.mjs';
import { NAMED } from '../storms/named.mjs';
import { plan } from '../storms/plan.mjs';
import { Record, VERDICTS } from '../storms/record.mjs';

const PATCHES = new URL('../storms/patches/', import.meta.url);
/** So many storms that each act, fault and habit is drawn in one of them. */
const MANY = 300;

/** What a storm holds, with the first number that each of its happenings draws by itself. */
function drawn(seed, n) {
  const { lasts, happenings } = plan(seed, n);
  return [lasts, ...happenings.map(({ at, kind, name, uid, dice }) => [at, kind, name, uid, dice.fraction()])];
}

const names = (things) => things.map(({ name }) => name);

test('a seed draws the same storms again; another seed, or the next storm, is another', () => {
  for (const n of [1, 2, 3]) assert.deepEqual(drawn(41, n), drawn(41, n));
  assert.notDeepEqual(drawn(41, 1), drawn(42, 1));
  assert.notDeepEqual(drawn(41, 1), drawn(41, 2));
});

test('thirteen people of every scope look at a small and a large group, one of them on a touch screen', () => {
  assert.equal(VIEWERS.length, 13);
  assert.equal(VIEWERS.filter(({ touch }) => touch).length, 1);
  assert.deepEqual(new Set(VIEWERS.map(({ group }) => group)), new Set(['small', 'large']));
  assert.deepEqual(new Set(VIEWERS.map(({ scope }) => scope)), new Set(['owner', 'admin', 'moderator', 'participant']));
});

for (const [words, hasNamed] of Object.entries({ '': false, ', and with --named those that are drawn only by name as well': true })) {
  test(`every act, every fault and every habit of everybody is drawn in some storm${words}`, () => {
    const all = Array.from({ length: MANY }, (_, n) => plan(7, n + 1, [], hasNamed).happenings).flat();
    const seen = (kind) => new Set(all.filter((one) => one.kind === kind).map(({ name, uid }) => (uid ? `${uid} ${name}` : name)));
    const named = (kind) => names(NAMED.filter((one) => hasNamed && one.kind === kind));
    assert.deepEqual(seen('act'), new Set([...names(ACTS), ...named('act')]));
    assert.deepEqual(seen('fault'), new Set([...names(FAULTS), ...named('fault')]));
    assert.deepEqual(seen('habit'), new Set(VIEWERS.flatMap(({ uid, habits }) => habits.map((name) => `${uid} ${name}`))));
    assert.ok(all.every(({ run }) => typeof run === 'function'));
  });
}

test('what is drawn only by name is drawn where it is named, and nowhere else', () => {
  const seen = (only) => new Set(names([1, 2, 3].flatMap((n) => plan(7, n, only).happenings)));
  for (const { name, kind, run } of NAMED) {
    assert.ok(['act', 'fault'].includes(kind) && typeof run === 'function', name);
    assert.ok(seen([name, 'rest']).has(name), name);
    assert.ok(!names([...ACTS, ...FAULTS]).includes(name), name);
    for (const only of [[], ['join', 'cut']]) assert.ok(!seen(only).has(name), name);
  }
});

test('a run fails in which ten pages were come back to, and the browser had kept none', () => {
  const failed = (all, kept) => {
    const record = new Record();
    record.returns = { all, kept };
    record.judgeReturns();
    return names(record.verdicts().filter(({ problems }) => problems.length));
  };
  assert.deepEqual([failed(10, 0), failed(10, 1), failed(9, 0)], [['kept'], [], []]);
});

for (const file of readdirSync(PATCHES).filter((name) => name.endsWith('.patch'))) {
  test(`the verdicts, acts, faults and habits that ${file} names are there`, () => {
    const [head] = readFileSync(new URL(file, PATCHES), 'utf8').split(/^--- /m);
    const listed = (what) => head.match(new RegExp(`^${what}: (.*)$`, 'm'))?.[1].split(', ') ?? [];
    assert.match(head, /^\S[^\n]*\.\n/, 'it says what it undoes');
    assert.ok(listed('Verdicts').length > 0);
    for (const name of listed('Verdicts')) assert.ok(name in VERDICTS, name);
    const known = [...names(ACTS), ...names(FAULTS), ...names(NAMED), ...Object.keys(HABITS)];
    for (const name of listed('Only')) assert.ok(known.includes(name), name);
  });
}
