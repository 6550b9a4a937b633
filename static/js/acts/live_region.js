// The live region: a polite status line that sums up what others did. It speaks at most once in an interval, never about
// the viewer's own acts, and never about who comes online.

import { memoryOf, plural, say } from '../core/component.js';

/** @import { Detail } from '../live/instructions.js' */
/** @import { Item } from '../core/rows.js' */

/**
 * What others did: the number of changes by kind, a sentence by the uid of the person it is about, and the member count before a sync.
 * @typedef {{ counts: Record<string, number>, named: Map<string, string>, before?: number }} Digest
 */

/** Time over which events are collected before they are spoken, milliseconds. */
const DIGEST_PAUSE = 5_000;
/** Most people who are named one by one; of more people only the number is spoken. */
const MOST_NAMES = 3;

/** Longest wait for the texts, in milliseconds; sentences about single people do not need them. */
const WORDS_WAIT = 10_000;
/**
 * The texts of a digest by language, fetched from where this script was served.
 * @type {Map<string, Promise<Record<string, string>>>}
 */
const words = new Map();

/** @param {string} lang */
function wordsIn(lang) {
  if (!words.has(lang)) {
    const asked = fetch(new URL(`digest.json?lang=${lang}`, import.meta.url), { signal: AbortSignal.timeout(WORDS_WAIT) });
    const coming = asked.then((answer) => answer.json()).catch(() => words.delete(lang) && {});
    words.set(lang, coming);
  }
  return /** @type {Promise<Record<string, string>>} */ (words.get(lang));
}

/**
 * Adds an event: its numbers, or a sentence about one person, as the service rendered them. `count` is the number of members before it.
 * @param {HTMLElement} root
 * @param {Item} item
 * @param {Detail} detail
 * @param {number} count
 */
export function addToDigest(root, { dataset }, { member, synced }, count) {
  const memory = memoryOf(root);
  if (!memory.eventDigest) {
    setTimeout(sayDigest, DIGEST_PAUSE, root);
    // The texts are fetched now, so that they are there at the end of the pause.
    wordsIn(root.lang);
  }
  /** @type {Digest} */
  const { counts, named } = (memory.eventDigest ??= { counts: { joined: 0, left: 0, removed: 0, changed: 0 }, named: new Map() });
  if (dataset.said) named.set(member.uid, dataset.said);
  for (const key in counts) counts[key] += Number(dataset[key] ?? 0);
  // A very large sync has no numbers of its own: the digest compares the member counts before and after it.
  if (dataset.name === 'members-synced' && !synced) memory.eventDigest.before ??= count;
}

/** @param {HTMLElement} root */
async function sayDigest(root) {
  const memory = memoryOf(root);
  const { counts, named, before } = /** @type {Digest} */ (memory.eventDigest);
  memory.eventDigest = null;
  const more = Number(root.dataset.count) - Number(before ?? root.dataset.count);
  counts[more > 0 ? 'joined' : 'left'] += Math.abs(more);
  const few = named.size <= MOST_NAMES;
  if (!few) counts.changed += named.size;
  const numbers = Object.keys(counts).filter((key) => counts[key]);
  const forms = numbers.length ? await wordsIn(root.lang) : {};
  // `plural` reads its texts from attributes of the root.
  for (const key of numbers) root.setAttribute(`data-word-digest-${key}`, forms[key] ?? '');
  const counted = numbers.map((key) => plural(root, `digest-${key}`, counts[key])).filter(Boolean);
  const phrases = [...counted, ...(few ? named.values() : [])];
  // Not `type: 'unit'`, which has no commas in Russian, Turkish and Chinese.
  if (phrases.length) say(root, new Intl.ListFormat(root.lang, { style: 'narrow' }).format(phrases));
}
