//! The messages of one language, read once. What has no form to choose is ready from then on.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use icu_locale::{Direction, Locale, LocaleDirectionality};
use icu_plurals::{PluralCategory, PluralRules};

use super::calendar::Calendar;
use super::locale::{FILES, IDS, Key, Lang, PSEUDO};

const COUNT: usize = FILES.len() + PSEUDO.len();

static MESSAGES: [OnceLock<Messages>; COUNT] = [const { OnceLock::new() }; COUNT];

/// Stands where something is to be filled in. No text has it: names are without control characters.
const GAP: &str = "\0";
/// What messages are filled with, but for the number that chooses the form.
const NAMES: [&str; 8] = ["name", "by", "group", "search", "date", "time", "count", "number"];

/// Everything that is said in one language.
pub(super) struct Messages {
    pub(super) dir: &'static str,
    pub(super) calendar: Calendar,
    plurals: PluralRules,
    lang: Lang,
    bundle: FluentBundle<FluentResource>,
    ready: Vec<Ready>,
}

/// A message as far as it can be made beforehand.
struct Ready {
    around: (String, String),
    escaped: (String, String),
    /// For a message about a number: each form with its category.
    forms: String,
}

impl Messages {
    pub(super) fn read(lang: Lang) -> Messages {
        let (tag, text) = lang.file();
        let locale: Locale = tag.parse().expect("a folder is named by a language tag");
        let dir = match LocaleDirectionality::new_common().get(&locale.id) {
            Some(Direction::RightToLeft) => "rtl",
            _ => "ltr",
        };
        let mut bundle = FluentBundle::new_concurrent(vec![tag.parse().expect("a folder is named by a language tag")]);
        // Names stand in elements, or between isolates where there are no elements.
        bundle.set_use_isolating(false);
        // What cannot be read is said in American English; a test reads every file strictly.
        let resource = FluentResource::try_new(text.to_owned()).unwrap_or_else(|(resource, _)| resource);
        bundle.add_resource_overriding(resource);
        let plurals = PluralRules::try_new_cardinal((&locale).into()).expect("plurals are built in");
        let samples = samples(&plurals);
        let calendar = Calendar::new(&locale);
        let mut messages = Messages { dir, calendar, plurals, lang, bundle, ready: Vec::new() };
        messages.ready = (0..IDS.len() as u16).map(|number| messages.make_ready(Key(number), &samples)).collect();
        messages
    }

    fn make_ready(&self, key: Key, samples: &BTreeMap<&'static str, usize>) -> Ready {
        let (text, whole) = self.format(key, &NAMES.into_iter().map(|name| (name, FluentValue::from(GAP))).collect());
        let split = |text: &str| match text.split_once(GAP) {
            Some((before, after)) => (before.to_owned(), after.to_owned()),
            None => (text.to_owned(), String::new()),
        };
        let around = split(&text);
        // Not every language has forms to choose from.
        let first = || Lang::EN_US.messages();
        let is_counted = if self.lang == Lang::EN_US { !whole } else { !first().forms(key).is_empty() };
        let forms = samples.iter().filter(|_| is_counted).map(|(category, &number)| {
            let (before, is_said, after) = self.around_number(key, number);
            format!("{category}={before}{}{after}", if is_said { "{n}" } else { "" })
        });
        let forms = forms.collect::<Vec<_>>().join("|");
        Ready { escaped: (escape(&around.0), escape(&around.1)), around, forms }
    }

    pub(super) fn around(&self, key: Key) -> (&str, &str) {
        let (before, after) = &self.ready[usize::from(key.0)].around;
        (before, after)
    }

    pub(super) fn escaped(&self, key: Key) -> (&str, &str) {
        let (before, after) = &self.ready[usize::from(key.0)].escaped;
        (before, after)
    }

    pub(super) fn forms(&self, key: Key) -> &str {
        &self.ready[usize::from(key.0)].forms
    }

    /// What comes before the number, whether it is said at all, and what comes after it.
    pub(super) fn around_number(&self, key: Key, number: usize) -> (String, bool, String) {
        let values = [("n", FluentValue::from(self.category(number))), ("count", GAP.into())];
        let (text, _) = self.format(key, &values.into_iter().collect());
        match text.split_once(GAP) {
            Some((before, after)) => (before.to_owned(), true, after.to_owned()),
            None => (text, false, String::new()),
        }
    }

    /// The plural category that chooses the form. Fluent's own rules are of an older CLDR, which
    /// has no "many" for a million in French, Italian, Portuguese and Spanish; browsers have it.
    pub(super) fn category(&self, number: usize) -> &'static str {
        category(&self.plurals, number)
    }

    /// The message with these values; whether nothing was missing.
    pub(super) fn format(&self, key: Key, values: &FluentArgs<'_>) -> (String, bool) {
        let id = IDS[usize::from(key.0)];
        let Some(pattern) = self.bundle.get_message(id).and_then(|message| message.value()) else {
            return Lang::EN_US.messages().format(key, values);
        };
        let mut problems = Vec::new();
        let text: Cow<'_, str> = self.bundle.format_pattern(pattern, Some(values), &mut problems);
        let text = if self.lang.is_pseudo() { format!("⟦{text}⟧") } else { text.into_owned() };
        (text, problems.is_empty())
    }
}

/// A number for each plural form that the language has for whole numbers.
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

/// For text and for quoted attributes of HTML.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

impl Lang {
    /// `rtl` for what is written from right to left, else `ltr`.
    pub fn dir(self) -> &'static str {
        self.messages().dir
    }

    /// A message without anything to fill in.
    pub fn text(self, key: Key) -> &'static str {
        self.messages().around(key).0
    }

    /// A message with one thing to fill in: what comes before and after it.
    pub fn around(self, key: Key) -> (&'static str, &'static str) {
        self.messages().around(key)
    }

    /// The same, escaped for text and attributes of HTML.
    pub fn escaped(self, key: Key) -> (&'static str, &'static str) {
        self.messages().escaped(key)
    }

    /// The same, with these words in the place of what is to be filled in.
    pub fn filled(self, key: Key, words: &str) -> String {
        let (before, after) = self.around(key);
        [before, words, after].concat()
    }

    /// A message about a number: what comes before it, the number as it is read, and what comes
    /// after it. The number is empty in a form that says it otherwise, such as "no one".
    pub fn counted(self, key: Key, number: usize) -> (String, String, String) {
        let (before, is_said, after) = self.messages().around_number(key, number);
        (before, if is_said { self.number(number) } else { String::new() }, after)
    }

    /// A message about a number, in all its forms, for the script: `one={n} change|other={n} changes`.
    pub fn forms(self, key: Key) -> &'static str {
        self.messages().forms(key)
    }

    /// A number as it is read: `12,400`.
    pub fn number(self, number: usize) -> String {
        self.messages().calendar.number(number)
    }

    /// A moment, in milliseconds since the epoch: `2 May 2024, 14:03 UTC`.
    pub fn moment(self, at: i64) -> String {
        self.messages().calendar.moment(at)
    }

    /// A day of any year, in the middle of which stands the year: what comes before and after it.
    pub(crate) fn day(self, month: i8, day: i8) -> (&'static str, &'static str) {
        self.messages().calendar.day(month, day)
    }

    /// A year, with the digits of the language.
    pub(crate) fn write_year(self, year: i16, text: &mut dyn fmt::Write) -> fmt::Result {
        self.messages().calendar.write_year(year, text)
    }

    pub(super) fn messages(self) -> &'static Messages {
        MESSAGES[usize::from(self.0)].get_or_init(|| Messages::read(self))
    }
}
