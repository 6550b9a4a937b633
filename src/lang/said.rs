//! A message with what goes into it, before it is known in which language it is said.

use std::fmt;

use fluent_bundle::FluentArgs;

use super::locale::{Key, Lang};
use super::messages::escape;

/// A message with what goes into it.
#[derive(Debug, Clone)]
pub struct Said {
    key: Key,
    values: Vec<(&'static str, Value)>,
}

#[derive(Debug, Clone)]
enum Value {
    /// What a person wrote: set apart from the sentence, whose direction may be another.
    Text(String),
    /// A number that chooses the form of the message.
    Count(usize),
    /// Milliseconds since the epoch.
    Moment(i64),
    Message(Key),
}

impl From<Key> for Said {
    fn from(key: Key) -> Said {
        Said { key, values: Vec::new() }
    }
}

impl Said {
    /// With a text that a person wrote.
    pub fn with(self, name: &'static str, text: impl Into<String>) -> Said {
        self.and(name, Value::Text(text.into()))
    }

    /// With a number.
    pub fn count(self, number: usize) -> Said {
        self.and("n", Value::Count(number))
    }

    /// With a moment, in milliseconds since the epoch.
    pub fn at(self, moment: i64) -> Said {
        self.and("time", Value::Moment(moment))
    }

    /// With another message.
    pub fn message(self, name: &'static str, key: Key) -> Said {
        self.and(name, Value::Message(key))
    }

    fn and(mut self, name: &'static str, value: Value) -> Said {
        self.values.push((name, value));
        self
    }

    /// In this language, as plain text.
    pub fn text(&self, lang: Lang) -> String {
        self.format(lang, |_, text| text.to_owned())
    }

    /// In this language, as HTML: what people wrote stands in elements of its own.
    pub fn html(&self, lang: Lang) -> Html {
        // Private characters hold the places until everything else is escaped.
        let escaped = escape(&self.format(lang, |number, _| place(number).to_string()));
        let mut html = String::with_capacity(escaped.len() + 64);
        for c in escaped.chars() {
            match self.values.iter().enumerate().find(|(number, _)| place(*number) == c) {
                Some((_, (_, Value::Text(text)))) => html.extend(["<bdi>", &escape(text), "</bdi>"]),
                _ => html.push(c),
            }
        }
        Html(html)
    }

    fn format(&self, lang: Lang, written: impl Fn(usize, &str) -> String) -> String {
        let mut values = FluentArgs::new();
        for (number, (name, value)) in self.values.iter().enumerate() {
            match value {
                Value::Text(text) => values.set(*name, written(number, text)),
                Value::Message(key) => values.set(*name, lang.text(*key)),
                Value::Moment(at) => values.set(*name, lang.moment(*at)),
                Value::Count(count) => {
                    values.set("n", lang.messages().category(*count));
                    values.set("count", lang.number(*count));
                }
            }
        }
        lang.messages().format(self.key, &values).0
    }
}

/// The character in the place of the value of this number.
fn place(number: usize) -> char {
    char::from_u32(0xE000 + number as u32).expect("there are 6400 private characters")
}

/// Text that is HTML already.
pub struct Html(String);

impl Html {
    /// Several, one after the other.
    pub fn join(parts: impl IntoIterator<Item = Html>) -> Html {
        Html(parts.into_iter().map(|part| part.0).collect::<Vec<_>>().join(" "))
    }

    /// Plain text.
    pub fn of(text: &str) -> Html {
        Html(escape(text))
    }
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl askama::FastWritable for Html {
    fn write_into(&self, text: &mut dyn fmt::Write, _: &dyn askama::Values) -> askama::Result<()> {
        Ok(text.write_str(&self.0)?)
    }
}

impl askama::filters::HtmlSafe for Html {}
