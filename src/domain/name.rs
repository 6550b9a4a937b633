//! How people's names are kept, sorted and found.

use std::fmt;
use std::sync::OnceLock;

use icu_casemap::{CaseMapper, CaseMapperBorrowed};
use icu_collator::{Collator, CollatorBorrowed, options::CollatorOptions};
use icu_normalizer::{DecomposingNormalizer, DecomposingNormalizerBorrowed};
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
use icu_properties::{CodePointMapData, CodePointMapDataBorrowed, CodePointSetData, CodePointSetDataBorrowed};

/// Longest name, in characters (the limit of the original component's service).
const MAX: usize = 100;

/// A name is empty, too long, or holds control characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a name has 1 to 100 characters and no control characters")]
pub struct InvalidName;

/// A person's or group's name, shown exactly as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name(Box<str>);

impl Name {
    /// Accepts 1 to 100 characters, not all of them white space, none of them control characters.
    pub fn parse(text: &str) -> Result<Name, InvalidName> {
        let fits = !text.trim().is_empty() && text.chars().count() <= MAX && !text.chars().any(char::is_control);
        if fits { Ok(Name(text.into())) } else { Err(InvalidName) }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The form in which names and searches are compared: compatibility decomposition (NFKD, Unicode
/// Standard Annex 15), full case folding, then without nonspacing marks (category Mn) and without
/// what is not seen (property Default_Ignorable_Code_Point, UAX 44): soft hyphens, joiners, variation
/// selectors, marks of direction.
pub fn fold(text: &str) -> String {
    static NFKD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizer::new_nfkd();
    static CASE: CaseMapperBorrowed<'static> = CaseMapper::new();
    static CATEGORY: CodePointMapDataBorrowed<'static, GeneralCategory> = CodePointMapData::<GeneralCategory>::new();
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let folded = CASE.fold_string(&NFKD.normalize(text)).into_owned();
    folded.chars().filter(|&c| CATEGORY.get(c) != GeneralCategory::NonspacingMark && !is_ignorable(c)).collect()
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
    static COLLATOR: OnceLock<CollatorBorrowed<'static>> = OnceLock::new();
    let collator = COLLATOR.get_or_init(|| {
        Collator::try_new(Default::default(), CollatorOptions::default()).expect("the root collation is compiled in")
    });
    let mut bytes = Vec::with_capacity(32);
    let Ok(()) = collator.write_sort_key_to(name, &mut bytes);
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
