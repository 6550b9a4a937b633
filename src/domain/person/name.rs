//! People's names: their form, sort keys and folded forms for searches.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;

use icu_casemap::{CaseMapper, CaseMapperBorrowed};
use icu_collator::{CollatorBorrowed, options::CollatorOptions};
use icu_normalizer::{DecomposingNormalizer, DecomposingNormalizerBorrowed};
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
use icu_properties::{CodePointMapData, CodePointMapDataBorrowed, CodePointSetData, CodePointSetDataBorrowed};

/// Longest name, in characters (the limit of the original component's service).
const MAX: usize = 100;

/// A name is empty, too long, or holds control characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a name has 1 to 100 characters and no control characters")]
pub struct InvalidName;

/// A person's or group's name, kept exactly as it was given; [`shown`] is how people read it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Name(Box<str>);

impl Name {
    /// Accepts 1 to 100 characters, not all of them white space, none of them control characters.
    ///
    /// # Errors
    /// When it is empty, too long, or holds control characters.
    pub fn parse(text: &str) -> Result<Name, InvalidName> {
        let fits = !text.trim().is_empty() && text.chars().count() <= MAX && !text.chars().any(char::is_control);
        if fits { Ok(Name(text.into())) } else { Err(InvalidName) }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Name {
    type Error = InvalidName;

    /// The name in a body, without the white space around it.
    fn try_from(text: String) -> Result<Name, InvalidName> {
        Name::parse(text.trim())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A name as people read it: as it was given, unless that would mislead them. Characters that turn
/// the direction of the text around them (Unicode Standard Annex 9: embeddings, overrides, isolates)
/// or that end a line stand as U+FFFD, and so do those by which a name would look like another (a space without width, a word joiner,
/// an invisible operator, a filler of Hangul or Khmer, a control of shorthand or music, a tag), but not those that names are written
/// with (soft hyphens, joiners, marks of direction, the tags of flags); a name in which nothing is seen is followed by the id.
pub fn shown<'n>(name: &'n str, id: &str) -> Cow<'n, str> {
    if name.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') && name.contains(|c: char| c != ' ') {
        Cow::Borrowed(name)
    } else if !is_seen(name) {
        Cow::Owned(format!("\u{fffd} ({id})"))
    } else if !name.contains(is_misleading) {
        Cow::Borrowed(name)
    } else {
        let replaced = replace_misleading(name);
        if replaced == name { Cow::Borrowed(name) } else { Cow::Owned(replaced) }
    }
}

/// The name with U+FFFD for each misleading character, apart from those of a flag.
fn replace_misleading(name: &str) -> String {
    /// What follows a black flag in those of England, Scotland and Wales, the only emoji that are written with tags (Unicode Technical
    /// Standard 51, RGI_Emoji_Tag_Sequence). After anything else tags are not seen, and after a black flag other tags are not.
    const TAGS_OF_FLAGS: [&str; 3] = [
        "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
        "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
        "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
    ];
    const BLACK_FLAG: char = '\u{1f3f4}';
    let mut shown = String::with_capacity(name.len());
    for (place, part) in name.split(BLACK_FLAG).enumerate() {
        let mut rest = part;
        if place > 0 {
            shown.push(BLACK_FLAG);
            let tags = TAGS_OF_FLAGS.into_iter().find(|tags| part.starts_with(tags)).unwrap_or_default();
            shown.push_str(tags);
            rest = &part[tags.len()..];
        }
        shown.push_str(&rest.replace(is_misleading, "\u{fffd}"));
    }
    shown
}

/// Whether people see anything of a text.
pub fn is_seen(text: &str) -> bool {
    !text.chars().all(is_unseen)
}

fn is_misleading(c: char) -> bool {
    let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let imitates = matches!(c, '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}' | '\u{34f}' | '\u{180e}');
    let fills = matches!(c, '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}' | '\u{ffa0}');
    let formats = matches!(c, '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}');
    // Tags and what is reserved beside them, without the variation selectors that ideographs of names are written with.
    let tags = matches!(c, '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}');
    let is_special = matches!(c, '\u{2028}' | '\u{2029}' | '\u{fff0}'..='\u{fffb}');
    turns || imitates || fills || formats || tags || is_special || c.is_control()
}

/// Blanks, what is there without being seen, a sign of Braille without dots, and marks, which need a letter to stand on.
fn is_unseen(c: char) -> bool {
    c.is_whitespace() || is_misleading(c) || is_ignorable(c) || is_mark(c) || c == '\u{2800}'
}

/// A nonspacing mark (category Mn).
fn is_mark(c: char) -> bool {
    static CATEGORY: CodePointMapDataBorrowed<'static, GeneralCategory> = CodePointMapData::<GeneralCategory>::new();
    CATEGORY.get(c) == GeneralCategory::NonspacingMark
}

/// The form in which names and searches are compared: as [`fold_for_order`], and then each Latin letter that no decomposition
/// reaches as it is typed on keyboards without it (ø as o, æ as ae).
pub fn fold(text: &str) -> String {
    let ordered = fold_for_order(text);
    if ordered.is_ascii() {
        return ordered;
    }
    let mut folded = String::with_capacity(ordered.len());
    for c in ordered.chars() {
        match in_ascii(c) {
            Some(letters) => folded.push_str(letters),
            None => folded.push(c),
        }
    }
    folded
}

/// The ASCII letters for a small Latin letter that has no decomposition, as the transliteration `Latin-ASCII` of Unicode CLDR has them
/// (<https://github.com/unicode-org/cldr/blob/main/common/transforms/Latin-ASCII.xml>).
fn in_ascii(c: char) -> Option<&'static str> {
    Some(match c {
        'æ' => "ae",
        'ƀ' | 'ɓ' => "b",
        'ȼ' => "c",
        'ð' | 'đ' | 'ɖ' | 'ɗ' => "d",
        'ɛ' | 'ɇ' => "e",
        'ƒ' => "f",
        'ǥ' => "g",
        'ħ' => "h",
        'ɨ' => "i",
        'ɉ' => "j",
        'ƙ' => "k",
        'ł' | 'ƚ' => "l",
        'ŋ' => "n",
        'ø' => "o",
        'œ' => "oe",
        'ɍ' => "r",
        'ŧ' => "t",
        'þ' => "th",
        'ƴ' | 'ɏ' => "y",
        'ƶ' => "z",
        _ => return None,
    })
}

