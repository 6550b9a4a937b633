use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fluent_syntax::ast;
use fluent_syntax::parser::parse;
use icu_locale::Locale;
use icu_plurals::PluralRules;

use super::locale::{IDS, Key};
use super::*;

/// Every supported language.
const PROMISED: [&str; 21] = [
    "en-US", "en-GB", "de", "es", "fr", "hi", "hu", "it", "ja", "ko", "lt", "ms", "nl", "pt", "ru", "sv", "tr", "zh",
    "zh-TW", "ar", "he",
];

fn lang(tag: &str) -> Lang {
    Lang::all().find(|lang| lang.tag() == tag).unwrap_or_else(|| panic!("locales/{tag} is missing"))
}

/// The messages of a file with their arguments, parsed strictly.
fn messages(lang: Lang) -> BTreeMap<String, BTreeSet<String>> {
    let (tag, text) = lang.file();
    let resource = parse(text).unwrap_or_else(|(_, errors)| panic!("{tag}: {errors:?}"));
    let mut messages = BTreeMap::new();
    for entry in resource.body {
        let ast::Entry::Message(message) = entry else { continue };
        let pattern = message.value.unwrap_or_else(|| panic!("{tag}: {} says nothing", message.id.name));
        let mut filled = BTreeSet::new();
        collect(&pattern, &mut filled);
        assert!(messages.insert(message.id.name.to_owned(), filled).is_none(), "{tag}: {} twice", message.id.name);
    }
    messages
}

fn collect(pattern: &ast::Pattern<&str>, filled: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        let ast::PatternElement::Placeable { expression } = element else { continue };
        match expression {
            ast::Expression::Inline(ast::InlineExpression::VariableReference { id }) => {
                filled.insert(id.name.to_owned());
            }
            ast::Expression::Inline(other) => panic!("only values are filled in: {other:?}"),
            ast::Expression::Select { selector, variants } => {
                let ast::InlineExpression::VariableReference { id } = selector else { panic!("{selector:?}") };
                filled.insert(id.name.to_owned());
                for variant in variants {
                    collect(&variant.value, filled);
                }
            }
        }
    }
}

#[test]
fn every_language_that_is_promised_is_there() {
    let there: BTreeSet<_> = Lang::all().map(Lang::tag).collect();
    assert_eq!(there, BTreeSet::from(PROMISED));
}

#[test]
fn every_translation_has_a_glossary_with_the_words_for_the_roles() {
    for tag in PROMISED.into_iter().filter(|tag| *tag != "en-US") {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("locales").join(tag).join("GLOSSARY.md");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{tag}: {error}"));
        let rows = text.lines().filter_map(|line| line.strip_prefix("| "));
        let rows: Vec<Vec<_>> = rows.map(|row| row.split(" | ").collect()).collect();
        for word in ["member", "owner", "admin", "moderator", "role", "kick", "ban"] {
            // The term of a row may be "remove (kick)", or "ban, unban".
            let is_about = |row: &&Vec<&str>| row[0].split(|sign: char| !sign.is_alphabetic()).any(|term| term == word);
            let row = rows.iter().find(is_about).unwrap_or_else(|| panic!("{tag}: nothing about {word}"));
            assert!(row.len() == 4 && row[2] != "–", "{tag}: what others say for {word} was not looked up");
        }
    }
}

/// "Scope" is the word for programs.
#[test]
fn in_english_people_read_of_roles_and_not_of_scopes() {
    for tag in ["en-US", "en-GB"] {
        for line in lang(tag).file().1.lines().filter(|line| !line.starts_with('#')) {
            let said = line.split_once(" = ").map_or(line, |(_, said)| said);
            assert!(!said.to_lowercase().contains("scope"), "{tag}: {line}");
        }
    }
}

#[test]
fn every_language_says_the_same_messages_with_the_same_in_them() {
    let mut first = messages(Lang::EN_US);
    assert_eq!(first.keys().map(String::as_str).collect::<BTreeSet<_>>(), BTreeSet::from(IDS));
    for lang in Lang::all() {
        let mut theirs = messages(lang);
        // Some have no forms that the number could choose.
        for filled in first.values_mut().chain(theirs.values_mut()) {
            filled.remove("n");
        }
        for (id, filled) in &first {
            assert_eq!(theirs.get(id), Some(filled), "{}: {id}", lang.tag());
        }
        let extra: Vec<_> = theirs.keys().filter(|id| !first.contains_key(*id)).collect();
        assert!(extra.is_empty(), "{}: {extra:?}", lang.tag());
    }
}

