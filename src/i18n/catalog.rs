//! The messages of one language, parsed once. Messages that do not depend on arguments are rendered then.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use icu_locale::{Direction, Locale, LocaleDirectionality};
use icu_plurals::{PluralCategory, PluralRules};

use super::formats::Formats;
use super::locale::{ArgsKey, FILES, IDS, Key, Lang, PSEUDO, PluralKey, TextKey};
use super::safe_html::escape;

const COUNT: usize = FILES.len() + PSEUDO.len();

static CATALOGS: [OnceLock<Catalog>; COUNT] = [const { OnceLock::new() }; COUNT];

/// Marks the place of an argument. It cannot occur in a text: names have no control characters.
const PLACEHOLDER: &str = "\0";

/// The messages and formats of one language.
pub(super) struct Catalog {
    dir: &'static str,
    formats: Formats,
    plurals: PluralRules,
    lang: Lang,
    bundle: FluentBundle<FluentResource>,
    /// Every message, by the number of its key.
    prepared: Vec<PreparedMessage>,
}

/// A message, rendered as far as that is possible without its arguments.
#[derive(Default)]
struct PreparedMessage {
    /// The text before and after its one argument.
    split: (String, String),
    /// The same two parts, escaped for HTML.
    escaped: (String, String),
    /// Every plural form with its category.
    plural_forms: String,
}

impl Catalog {
    fn load(lang: Lang) -> Catalog {
        let (tag, text) = lang.file();
        let locale: Locale = tag.parse().expect("a folder is named by a language tag");
        let dir = match LocaleDirectionality::new_common().get(&locale.id) {
            Some(Direction::RightToLeft) => "rtl",
            _ => "ltr",
        };
        let mut bundle = FluentBundle::new_concurrent(vec![tag.parse().expect("a folder is named by a language tag")]);
        // Fluent's isolating characters are not needed: names get elements, or isolates of our own.
        bundle.set_use_isolating(false);
        // Entries with syntax errors fall back to American English; a test parses every file strictly.
        let resource = FluentResource::try_new(text.to_owned()).unwrap_or_else(|(resource, _)| resource);
        bundle.add_resource_overriding(resource);
        let plurals = PluralRules::try_new_cardinal((&locale).into()).expect("plural rules are built in");
        let formats = Formats::new(&locale);
        let mut catalog = Catalog { dir, formats, plurals, lang, bundle, prepared: Vec::new() };
        let samples = samples(&catalog.plurals);
        catalog.prepared = (0..IDS.len() as u16).map(|number| catalog.prepare(Key(number), &samples)).collect();
        catalog
    }

    fn prepare(&self, key: Key, samples: &BTreeMap<&'static str, usize>) -> PreparedMessage {
        if key.args().contains(&"n") {
            let form = |(category, &number): (&&str, &usize)| {
                let (before, has_number, after) = self.split_at_count(PluralKey(key.0), number);
                format!("{category}={before}{}{after}", if has_number { "{n}" } else { "" })
            };
            let plural_forms = samples.iter().map(form).collect::<Vec<_>>().join("|");
            return PreparedMessage { plural_forms, ..PreparedMessage::default() };
        }
        let args = key.args().iter().map(|&name| (name, FluentValue::from(PLACEHOLDER))).collect();
        let text = self.format(key, &args);
        let (before, after) = text.split_once(PLACEHOLDER).unwrap_or((&text, ""));
        PreparedMessage {
            escaped: (escape(before), escape(after)),
            split: (before.to_owned(), after.to_owned()),
            plural_forms: String::new(),
        }
    }

    fn prepared(&self, key: impl Into<Key>) -> &PreparedMessage {
        &self.prepared[usize::from(key.into().0)]
    }

    /// The text before the number, whether the form contains the number, and the text after it.
    fn split_at_count(&self, key: PluralKey, number: usize) -> (String, bool, String) {
        let args = [("n", FluentValue::from(self.category(number))), ("count", PLACEHOLDER.into())];
        let text = self.format(key.into(), &args.into_iter().collect());
        match text.split_once(PLACEHOLDER) {
            Some((before, after)) => (before.to_owned(), true, after.to_owned()),
            None => (text, false, String::new()),
        }
    }

