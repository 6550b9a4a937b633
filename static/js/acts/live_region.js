// A line, spoken politely, that sums up what others did. Never more than one in so many milliseconds,
// nothing of the reader's own acts, and never who comes online.

import { memoryOf, plural, say } from '../component.js';

/** @import { Detail } from '../notes.js' */
/** @import { Item } from '../rows.js' */

/**
 * What others did: how many of each, a sentence about each person, and how many members there were before a sync.
 * @typedef {{ counts: Record<string, number>, named: Map<string, string>, before?: number }} Digest
 */

const DIGEST_PAUSE = 5_000;
/** Of more people than that only the number is said. */
const MOST_NAMES = 3;

/**
 * What the service says of an event: how many it counts as what, or a sentence about one person. `count` is how many members there were
 * before it.
 * @param {HTMLElement} root
 * @param {Item} item
 * @param {Detail} detail
 * @param {number} count
 */
export function addToDigest(root, { dataset }, { member, synced }, count) {
  const memory = memoryOf(root);
  if (!memory.eventDigest) setTimeout(sayDigest, DIGEST_PAUSE, root);
  /** @type {Digest} */
  const { counts, named } = (memory.eventDigest ??= { counts: { joined: 0, left: 0, removed: 0, changed: 0 }, named: new Map() });
  if (dataset.said) named.set(member.uid, dataset.said);
  for (const key in counts) counts[key] += Number(dataset[key] ?? 0);
  // A sync of very many says no numbers of its own: how many more or fewer there are then tells.
  if (dataset.name === 'members-synced' && !synced) memory.eventDigest.before ??= count;
}

/** @param {HTMLElement} root */
function sayDigest(root) {
  const memory = memoryOf(root);
  const { counts, named, before } = /** @type {Digest} */ (memory.eventDigest);
  memory.eventDigest = null;
  const more = Number(root.dataset.count) - Number(before ?? root.dataset.count);
  counts[more > 0 ? 'joined' : 'left'] += Math.abs(more);
  const few = named.size <= MOST_NAMES;
  if (!few) counts.changed += named.size;
  const numbers = Object.keys(counts).filter((key) => counts[key]);
  const phrases = [...numbers.map((key) => plural(root, `digest-${key}`, counts[key])), ...(few ? named.values() : [])];
  // The style `unit` has no comma in Russian, Turkish and Chinese.
  if (phrases.length) say(root, new Intl.ListFormat(root.lang, { style: 'narrow' }).format(phrases));
}