/// The form in which names are ordered within a page: compatibility decomposition (NFKD, Unicode
/// Standard Annex 15), full case folding, then without nonspacing marks (category Mn) and without
/// what is not seen (property Default_Ignorable_Code_Point, UAX 44): soft hyphens, joiners, variation
/// selectors, marks of direction. Beyond that, what keyboards write for one another is one: typographic apostrophes and the
/// plain one, the dotless ı and i, hiragana and katakana.
pub fn fold_for_order(text: &str) -> String {
    static NFKD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizer::new_nfkd();
    static CASE: CaseMapperBorrowed<'static> = CaseMapper::new();
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let folded = CASE.fold_string(&NFKD.normalize(text)).into_owned();
    let seen = |&c: &char| !is_mark(c) && !is_ignorable(c);
    folded.chars().filter(seen).map(as_typed).collect()
}

/// The character that stands for all that keyboards write in its place.
fn as_typed(c: char) -> char {
    /// The distance from a hiragana letter to the same katakana letter.
    const TO_KATAKANA: u32 = 0x60;
    match c {
        '\u{2018}' | '\u{2019}' | '\u{2bc}' => '\'',
        'ı' => 'i',
        'ぁ'..='ゖ' => char::from_u32(u32::from(c) + TO_KATAKANA).unwrap_or(c),
        c => c,
    }
}

/// Whether a character is there without being seen.
pub(super) fn is_ignorable(c: char) -> bool {
    static IGNORABLE: CodePointSetDataBorrowed<'static> = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    IGNORABLE.contains(c)
}

/// A key whose bytewise order is the order in which people expect names: the Unicode root
/// collation (Unicode Technical Standard 10, data of CLDR), in printable characters.
///
/// The alphabet is 64 unreserved URL characters in ASCII order, so that keys travel in URLs and
/// attributes as they are and still compare like the bytes they stand for.
pub fn sort_key(name: &str) -> String {
    // By `try_new` the program would hold the collations of all languages: 0.9 MB that nothing reads.
    static COLLATOR: CollatorBorrowed<'static> = CollatorBorrowed::new_root(CollatorOptions::default());
    let mut bytes = Vec::with_capacity(32);
    let Ok(()) = COLLATOR.write_sort_key_to(name, &mut bytes);
    in_order_alphabet(&bytes)
}

