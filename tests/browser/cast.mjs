// The named cast, and a hundred more in several scripts.

export const GROUP_NAME = 'Gardeners of Sümmern';

const CAST = [
  ['ada', 'Ada Lindqvist', 'owner'],
  ['ben', 'Ben Okafor', 'admin'],
  ['cy', 'Cy Marlowe', 'moderator'],
  ['dee', 'Dee Ferreira', 'participant'],
  ['eve', 'Eve Sørensen', 'participant'],
];

const SCRIPTS = [
  ['zoe', 'Zoë Ångström'],
  ['luk', 'Łukasz Żak'],
  ['jue', 'Jürgen Groß'],
  ['elo', 'Élodie Dupré'],
  ['anp', 'Анна Петрова'],
  ['gio', 'Γιώργος Παπαδόπουλος'],
  ['fat', 'فاطمة الزهراء'],
  ['dav', 'דוד כהן'],
  ['wxm', '王小明'],
  ['sak', '田中さくら'],
  ['min', '김민수'],
  ['pri', 'प्रिया शर्मा'],
  ['som', 'สมชาย ใจดี'],
  ['max', 'Max 🚀 Weber'],
  ['html', '<b>Bold</b> & "Quoted"'],
  ['long', 'Wolfeschlegelsteinhausenbergerdorff the Remarkably Long Named Gardener'],
];

const FIRST = ['Iris', 'Jonas', 'Kaya', 'Liam', 'Mira', 'Noor', 'Oskar', 'Pia', 'Quinn', 'Rosa', 'Sami', 'Tove'];
const LAST = ['Adeyemi', 'Brandt', 'Castillo', 'Dubois', 'Eriksson', 'Fontana', 'Haddad'];

/** A picture that needs no network. */
const PICTURE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#2a6f5b" d="M0 0h8v8H0z"/><circle cx="4" cy="4" r="2" fill="#fc6"/></svg>')}`;

/** Rows for `import`: the cast first, then everybody else as participants. */
export function people() {
  const crowd = LAST.flatMap((last, y) => FIRST.map((first, x) => [`p${y}${x}`, `${first} ${last}`]));
  return [...CAST, ...SCRIPTS, ...crowd].map(([uid, name, scope = 'participant'], index) => ({
    uid,
    name,
    scope,
    avatar: index % 7 === 3 ? PICTURE : '',
    joinedAt: 1_694_123_400 + index * 86_400,
  }));
}

/** Only the cast: a list without a second page. */
export const fewPeople = () => people().slice(0, CAST.length);
