//! Readers of single values. Each fails with a phrase that says which values are allowed.

use jiff::Timestamp;

use super::choice::Words;
use crate::domain::{Scope, parse_moment, parse_whole};
use crate::roster::Scopes;

/// Most rows of a page.
const MAX_LIMIT: usize = 100;
/// Most characters of a title or a placeholder.
const MAX_TEXT: usize = 200;

/// A value, or what is allowed instead.
type Parsed<T> = Result<T, String>;

pub(super) fn text(value: &str, most: usize) -> Parsed<String> {
    if value.chars().count() > most { Err(format!("at most {most} characters")) } else { Ok(value.to_owned()) }
}

pub(super) fn short_text(value: &str) -> Parsed<Option<String>> {
    text(value, MAX_TEXT).map(non_empty)
}

pub(super) fn flag(value: &str) -> Parsed<bool> {
    one_of(value, &[("true", true), ("1", true), ("false", false), ("0", false), ("", false)])
}

pub(super) fn one_of<T: Copy>(value: &str, words: Words<T>) -> Parsed<T> {
    let allowed = || words.iter().map(|(word, _)| *word).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ");
    let found = words.iter().find(|(word, _)| *word == value);
    found.map(|&(_, value)| value).ok_or_else(|| format!("one of {}", allowed()))
}

pub(super) fn scopes(value: &str) -> Parsed<Option<Scopes>> {
    if value.is_empty() {
        return Ok(None);
    }
    let scopes = value.split(',').map(|word| word.trim().parse::<Scope>()).collect::<Result<Scopes, ()>>();
    scopes.map(Some).map_err(|()| "a comma-separated list of owner, admin, moderator, participant".into())
}

pub(super) fn limit(value: &str) -> Parsed<Option<usize>> {
    if value.is_empty() {
        return Ok(None);
    }
    let limit = value.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit));
    limit.map(Some).ok_or_else(|| format!("a number from 1 to {MAX_LIMIT}"))
}

/// A moment in Unix seconds; `now` is in milliseconds. Members' times of joining are whole seconds, so is this.
pub(super) fn since(value: &str, now: i64) -> Parsed<Option<i64>> {
    if value.is_empty() {
        return Ok(None);
    }
    let moment = match seconds_ago(value) {
        Some(seconds) => Some(now.div_euclid(1000) - i64::from(seconds)),
        None => parse_moment(value).map(|moment| moment.div_euclid(1000)),
    };
    let allowed = moment.filter(|&second| Timestamp::from_second(second).is_ok());
    allowed.map(Some).ok_or_else(|| "a time in RFC 3339, or a number of seconds ago up to 4294967295".into())
}

/// The number of seconds, if the value is one.
pub(super) fn seconds_ago(value: &str) -> Option<u32> {
    parse_whole(value).and_then(|seconds| u32::try_from(seconds).ok())
}

pub(super) fn language(value: &str) -> Parsed<Option<String>> {
    let fits = value.len() <= 35 && value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if fits { Ok(non_empty(value.to_owned())) } else { Err("a language tag such as en or pt-BR".into()) }
}

pub(super) fn instance(value: &str) -> Parsed<Option<String>> {
    let fits = value.len() <= 8 && value.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    if fits { Ok(non_empty(value.to_owned())) } else { Err("1 to 8 characters out of a-z and 0-9".into()) }
}

fn non_empty(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}
