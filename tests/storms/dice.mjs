// Chance that repeats: everything random is drawn from a seed and a name, so that what one part of a
// run draws does not depend on when another part draws.

/** A source of numbers for `name`. */
export class Dice {
  #state;

  constructor(seed, ...name) {
    this.#state = hash([seed, ...name].join(' '));
  }

  /** At least 0 and less than 1 (mulberry32). */
  fraction() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below `n`. */
  below(n) {
    return Math.floor(this.fraction() * n);
  }

  between(from, to) {
    return from + this.fraction() * (to - from);
  }

  chance(probability) {
    return this.fraction() < probability;
  }

  one(things) {
    return things[this.below(things.length)];
  }

  some(things, n) {
    return this.shuffled(things).slice(0, n);
  }

  /** By the `weight` of each. */
  weighted(things) {
    let rest = this.fraction() * things.reduce((sum, { weight }) => sum + weight, 0);
    return things.find(({ weight }) => (rest -= weight) < 0) ?? things.at(-1);
  }

  shuffled(things) {
    const rest = [...things];
    return things.map(() => rest.splice(this.below(rest.length), 1)[0]);
  }
}

/** FNV-1a, 32 bits. */
function hash(text) {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value;
}
