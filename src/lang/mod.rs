//! The languages the component speaks: which one a request gets, and what is said in it.
//!
//! What is said lives in `locales/{tag}/main.ftl` (Fluent) and is built in. Each language is read
//! once, when it is first needed; what stands in every row is ready from then on.

mod calendar;
mod choose;
mod messages;
mod said;

use std::fmt;
use std::sync::OnceLock;

pub use choose::choose;
use messages::Messages;
pub use said::{Html, Said};

include!(concat!(env!("OUT_DIR"), "/locales.rs"));

/// Every message wrapped in ⟦ and ⟧, for tests that nothing is said otherwise.
#[cfg(debug_assertions)]
const PSEUDO: &[(&str, &str)] = &[("en-XA", FILES[0].1)];
#[cfg(not(debug_assertions))]
const PSEUDO: &[(&str, &str)] = &[];

const COUNT: usize = FILES.len() + PSEUDO.len();

static MESSAGES: [OnceLock<Messages>; COUNT] = [const { OnceLock::new() }; COUNT];

/// A message, in no language yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key(u16);

/// A language that the component speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lang(u8);

impl Lang {
    /// American English: spoken when nothing else is asked for.
    pub const EN_US: Lang = Lang(0);

    /// Every language.
    pub fn all() -> impl Iterator<Item = Lang> {
        (0..FILES.len() as u8).map(Lang)
    }

    /// Its BCP 47 tag.
    pub fn tag(self) -> &'static str {
        self.file().0
    }

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

    fn messages(self) -> &'static Messages {
        MESSAGES[usize::from(self.0)].get_or_init(|| Messages::read(self))
    }

    fn file(self) -> (&'static str, &'static str) {
        let number = usize::from(self.0);
        FILES.get(number).copied().unwrap_or_else(|| PSEUDO[number - FILES.len()])
    }

    fn is_pseudo(self) -> bool {
        usize::from(self.0) >= FILES.len()
    }
}

#[cfg(test)]
mod tests;
