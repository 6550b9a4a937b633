// Who is there: the people of a small and of a large group, the thirteen who look, and strangers whose
// names have every shape that a name can have.

import { people } from '../browser/cast.mjs';

/** Members of the large group. */
const LARGE = 3_000;
const FIRST = [
  'Aino',
  'Bela',
  'Carla',
  'Dario',
  'Emre',
  'Fenna',
  'Goran',
  'Hanna',
  'Ines',
  'Jari',
  'Kofi',
  'Lena',
  'Marek',
  'Nadia',
  'Olu',
  'Petra',
  'Ravi',
  'Sanna',
  'Timo',
  'Uma',
];
const LAST = ['Adler', 'Bakker', 'Cerny', 'Dahl', 'Egger', 'Farkas', 'Greco', 'Horvat', 'Ivanov', 'Jansen', 'Keller', 'Lopez', 'Meyer', 'Novak', 'Okoye'];

/**
 * The viewers. `hand` is what they have on the list during a storm: the mouse resting on a row, a finger,
 * the focus of the keyboard, marked text, or only an eye on a place they have scrolled to.
 */
export const VIEWERS = [
  { uid: 'ada', group: 'small', scope: 'owner', query: '', hand: 'eye', habits: ['acts', 'scroll', 'filter', 'read'] },
  { uid: 'ben', group: 'small', scope: 'admin', query: '', hand: 'mouse', habits: ['rest', 'pill'] },
  { uid: 'cy', group: 'large', scope: 'moderator', query: '?searchKeyword=an', hand: 'none', habits: ['search', 'compose', 'filter', 'page'] },
  { uid: 'mia', group: 'small', scope: 'moderator', query: '', hand: 'finger', habits: ['tap', 'fling'], touch: true },
  { uid: 'kim', group: 'large', scope: 'admin', query: '', hand: 'focus', habits: ['keys', 'scroll', 'page'] },
  { uid: 'sol', group: 'small', scope: 'participant', query: '?hideHeader=true', hand: 'caret', habits: ['mark'] },
  { uid: 'dee', group: 'large', scope: 'participant', query: '?status=online', hand: 'none', habits: ['page'] },
  { uid: 'eve', group: 'large', scope: 'participant', query: '?status=offline&limit=60', hand: 'eye', habits: ['page', 'scroll', 'read'] },
  { uid: 'tom', group: 'large', scope: 'admin', query: '?groupBy=none&limit=100&explain=true', hand: 'eye', habits: ['page', 'scroll', 'acts'] },
  { uid: 'rim', group: 'small', scope: 'moderator', query: '?lang=ar&limit=20', hand: 'eye', habits: ['scroll', 'acts', 'search'] },
  { uid: 'max', group: 'small', scope: 'admin', query: '?selectionMode=multiple', hand: 'none', habits: ['select', 'page', 'read', 'end'] },
  { uid: 'lia', group: 'large', scope: 'moderator', query: '?selectionMode=single&scopes=admin,moderator&lang=he', hand: 'none', habits: ['select', 'filter'] },
  {
    uid: 'uwe',
    group: 'large',
    scope: 'participant',
    // The window begins around somebody far from both ends.
    query: '?hideUserStatus=true&limit=10&lang=de&hideError=true&member=l1510',
    hand: 'none',
    habits: ['page', 'search'],
  },
];

const NAMES = {
  ada: 'Ada Lindqvist',
  ben: 'Ben Okafor',
  cy: 'Cy Marlowe',
  dee: 'Dee Ferreira',
  eve: 'Eve Sørensen',
  mia: 'Mia Castellan',
  kim: 'Kim Sato',
  sol: 'Sol Andersson',
  tom: 'Tom Adeyemi',
  rim: 'ريم حداد',
  max: 'Max Weber',
  lia: 'ליאה כהן',
  uwe: 'Uwe Brandt',
};

const viewer = ({ uid, scope }) => ({ uid, name: NAMES[uid], scope: scope });

/** The members that a group has when a storm begins: the viewers of both, and a crowd of its own. */
export function members(group) {
  const looking = VIEWERS.map((one) => (one.group === group || one.scope === 'owner' ? viewer(one) : { ...viewer(one), scope: 'participant' }));
  const taken = new Set(VIEWERS.map(({ uid }) => uid));
  return [...looking, ...crowd(group).filter(({ uid }) => !taken.has(uid))];
}

/** Members who look at nothing: people that things are done to. */
export function crowd(group) {
  if (group === 'small')
    return people()
      .slice(5, 65)
      .filter(({ uid }) => uid !== 'max')
      .map(({ uid, name, avatar }, index) => ({ uid: `s-${uid}`, name, avatar, scope: rank(index, 60) }));
  return Array.from({ length: LARGE }, (_, index) => ({
    uid: `l${index}`,
    name: `${FIRST[index % FIRST.length]} ${LAST[Math.floor(index / FIRST.length) % LAST.length]} ${Math.floor(index / 300) || ''}`.trim(),
    scope: rank(index, 200),
  }));
}

/** Every `n`th has a rank. */
const rank = (index, n) => (index % n === 3 ? 'moderator' : index % n === 7 ? 'admin' : 'participant');

const SHAPES = {
  line: () => 'Line\u2028Separator',
  paragraph: () => 'Para\u2029graph',
  override: () => '\u202eAdmin',
  invisible: () => '\u200b\u2060\u00ad',
  wide: () => 'W'.repeat(100),
  emoji: () => '👩‍👩‍👧‍👦 Family 🏳️‍🌈',
  marks: () => `Z${'\u0301'.repeat(40)}algo`,
  markup: () => '<img src=x onerror=alert(1)> & "quoted"',
  braces: () => '{{ name }} js:alert(1)',
};

const PLAIN = ['Aaron', 'Iris', 'Mira', 'Zoë', 'Ωmega', '王', 'אבי', 'Anouk', 'Élan'];

/** Names that everybody can have: a place anywhere in the list. */
export const plainName = (dice) => `${dice.one(PLAIN)} ${dice.one(LAST)} ${dice.below(50)}`;
export const shapedName = (dice) => dice.one(Object.values(SHAPES))();

/** Who comes and goes, by whichever road. */
export const PASSING = /^[cint]\d+$/;

/** Uids of strangers, who come and go. */
export const STRANGERS = Array.from({ length: 60 }, (_, index) => `n${index}`);
