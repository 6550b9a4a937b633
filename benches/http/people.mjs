// People to measure with: the names, uids and scopes of the Rust benchmark (benches/load/people.rs), so that both measure the same list.

const FIRST = words(`Ada|Ben|María|Zoë|Émile|Amara|Joan|Jo|Søren|Łukasz|İpek|Anna|Hans|Olga|Nadia|Tomás|Yusuf|Ingrid|Marianne|Sean|Θεοδώρα|Νίκος|Ольга
  |Иван|Анна|विक्रम|अनन्या|אברהם|שרה|محمد|فاطمة|陈|李|王|さくら|はると|민준|서연|Nguyễn|Kwame`);
const LAST = words(`Lindqvist|Kovács|Müller|Okafor|Andersen|Maria|O'Brien|Smith|Jones|Hansen|Garcia|Martínez|Rossi|Dubois|Nowak|Yılmaz|Anand|Banerjee
  |Featherstonehaugh|de la Cruz|van den Berg|Παπαδάκη|Αντωνίου|Иванова|Смирнов|Петров|शर्मा|गुप्ता|כהן|לוי|الحسن|المصري|伟|娜|小明|佐藤|鈴木
  |김|박|Trần|Mensah|Diallo|Haddad|Silva|Johansson`);
/** Some of the names end with this; one in [RARE_EVERY]. */
const RARE = 'ツキノワグマ';
const RARE_EVERY = 50_000;
/** A group's first member owns it; so many admins follow. */
export const ADMINS = 64;

/** Spreads a number over 64 bits (SplitMix64, public domain, Sebastiano Vigna). */
export function mix(number) {
  let bits = BigInt.asUintN(64, BigInt(number) + 0x9e3779b97f4a7c15n);
  bits = BigInt.asUintN(64, (bits ^ (bits >> 30n)) * 0xbf58476d1ce4e5b9n);
  bits = BigInt.asUintN(64, (bits ^ (bits >> 27n)) * 0x94d049bb133111ebn);
  return bits ^ (bits >> 31n);
}

/** A name; the same for the same number. */
export function nameOf(number) {
  const mixed = mix(number);
  const first = FIRST[Number(mixed % BigInt(FIRST.length))];
  const last = LAST[Number((mixed >> 20n) % BigInt(LAST.length))];
  return number % RARE_EVERY === 1 ? `${first} ${last} ${RARE}` : `${first} ${last}`;
}

/** A uid; another for every number. */
export const uidOf = (number) => `u${String(number).padStart(7, '0')}`;

/** Since when they are a member, Unix seconds. */
export const joinedAtOf = (number) => 1_600_000_000 + Number(mix(number) % 150_000_000n);

export const scopeOf = (number) => (number === 0 ? 'owner' : number <= ADMINS ? 'admin' : 'participant');

/** The list of so many people as the CSV that `import` reads, in parts. */
export function* csv(size) {
  let part = 'uid,name,scope,avatar,joinedAt\n';
  for (let number = 0; number < size; number++) {
    const scope = scopeOf(number);
    part += `${uidOf(number)},${nameOf(number)},${scope},,${joinedAtOf(number)}\n`;
    if (part.length > 1 << 20) {
      yield part;
      part = '';
    }
  }
  yield part;
}

function words(text) {
  return text.split('|').map((word) => word.trim());
}