/// The script splits the list at these characters.
#[test]
fn no_form_of_a_word_breaks_the_list_of_forms() {
    for lang in Lang::all() {
        for key in Key::plurals() {
            let forms = lang.plural_forms(key);
            for form in forms.split('|').filter(|form| !form.is_empty()) {
                assert_eq!(form.matches('=').count(), 1, "{}: {form}", lang.tag());
            }
            assert!(forms.contains("{n}"), "{}: {forms}", lang.tag());
        }
    }
}

/// A missing form would silently fall back to `other`, and a surplus one would never be used.
#[test]
fn every_counted_message_has_the_plural_forms_that_cldr_gives_its_language() {
    for lang in Lang::all() {
        let rules = PluralRules::try_new_cardinal((&lang.tag().parse::<Locale>().unwrap()).into()).unwrap();
        let expected: BTreeSet<_> = rules.categories().map(|category| format!("{category:?}").to_lowercase()).collect();
        for id in Key::plurals().map(|key| Key::from(key).id()) {
            let forms = variants(lang, id);
            // A language with one form needs no selector.
            assert!(forms == expected || (forms.is_empty() && expected.len() == 1), "{}: {id} {forms:?}", lang.tag());
        }
    }
}

/// The plural categories that a message has variants for.
fn variants(lang: Lang, id: &str) -> BTreeSet<String> {
    let resource = parse(lang.file().1).unwrap();
    let message = resource.body.iter().find_map(|entry| match entry {
        ast::Entry::Message(message) if message.id.name == id => message.value.as_ref(),
        _ => None,
    });
    let keys = message.unwrap().elements.iter().flat_map(|element| match element {
        ast::PatternElement::Placeable { expression: ast::Expression::Select { variants, .. } } => &variants[..],
        _ => &[],
    });
    keys.map(|variant| match variant.key {
        ast::VariantKey::Identifier { name } => name.to_owned(),
        ast::VariantKey::NumberLiteral { value } => value.to_owned(),
    })
    .collect()
}

#[test]
fn a_million_takes_the_form_that_cldr_gives_it() {
    let members = |tag: &str, number| {
        let (before, number, after) = lang(tag).format_plural(key::GROUP_MEMBERS, number);
        [before, number, after].concat()
    };
    assert_eq!(members("fr", 999_999), "999\u{202f}999 membres");
    assert_eq!(members("fr", 1_000_000), "1\u{202f}000\u{202f}000 de membres");
    assert_eq!(members("es", 2_000_000), "2.000.000 de miembros");
    assert_eq!(members("lt", 1_000_000), "1\u{a0}000\u{a0}000 narių");
}

/// A form may omit its number only when it applies to one number.
#[test]
fn no_two_numbers_are_said_alike() {
    for lang in Lang::all() {
        for key in Key::plurals() {
            let texts: BTreeSet<_> = (0..=120).map(|number| lang.format_plural(key, number)).collect();
            assert_eq!(texts.len(), 121, "{}: {}", lang.tag(), lang.plural_forms(key));
        }
    }
}

#[test]
fn every_message_is_said_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = String::new();
    for folder in ["src", "templates"] {
        read_all(&root.join(folder), &mut sources);
    }
    let named = |id: &str| format!("key::{}", id.to_uppercase().replace('-', "_"));
    let words: BTreeSet<_> = sources.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').collect();
    let silent: Vec<_> = IDS.into_iter().filter(|id| !words.contains(named(id).as_str())).collect();
    assert!(silent.is_empty(), "nobody says {silent:?}");
}

fn read_all(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_all(&path, text);
        } else if !path.ends_with("tests.rs") {
            *text += &std::fs::read_to_string(&path).unwrap_or_default();
        }
    }
}

#[test]
fn a_tag_finds_the_nearest_language() {
    let near = |tag: &str| negotiate(Some(tag), None).tag();
    for (tag, ours) in [
        ("en", "en-US"),
        ("en-us", "en-US"),
        ("en-PH", "en-US"),
        ("tlh", "en-US"),
        ("not a tag", "en-US"),
        ("", "en-US"),
    ] {
        assert_eq!(near(tag), ours, "{tag}");
    }
}

/// Depends on the set of all languages.
#[test]
fn a_tag_finds_the_nearest_of_all_languages() {
    let near = |tag: &str| negotiate(Some(tag), None).tag();
    for (tag, ours) in [
        ("en-AU", "en-GB"),
        ("en-001", "en-GB"),
        ("pt-BR", "pt"),
        ("pt-PT", "pt"),
        ("zh-Hant", "zh-TW"),
        ("zh-HK", "zh-TW"),
        ("zh-CN", "zh"),
        ("zh-Hans-TW", "zh"),
        ("sv-SE", "sv"),
        ("sv-FI-u-ca-buddhist", "sv"),
        ("iw", "he"),
        ("ar-EG", "ar"),
        ("es-419", "es"),
    ] {
        assert_eq!(near(tag), ours, "{tag}");
    }
}