/// Six bits a character, highest first; the last character is filled with zeros.
fn in_order_alphabet(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~";
    let mut text = String::with_capacity(bytes.len() * 4 / 3 + 1);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for place in 0..=chunk.len() {
            text.push(char::from(ALPHABET[(bits >> (18 - 6 * place) & 63) as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_found_without_case_accents_or_width() {
        assert_eq!(fold("Zoë Ångström"), "zoe angstrom");
        assert_eq!(fold("STRASSE"), fold("Straße"));
        assert_eq!(fold("ﬁ Ｆｕｌｌ"), "fi full");
        assert_eq!(fold("Θεοδώρα"), "θεοδωρα");
        assert_eq!(fold("İstanbul"), "istanbul");
        assert_eq!(fold("陈伟"), "陈伟");
    }

    #[test]
    fn letters_that_have_no_decomposition_are_found_as_people_type_them() {
        for (name, typed) in [
            ("Sørensen", "sorensen"),
            ("Łucja", "lucja"),
            ("Đức", "duc"),
            ("Ħal Ŧore", "hal tore"),
            ("Æsa Cœur", "aesa coeur"),
            ("Þóra Guðmundsdóttir", "thora gudmundsdottir"),
            ("Ǿ", "o"),
        ] {
            assert_eq!((fold(name), fold(&name.to_uppercase())), (typed.to_owned(), typed.to_owned()));
        }
        assert_eq!(fold_for_order("Sørensen"), "sørensen");
    }

    #[test]
    fn people_expect_accents_beside_their_letters_and_case_last() {
        let mut names = vec!["Zoe", "zoe", "Émile", "Emil", "eva", "Ärla", "Arvid", "Åke", "2nd", "陈", "Ада"];
        names.sort_by_key(|name| sort_key(name));
        assert_eq!(names, ["2nd", "Åke", "Ärla", "Arvid", "Emil", "Émile", "eva", "zoe", "Zoe", "Ада", "陈"]);
    }

    #[test]
    fn a_name_is_short_and_without_control_characters() {
        assert!(Name::parse("O'Brien 🦀").is_ok());
        for bad in ["", "  ", "a\u{0}b", "a\nb", &"x".repeat(101)] {
            assert_eq!(Name::parse(bad), Err(InvalidName), "{bad:?}");
        }
    }

    #[test]
    fn ordinary_names_are_shown_as_they_were_given() {
        for name in [
            "Ada Lindqvist",
            "Zoë  Müller-Ångström",
            "אברהם כהן",
            "محمد علي",
            "نمی\u{200c}دانم",
            "क्\u{200d}ष",
            "👩\u{200d}💻 \u{1f468}\u{1f3fd}",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "Ines 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}🏴",
            "葛\u{e0100}城",
            "❤\u{fe0f}",
            "C\u{200e} (\u{200f}דנה)",
            "Donau\u{ad}dampf",
            "陈伟",
            "?",
        ] {
            assert!(matches!(shown(name, "u1"), Cow::Borrowed(same) if same == name), "{name:?}");
        }
    }

    #[test]
    fn a_name_turns_no_text_around_and_is_never_invisible() {
        assert_eq!(shown("\u{202e}nimdA", "u1"), "\u{fffd}nimdA");
        assert_eq!(shown("Ada\u{2069} Owner", "u1"), "Ada\u{fffd} Owner");
        assert_eq!(shown("Ada\u{2028}Ben", "u1"), "Ada\u{fffd}Ben");
        let fillers = ['\u{115f}', '\u{1160}', '\u{17b4}', '\u{3164}', '\u{ffa0}', '\u{fff0}'];
        let operators = ('\u{2060}'..='\u{2065}').chain('\u{206a}'..='\u{206f}');
        let formats = ('\u{1bca0}'..='\u{1bca3}').chain('\u{1d173}'..='\u{1d17a}');
        let tags = ('\u{e0020}'..='\u{e007f}').chain(['\u{e0000}', '\u{e0001}', '\u{e0fff}']);
        let others = formats.chain(tags).chain(fillers);
        for unseen in operators.chain(['\u{200b}', '\u{feff}', '\u{34f}', '\u{180e}']).chain(others) {
            let imitation = format!("Ben{unseen} Okafor");
            assert_eq!(shown(&imitation, "u1"), "Ben\u{fffd} Okafor", "{imitation:?}");
            assert_eq!(fold(&imitation), "ben okafor", "{imitation:?}");
        }
        for unseen in
            ["\u{200b}", "\u{301}", "\u{3164}", "\u{ad} \u{fe0f}", "\u{2800}\u{a0}", "\u{202e}", "\u{2028}", " "]
        {
            assert_eq!(shown(unseen, "u-7"), "\u{fffd} (u-7)", "{unseen:?}");
        }
    }

    #[test]
    fn tags_that_make_no_flag_are_seen() {
        let england = "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
        assert_eq!(shown("🏴\u{e0041}\u{e007f}", "u1"), "🏴\u{fffd}\u{fffd}");
        assert_eq!(shown(&format!("🏴{england}{england}"), "u1"), format!("🏴{england}{}", "\u{fffd}".repeat(6)));
        assert_eq!(shown(&format!("{england}🏴"), "u1"), format!("{}🏴", "\u{fffd}".repeat(6)));
    }

    proptest! {
        #[test]
        fn the_alphabet_keeps_the_order_of_bytes(a: Vec<u8>, b: Vec<u8>) {
            // A full stop ends every key in use; it is smaller than the whole alphabet.
            let key = |bytes: &[u8]| in_order_alphabet(bytes) + ".";
            let order = key(&a).cmp(&key(&b));
            prop_assert!(order == a.cmp(&b) || (order.is_eq() && a.len() != b.len() && (a.ends_with(&[0]) || b.ends_with(&[0]))));
        }
    }
}
