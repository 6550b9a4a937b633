// What a storm is made of, drawn before it begins: the same seed gives the same acts and faults.

import { ACTS } from './acts.mjs';
import { VIEWERS } from './cast.mjs';
import { Dice } from './dice.mjs';
import { FAULTS } from './faults.mjs';
import { HABITS } from './habits.mjs';
import { NAMED } from './named.mjs';

/** Seconds that a storm lasts. In one of three, the longer ones, resting hands rest from beginning to end. */
const LASTS = [20, 34];
const CALM_LASTS = [42, 48];
/** How many of each kind happen in a second. */
const PER_SECOND = { act: 2.2, fault: 0.35, habit: 2.6 };
/** Of the rare acts and of the faults so many kinds belong to one storm: one that breaks everything hides the others. */
const RARE = 3;
const KINDS_OF_FAULT = 8;
/** Seconds that a fault has, at most, before the storm is over. */
const LAST_FAULT = 3;

/**
 * The storm number `n` of a seed: when what happens, each with dice of its own. `only` names acts, faults and habits; without a habit among
 * them, people have all of theirs. With `hasNamed`, what is otherwise drawn only by name is among the rest.
 */
export function plan(seed, n, only = [], hasNamed = false) {
  const dice = new Dice(seed, 'storm', n);
  const calm = dice.chance(1 / 3);
  const lasts = dice.between(...(calm ? CALM_LASTS : LASTS));
  const rare = new Set(
    dice.some(
      ACTS.filter((act) => act.rare),
      RARE,
    ),
  );
  const kinds = new Set(dice.some(FAULTS, KINDS_OF_FAULT));
  const wanted = ({ name }) => !only.length || only.includes(name);
  const named = (kind) => NAMED.filter((one) => one.kind === kind && (hasNamed || only.includes(one.name)));
  const acts = [...ACTS.filter((act) => wanted(act) && (only.length || !act.rare || rare.has(act))), ...named('act')];
  const faults = [...FAULTS.filter((fault) => wanted(fault) && (only.length || kinds.has(fault))), ...named('fault')];
  const busy = VIEWERS.filter(({ hand }) => !calm || !['mouse', 'focus'].includes(hand));
  const isOwn = (name) => !only.some((other) => other in HABITS) || only.includes(name);
  const habits = busy.flatMap(({ uid, habits, hand }) =>
    habits.filter(isOwn).map((name) => ({ name, uid, weight: hand === 'finger' ? 3 : name === 'rest' ? 0.4 : 1 })),
  );
  const happenings = [
    ...drawn(dice, 'act', acts, lasts),
    ...drawn(dice, 'fault', faults, lasts - LAST_FAULT),
    ...drawn(dice, 'habit', habits, lasts - LAST_FAULT).map((one) => ({ ...one, run: HABITS[one.name] })),
  ];
  happenings.sort((one, other) => one.at - other.at);
  happenings.forEach((one, index) => (one.dice = new Dice(seed, 'storm', n, one.kind, one.name, index)));
  return { n, seed, lasts, calm, happenings, rare: [...rare].map(({ name }) => name), faults: faults.map(({ name }) => name) };
}

function drawn(dice, kind, things, seconds) {
  if (!things.length) return [];
  return Array.from({ length: Math.round(seconds * PER_SECOND[kind]) }, () => ({ ...dice.weighted(things), kind, at: dice.between(0, seconds) }));
}
