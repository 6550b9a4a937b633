// A line, spoken politely, that sums up what others did. Never more than one in so many milliseconds,
// nothing of the reader's own acts, and never who comes online.

const DIGEST_PAUSE = 5_000;
/** Of more people than that only the number is said. */
const MOST_NAMES = 3;

const DIGESTED = {
  'member-joined': 'joined',
  'member-added': 'joined',
  'member-left': 'left',
  'member-kicked': 'removed',
  'member-banned': 'removed',
};

/** A name as the service shows it: it turns no text around, and is never invisible. */
function shownName({ name, uid }) {
  if (/^[\p{Z}\p{C}\p{DI}\u2800]*$/u.test(name)) return `\ufffd (${uid})`;
  return name.replace(/[\u2028-\u202e\u2066-\u2069]/g, '\ufffd');
}

function digest(root, name, { member, by, new: scope, synced }) {
  const isSync = name === 'members-synced';
  const isNamed = ['member-scope-changed', 'owner-transferred'].includes(name);
  const what = DIGESTED[name];
  if (by?.uid === root.dataset.self || !(isSync || isNamed || what)) return;
  const memory = memoryOf(root);
  if (!memory.news) setTimeout(sayDigest, DIGEST_PAUSE, root);
  const { counts, named } = (memory.news ??= { counts: { joined: 0, left: 0, removed: 0, changed: 0 }, named: new Map() });
  // A sync of very many says no numbers of its own: how many more or fewer there are then tells.
  if (isSync && !synced) memory.news.before ??= Number(root.dataset.count);
  else if (isSync) for (const key in synced) counts[key] += synced[key];
  else if (isNamed) named.set(member.uid, word(root, `digest-${scope}`).replace('{name}', () => shownName(member)));
  else counts[what]++;
}

/** How many a search or a filter has found, on the screen; the empty list says so in its own words. */
function showFound(root) {
  const { count } = root.dataset;
  const line = part(root, 'found');
  if (line) Object.assign(line, { textContent: plural(root, 'found', count), hidden: count === '0' });
}

function sayDigest(root) {
  const memory = memoryOf(root);
  const { counts, named, before } = memory.news;
  memory.news = null;
  const more = root.dataset.count - (before ?? root.dataset.count);
  counts[more > 0 ? 'joined' : 'left'] += Math.abs(more);
  const few = named.size <= MOST_NAMES;
  if (!few) counts.changed += named.size;
  const numbers = Object.keys(counts).filter((key) => counts[key]);
  const phrases = [...numbers.map((key) => plural(root, `digest-${key}`, counts[key])), ...(few ? named.values() : [])];
  // The style `unit` has no comma in Russian, Turkish and Chinese.
  if (phrases.length) say(root, new Intl.ListFormat(root.lang, { style: 'narrow' }).format(phrases));
}
