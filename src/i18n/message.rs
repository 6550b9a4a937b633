//! A message with its arguments, before the language is known.

use fluent_bundle::FluentArgs;

use super::locale::{ArgsKey, Key, Lang, PluralKey, TextKey};
use super::safe_html::{SafeHtml, escape};

/// A message with its arguments, to be formatted in any language.
#[derive(Debug, Clone)]
pub struct Message {
    key: Key,
    args: Vec<(&'static str, Arg)>,
}

#[derive(Debug, Clone)]
enum Arg {
    /// A person's own text. In HTML it gets an element of its own, since its direction may differ from the sentence's.
    Text(String),
    /// A number that chooses the plural form.
    Count(usize),
    /// A number, written as the language writes it.
    Number(usize),
    /// Unix time, in milliseconds.
    Time(i64),
    Message(TextKey),
}

impl From<TextKey> for Message {
    fn from(key: TextKey) -> Message {
        Message { key: key.into(), args: Vec::new() }
    }
}

impl From<ArgsKey> for Message {
    fn from(key: ArgsKey) -> Message {
        Message { key: key.into(), args: Vec::new() }
    }
}

impl Message {
    /// A message about a number.
    pub fn plural(key: PluralKey, number: usize) -> Message {
        Message { key: key.into(), args: vec![("n", Arg::Count(number))] }
    }

    /// Adds a person's own text as the argument `name`.
    pub fn with(self, name: &'static str, text: impl Into<String>) -> Message {
        self.arg(name, Arg::Text(text.into()))
    }

    /// Adds a number as the argument `name`.
    pub fn number(self, name: &'static str, number: usize) -> Message {
        self.arg(name, Arg::Number(number))
    }

    /// Adds the argument `time`, in Unix milliseconds.
    pub fn at(self, milliseconds: i64) -> Message {
        self.arg("time", Arg::Time(milliseconds))
    }

    /// Adds another message as the argument `name`.
    pub fn message(self, name: &'static str, key: TextKey) -> Message {
        self.arg(name, Arg::Message(key))
    }

    fn arg(mut self, name: &'static str, arg: Arg) -> Message {
        self.args.push((name, arg));
        self
    }

    /// The message as plain text.
    pub fn text(&self, lang: Lang) -> String {
        self.format(lang, |_, text| text.to_owned())
    }

    /// The message as HTML.
    pub fn html(&self, lang: Lang) -> SafeHtml {
        // Private-use characters hold the places of people's texts while the sentence is escaped.
        let escaped = escape(&self.format(lang, |number, _| placeholder(number).to_string()));
        let mut html = String::with_capacity(escaped.len() + 64);
        for c in escaped.chars() {
            match self.args.iter().enumerate().find(|(number, _)| placeholder(*number) == c) {
                Some((_, (_, Arg::Text(text)))) => html.extend(["<bdi>", &escape(text), "</bdi>"]),
                _ => html.push(c),
            }
        }
        SafeHtml::new(html)
    }

    /// The message with each person's text as `written` gives it, by its number among the arguments.
    fn format(&self, lang: Lang, written: impl Fn(usize, &str) -> String) -> String {
        let mut args = FluentArgs::new();
        for (number, (name, arg)) in self.args.iter().enumerate() {
            match arg {
                Arg::Text(text) => args.set(*name, written(number, text)),
                Arg::Number(number) => args.set(*name, lang.number(*number)),
                Arg::Message(key) => args.set(*name, lang.text(*key)),
                Arg::Time(milliseconds) => args.set(*name, lang.date_time(*milliseconds)),
                Arg::Count(count) => {
                    args.set("n", lang.catalog().category(*count));
                    args.set("count", lang.number(*count));
                }
            }
        }
        lang.catalog().format(self.key, &args)
    }
}

/// The character that holds the place of the argument of this number.
fn placeholder(number: usize) -> char {
    char::from_u32(0xE000 + number as u32).expect("there are 6400 private-use characters")
}
