//! What stands for somebody without a picture: initials and a hue.

/// Letters for somebody without a picture: the first of the first and of the last word.
pub fn initials(name: &str) -> String {
    let mut words = name
        .split(|c: char| c.is_whitespace() || matches!(c, '-' | ',' | '.'))
        .filter(|word| word.chars().any(char::is_alphanumeric));
    let mut letters = String::with_capacity(8);
    for word in [words.next(), words.next_back()].into_iter().flatten() {
        push_letter(&mut letters, word);
    }
    if letters.is_empty() { "?".into() } else { letters }
}

/// The first letter of a word with the marks that belong to it.
fn push_letter(letters: &mut String, word: &str) {
    let mut chars = word.chars().skip_while(|c| !c.is_alphanumeric());
    letters.extend(chars.next().into_iter().flat_map(char::to_uppercase));
    letters.extend(chars.take_while(|c| is_mark(*c)).take(3));
}

/// Combining marks: not alphanumeric by themselves, or dependent vowel signs.
fn is_mark(c: char) -> bool {
    use icu_properties::props::GeneralCategory as Category;
    use icu_properties::{CodePointMapData, CodePointMapDataBorrowed};
    static CATEGORY: CodePointMapDataBorrowed<'static, Category> = CodePointMapData::<Category>::new();
    !c.is_ascii() && matches!(CATEGORY.get(c), Category::NonspacingMark | Category::SpacingMark)
}

/// One of twelve hues, always the same for one uid.
pub fn hue(uid: &str) -> u8 {
    let sum = uid.bytes().fold(2166136261u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16777619));
    (sum % 12) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_are_the_first_letters_of_the_first_and_the_last_word() {
        assert_eq!(initials("Ada Lindqvist"), "AL");
        assert_eq!(initials("amara kovács-featherstonehaugh of the docks"), "AD");
        assert_eq!(initials("陈伟"), "陈");
        assert_eq!(initials("विक्रम शर्मा"), "विश");
        assert_eq!(initials("Θεοδώρα Παπαδάκη"), "ΘΠ");
        assert_eq!(initials("“Zoë”"), "Z");
        assert_eq!(initials("🦀"), "?");
        assert_eq!(initials("ßeta"), "SS");
    }
}