#[test]
fn what_is_asked_for_wins_over_what_is_accepted_and_weights_count() {
    let chosen = |asked, accepted| negotiate(asked, accepted).tag();
    assert_eq!(chosen(Some("en-US"), Some("de")), "en-US");
    assert_eq!(chosen(Some("tlh"), Some("tlh, sv;q=0.3, de;q=0.8")), "de");
    assert_eq!(chosen(None, Some("de;q=0.5, sv-SE, *;q=0.1")), "sv");
    assert_eq!(chosen(None, Some("de;q=0, sv;q=0.1")), "sv");
    assert_eq!(chosen(None, Some("*")), "en-US");
    assert_eq!(chosen(None, Some(";;q=x,,")), "en-US");
}

#[test]
fn russian_and_arabic_have_their_forms() {
    let changes = |tag: &str, number| {
        let (before, number, after) = lang(tag).format_plural(key::HELD_CHANGES, number);
        [before, number, after].concat()
    };
    let different = |tag: &str, numbers: &[usize]| {
        let texts = numbers.iter().map(|&number| changes(tag, number).replace(&number.to_string(), "#"));
        texts.collect::<BTreeSet<_>>().len()
    };
    assert_eq!(different("ru", &[1, 2, 5]), 3);
    assert_eq!(different("ru", &[1, 21, 101]), 1);
    assert!(different("ar", &[1, 3, 11]) > 1);
    let categories = |tag: &str| lang(tag).plural_forms(key::HELD_CHANGES).split('|').count();
    assert_eq!((categories("en-US"), categories("ja"), categories("ru"), categories("ar")), (2, 1, 3, 6));
}

#[test]
fn dates_and_numbers_follow_the_language() {
    let at = 1_714_655_000_000;
    let written = |tag: &str| {
        let lang = lang(tag);
        let (before, after) = lang.split_at_year(5, 2);
        let mut year = String::new();
        lang.write_year(2024, &mut year).unwrap();
        (format!("{before}{year}{after}"), lang.number(12_400), lang.date_time(at))
    };
    let all = |date: &str, number: &str, moment: &str| (date.to_owned(), number.to_owned(), moment.to_owned());
    assert_eq!(written("en-US"), all("May 2, 2024", "12,400", "May 2, 2024, 1:03\u{202f}PM UTC"));
    assert_eq!(written("de"), all("02.05.2024", "12.400", "02.05.2024, 13:03 UTC"));
    assert_eq!(written("en-GB"), all("2 May 2024", "12,400", "2 May 2024, 13:03 UTC"));
    assert_eq!(written("sv"), all("2 maj 2024", "12\u{a0}400", "2 maj 2024 13:03 UTC"));
    assert_eq!(written("ja").0, "2024/05/02");
    assert_eq!(written("ar"), all("02\u{200f}/05\u{200f}/2024", "12,400", "02\u{200f}/05\u{200f}/2024، 1:03 م UTC"));
}

#[test]
fn arabic_and_hebrew_go_from_right_to_left() {
    let rtl: Vec<_> = Lang::all().filter(|lang| lang.dir() == "rtl").map(Lang::tag).collect();
    assert_eq!(rtl, ["ar", "he"]);
}

#[test]
fn a_year_has_as_many_digits_as_it_has() {
    let year = |year| {
        let mut text = String::new();
        Lang::EN_US.write_year(year, &mut text).unwrap();
        text
    };
    assert_eq!([0, 7, 70, 999, 1970, 2024].map(year), ["0", "7", "70", "999", "1970", "2024"]);
}

#[test]
fn what_people_wrote_stands_in_elements_of_its_own() {
    let message = Message::from(key::CHANGED_KICKED).with("name", "<b>\u{e001}").with("by", "A & B").at(0);
    assert_eq!(message.text(Lang::EN_US), "A & B removed <b>\u{e001} (Jan 1, 1970, 12:00\u{202f}AM UTC).");
    assert_eq!(
        message.html(Lang::EN_US).to_string(),
        "<bdi>A &amp; B</bdi> removed <bdi>&lt;b&gt;\u{e001}</bdi> (Jan 1, 1970, 12:00\u{202f}AM UTC)."
    );
}
