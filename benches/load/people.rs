//! People to measure with: names in several scripts, always the same ones.

/// Some of the names end with this; one in [`RARE_EVERY`].
pub const RARE: &str = "ツキノワグマ";
/// How rare rare names are.
pub const RARE_EVERY: usize = 50_000;

const FIRST: [&str; 40] = [
    "Ada",
    "Ben",
    "María",
    "Zoë",
    "Émile",
    "Amara",
    "Joan",
    "Jo",
    "Søren",
    "Łukasz",
    "İpek",
    "Anna",
    "Hans",
    "Olga",
    "Nadia",
    "Tomás",
    "Yusuf",
    "Ingrid",
    "Marianne",
    "Sean",
    "Θεοδώρα",
    "Νίκος",
    "Ольга",
    "Иван",
    "Анна",
    "विक्रम",
    "अनन्या",
    "אברהם",
    "שרה",
    "محمد",
    "فاطمة",
    "陈",
    "李",
    "王",
    "さくら",
    "はると",
    "민준",
    "서연",
    "Nguyễn",
    "Kwame",
];
const LAST: [&str; 45] = [
    "Lindqvist",
    "Kovács",
    "Müller",
    "Okafor",
    "Andersen",
    "Maria",
    "O'Brien",
    "Smith",
    "Jones",
    "Hansen",
    "Garcia",
    "Martínez",
    "Rossi",
    "Dubois",
    "Nowak",
    "Yılmaz",
    "Anand",
    "Banerjee",
    "Featherstonehaugh",
    "de la Cruz",
    "van den Berg",
    "Παπαδάκη",
    "Αντωνίου",
    "Иванова",
    "Смирнов",
    "Петров",
    "शर्मा",
    "गुप्ता",
    "כהן",
    "לוי",
    "الحسن",
    "المصري",
    "伟",
    "娜",
    "小明",
    "佐藤",
    "鈴木",
    "김",
    "박",
    "Trần",
    "Mensah",
    "Diallo",
    "Haddad",
    "Silva",
    "Johansson",
];

/// A name; the same for the same number.
pub fn name(number: usize) -> String {
    let mixed = mix(number as u64);
    let first = FIRST[mixed as usize % FIRST.len()];
    let last = LAST[(mixed >> 20) as usize % LAST.len()];
    if number % RARE_EVERY == 1 { format!("{first} {last} {RARE}") } else { format!("{first} {last}") }
}

/// A uid; another for every number.
pub fn uid(number: usize) -> String {
    format!("u{number:07}")
}

/// Since when they are a member, Unix seconds.
pub fn joined_at(number: usize) -> i64 {
    1_600_000_000 + (mix(number as u64) % 150_000_000) as i64
}

/// Needles by kind: name of the kind, and one of one, two and five characters.
pub const NEEDLES: [(&str, [&str; 3]); 3] =
    [("common", ["a", "an", "maria"]), ("rare", ["マ", "クマ", "ノワクマ"]), ("absent", ["龘", "qz", "nanan"])];

/// Spreads a number over 64 bits (SplitMix64, public domain, Sebastiano Vigna).
pub fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
