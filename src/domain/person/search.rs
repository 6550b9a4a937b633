//! Search terms, and whether they match a person.
//!
//! Not here: the search over the members of a group, whose names are folded once (`roster/bucket.rs`).

use crate::domain::fold;

/// The words of a search text: each must be in the folded name or in the uid, in any order.
///
/// Kept in one canonical form, the longest word first and without words that lie in others, so that
/// two texts that find the same people compare equal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Search(Box<str>);

impl Search {
    /// The words of this text as it was typed. Blanks and invisible characters alone are no search.
    pub fn new(text: &str) -> Search {
        let folded = fold(text);
        let mut words: Vec<&str> = folded.split_whitespace().collect();
        words.sort_unstable_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
        let mut kept: Vec<&str> = Vec::with_capacity(words.len());
        for word in words {
            if !kept.iter().any(|longer| longer.contains(word)) {
                kept.push(word);
            }
        }
        Search(kept.join(" ").into())
    }

    /// Whether everybody is found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words with a space between them, the longest first; empty when everybody is found.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether somebody with this name and uid is found.
    pub fn finds(&self, name: &str, uid: &str) -> bool {
        self.is_empty() || self.finds_folded(&fold(name), &fold(uid))
    }

    /// Like [`Self::finds`], for a name and a uid that are folded already.
    pub fn finds_folded(&self, name: &str, uid: &str) -> bool {
        self.0.split(' ').all(|word| name.contains(word) || uid.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_order_in_the_name_or_the_uid() {
        let finds = |text: &str| Search::new(text).finds("Ana María García", "u-4711");
        for text in ["García Ana", "ana  \t garc", "MARIA ana", "47 gar", "u-4711", " ", ""] {
            assert!(finds(text), "{text:?}");
        }
        for text in ["García Anna", "ana 4712", "anamaria"] {
            assert!(!finds(text), "{text:?}");
        }
    }

    #[test]
    fn what_cannot_be_seen_is_ignored_on_both_sides() {
        for (text, name) in [
            ("Donau\u{ad}dampf", "Donaudampf"),
            ("donaudampf", "Donau\u{ad}dampf"),
            ("a\u{200b}n\u{2060}a", "An\u{fe0f}a"),
            ("نمی\u{200c}دانم", "نمیدانم"),
            ("👩💻", "👩\u{200d}💻"),
            ("\u{202e}ada", "Ada"),
        ] {
            assert!(Search::new(text).finds(name, "u1"), "{text:?} in {name:?}");
        }
        assert!(Search::new("\u{200b}\u{ad} \u{3000}\u{fe0f}").is_empty());
    }

    #[test]
    fn texts_that_find_the_same_people_are_the_same_search() {
        assert_eq!(Search::new("garcía ANA"), Search::new(" Ana\u{a0}García ana "));
        assert_eq!(Search::new("an Ana na"), Search::new("ana"));
    }
}
