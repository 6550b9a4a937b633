//! The languages the component speaks: which one a request gets, and what is said in it.
//!
//! What is said lives in `locales/{tag}/main.ftl` (Fluent) and is built in. Each language is read
//! once, when it is first needed; what stands in every row is ready from then on.

mod calendar;
mod choose;
mod day;
mod locale;
mod messages;
mod said;

pub use choose::choose;
pub use day::Day;
pub use locale::{Key, Lang, key};
pub use said::{Html, Said};

#[cfg(test)]
mod tests;
