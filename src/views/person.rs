//! What is drawn of a person: initials, hue, dates.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Letters for somebody without a picture: the first of the first and of the last word.
pub fn initials(name: &str) -> String {
    let mut words = name.split(|c: char| c.is_whitespace() || matches!(c, '-' | ',' | '.')).filter(|word| word.chars().any(char::is_alphanumeric));
    let first = words.next().map(letter).unwrap_or_default();
    let last = words.next_back().map(letter).unwrap_or_default();
    if first.is_empty() { "?".into() } else { first + &last }
}

/// The first letter of a word with the marks that belong to it.
fn letter(word: &str) -> String {
    let mut chars = word.chars().skip_while(|c| !c.is_alphanumeric());
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    first + &chars.take_while(|c| is_mark(*c)).take(3).collect::<String>()
}

/// Combining marks: not alphanumeric by themselves, or dependent vowel signs.
fn is_mark(c: char) -> bool {
    use icu_properties::props::GeneralCategory as Category;
    use icu_properties::{CodePointMapData, CodePointMapDataBorrowed};
    static CATEGORY: CodePointMapDataBorrowed<'static, Category> = CodePointMapData::<Category>::new();
    matches!(CATEGORY.get(c), Category::NonspacingMark | Category::SpacingMark)
}

/// One of twelve hues, always the same for one uid.
pub fn hue(uid: &str) -> u8 {
    let sum = uid.bytes().fold(2166136261u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16777619));
    (sum % 12) as u8
}

/// A day as people read it and as machines do. Dates are absolute: they never go stale.
pub fn date(seconds: i64) -> (String, String) {
    let Ok(time) = Timestamp::from_second(seconds) else { return (String::new(), String::new()) };
    let day = time.to_zoned(TimeZone::UTC).date();
    const MONTHS: [&str; 12] =
        ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
    let month = MONTHS[day.month() as usize - 1];
    (format!("{} {month} {}", day.day(), day.year()), day.to_string())
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

    #[test]
    fn a_date_is_absolute() {
        assert_eq!(date(1_714_608_000), ("2 May 2024".into(), "2024-05-02".into()));
    }
}
