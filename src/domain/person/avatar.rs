//! Avatars: which picture is shown, and the initials and hue in its place.

use crate::domain::{is_loopback, without_port};

/// Whether a page may load the picture at this address: by https, out of the address itself, or by http from this machine.
/// The text decides, not what a browser makes of it: it repairs `https:/x` and `https:evil`, each in its own way.
pub fn is_shown(url: &str) -> bool {
    let begins = |start: &str| url.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start));
    begins("https://")
        || begins("data:image/")
        || (begins("http://") && host(&url["http://".len()..]).is_some_and(is_loopback))
}

/// The host that the rest of an address begins with.
fn host(rest: &str) -> Option<&str> {
    without_port(rest.split(['/', '?', '#']).next().unwrap_or_default())
}

/// The initials shown without a picture: the first letters of the first and of the last word. Words without letters
/// and digits do not count. Every row needs them, so the words between are skipped.
pub fn initials(name: &str) -> String {
    let (Some(first), Some(end)) = (name.find(char::is_alphanumeric), name.rfind(char::is_alphanumeric)) else {
        return "?".into();
    };
    let last_word = name[..end].rfind(separates).unwrap_or(0);
    // A separator is neither letter nor digit, so the search may begin at it.
    let last = name[last_word..].find(char::is_alphanumeric).map_or(first, |at| last_word + at);
    let mut letters = String::with_capacity(8);
    push_letter(&mut letters, &name[first..]);
    if last > first {
        push_letter(&mut letters, &name[last..]);
    }
    letters
}

/// Whether a character stands between two words.
fn separates(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | ',' | '.')
}

/// The letter that the text begins with, and the marks that belong to it.
fn push_letter(letters: &mut String, text: &str) {
    let mut chars = text.chars();
    match chars.next() {
        Some(letter) if letter.is_ascii() => letters.push(letter.to_ascii_uppercase()),
        letter => letters.extend(letter.into_iter().flat_map(char::to_uppercase)),
    }
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
    fn pictures_come_by_https_or_as_data_and_by_http_from_this_machine_alone() {
        for shown in [
            "https://a.example/x.png",
            "data:image/png;base64,AAAA",
            "http://localhost/x.png",
            "http://127.0.0.1:8080/x.png",
            "http://[::1]?x",
        ] {
            assert!(is_shown(shown), "{shown}");
        }
        for hidden in [
            "",
            "https:/x",
            "https:evil",
            "https:\\\\evil.example",
            "http:/localhost",
            "http://a.example/x.png",
            "http://localhost.evil.example/",
            "http://localhost@evil.example/",
            "http://127.0.0.1:80@evil.example/",
            "http://127.0.0.1\\@evil.example/",
            "http://evil.example\\.localhost/",
            "http://::1/",
            "//a.example/x.png",
            "data:text/html,x",
            "javascript:alert(1)",
        ] {
            assert!(!is_shown(hidden), "{hidden}");
        }
    }

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
        assert_eq!(initials("e\u{301}mile zola"), "E\u{301}Z");
        assert_eq!(initials("mary-jane 🦀 !watson! …"), "MW");
        assert_eq!(initials("Ada\u{2003}Lindqvist,"), "AL");
        for alone in ["ada", " Ada", "-ada-", "🦀 ada", "Ada …"] {
            assert_eq!(initials(alone), "A", "{alone:?}");
        }
        assert_eq!(initials(""), "?");
    }
}