    /// The name of the plural category of a number, which selects a form.
    pub(super) fn category(&self, number: usize) -> &'static str {
        category(&self.plurals, number)
    }

    /// The message with these arguments, all of which it must be given.
    pub(super) fn format(&self, key: Key, args: &FluentArgs<'_>) -> String {
        debug_assert!(key.args().iter().all(|name| args.get(*name).is_some()), "{} needs {:?}", key.id(), key.args());
        let Some(pattern) = self.bundle.get_message(key.id()).and_then(|message| message.value()) else {
            return Lang::EN_US.catalog().format(key, args);
        };
        let text = self.bundle.format_pattern(pattern, Some(args), &mut Vec::new());
        if self.lang.is_pseudo() { format!("⟦{text}⟧") } else { text.into_owned() }
    }
}

/// One number for each plural category that whole numbers have in the language.
fn samples(rules: &PluralRules) -> BTreeMap<&'static str, usize> {
    let mut samples = BTreeMap::new();
    for number in (0..=120).chain([1_000_000]) {
        samples.entry(category(rules, number)).or_insert(number);
    }
    samples
}

fn category(rules: &PluralRules, number: usize) -> &'static str {
    match rules.category_for(number) {
        PluralCategory::Zero => "zero",
        PluralCategory::One => "one",
        PluralCategory::Two => "two",
        PluralCategory::Few => "few",
        PluralCategory::Many => "many",
        PluralCategory::Other => "other",
    }
}

impl Lang {
    /// `rtl` for scripts written from right to left, else `ltr`.
    pub fn dir(self) -> &'static str {
        self.catalog().dir
    }

    /// A message without arguments.
    pub fn text(self, key: TextKey) -> &'static str {
        &self.catalog().prepared(key).split.0
    }

    /// A message without arguments, escaped for text and attributes of HTML.
    pub fn escaped_text(self, key: TextKey) -> &'static str {
        &self.catalog().prepared(key).escaped.0
    }

    /// A message with one argument: the text before and after it.
    pub fn split_at_arg(self, key: ArgsKey) -> (&'static str, &'static str) {
        let (before, after) = &self.catalog().prepared(key).split;
        (before, after)
    }

    /// Like [`Lang::split_at_arg`], escaped for text and attributes of HTML.
    pub fn escaped_split_at_arg(self, key: ArgsKey) -> (&'static str, &'static str) {
        let (before, after) = &self.catalog().prepared(key).escaped;
        (before, after)
    }

    /// A message with its one argument.
    pub fn format(self, key: ArgsKey, arg: &str) -> String {
        let (before, after) = self.split_at_arg(key);
        [before, arg, after].concat()
    }

    /// A message about a number: the text before it, the formatted number, and the text after it. The number is empty
    /// in a form that has a word for it, such as "no one".
    pub fn format_plural(self, key: PluralKey, number: usize) -> (String, String, String) {
        let (before, has_number, after) = self.catalog().split_at_count(key, number);
        (before, if has_number { self.number(number) } else { String::new() }, after)
    }

    /// Every plural form of a message, for the browser's script: `one={n} change|other={n} changes`.
    pub fn plural_forms(self, key: PluralKey) -> &'static str {
        &self.catalog().prepared(key).plural_forms
    }

    /// A number with the digits and separators of the language: `12,400`.
    pub fn number(self, number: usize) -> String {
        self.catalog().formats.number(number)
    }

    /// A date and time, from Unix milliseconds: `2 May 2024, 14:03 UTC`.
    pub fn date_time(self, milliseconds: i64) -> String {
        self.catalog().formats.date_time(milliseconds)
    }

    /// A date without its year: the text before and after the place of the year.
    pub(super) fn split_at_year(self, month: i8, day: i8) -> (&'static str, &'static str) {
        self.catalog().formats.split_at_year(month, day)
    }

    /// Writes a year with the digits of the language.
    ///
    /// # Errors
    /// When `text` cannot be written to.
    pub(super) fn write_year(self, year: i16, text: &mut dyn fmt::Write) -> fmt::Result {
        self.catalog().formats.write_year(year, text)
    }

    /// The catalogue of the language, loaded at its first use.
    pub(super) fn catalog(self) -> &'static Catalog {
        CATALOGS[usize::from(self.0)].get_or_init(|| Catalog::load(self))
    }
}
