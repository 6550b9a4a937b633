//! Internationalisation: messages, dates and numbers in every language, and the choice of the language of a request.
//!
//! Text lives in `locales/{tag}/main.ftl` (Fluent) and is embedded at build time. A catalogue is parsed at its first
//! use, and texts without arguments are rendered then.
//!
//! `locale` and `catalog` hold the texts, `message` and `safe_html` are texts on the way, `negotiate` chooses the language. Dates and numbers
//! are written by CLDR (`day`, `formats`), not by the locale files.
//!
//! Not here: which message a situation calls for (`views`, `http`), and text for operators (logs, the command line),
//! which is English.

mod catalog;
mod day;
mod formats;
mod locale;
mod message;
mod negotiate;
mod safe_html;

pub use day::Day;
pub use locale::{ArgsKey, Lang, PluralKey, TextKey, key};
pub use message::Message;
pub use negotiate::negotiate;
pub use safe_html::{SafeHtml, escape};

#[cfg(test)]
mod tests;
