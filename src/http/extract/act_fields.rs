//! The fields of acts, parsed: whom, which scope, the terms of a ban.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::domain::{BanTerms, Scope, Uid};
use crate::http::problem::Problem;

/// Longest reason, and longest message to a person, in characters.
const MAX_WORDS: usize = 512;
/// Longest ban with an end, in milliseconds: a hundred years.
const MAX_BAN: i64 = 100 * 366 * 24 * 3600 * 1000;

/// A uid, or the sentence about it.
pub(crate) fn uid(value: &str) -> Result<Uid, Problem> {
    value.parse().map_err(|error| Problem::invalid(format!("uid: {error}")))
}

/// The scope somebody is to have.
pub(crate) fn scope(fields: &HashMap<String, String>) -> Result<Scope, Problem> {
    let scope = fields.get("scope").and_then(|word| word.parse().ok()).filter(|&scope| scope != Scope::Owner);
    scope.ok_or_else(|| Problem::invalid("scope: one of admin, moderator, participant"))
}

/// The terms of a ban; `now` in milliseconds since the epoch.
pub(crate) fn terms(fields: &HashMap<String, String>, now: i64) -> Result<BanTerms, Problem> {
    Ok(BanTerms {
        reason: words(fields, "reason")?,
        message: message(fields)?,
        until: until(fields.get("until"), now)?,
    })
}

/// What the person is told.
pub(crate) fn message(fields: &HashMap<String, String>) -> Result<Option<String>, Problem> {
    words(fields, "message")
}

/// The words of a field: for the team, or for the person.
fn words(fields: &HashMap<String, String>, name: &str) -> Result<Option<String>, Problem> {
    let Some(words) = fields.get(name).map(|words| words.trim()).filter(|words| !words.is_empty()) else {
        return Ok(None);
    };
    let odd = |c: char| (c.is_control() && !c.is_whitespace()) || c == '\u{fffd}';
    if words.chars().count() > MAX_WORDS || words.contains(odd) {
        return Err(Problem::invalid(format!("{name}: at most {MAX_WORDS} characters of text")));
    }
    Ok(Some(words.to_owned()))
}

/// RFC 3339, or seconds from now; empty or missing means until lifted.
fn until(value: Option<&String>, now: i64) -> Result<Option<i64>, Problem> {
    let Some(value) = value.map(|value| value.trim()).filter(|value| !value.is_empty()) else { return Ok(None) };
    let moment = match value.parse::<i64>() {
        Ok(seconds) => seconds.checked_mul(1000).and_then(|ms| now.checked_add(ms)),
        Err(_) => value.parse::<Timestamp>().ok().map(|time| time.as_millisecond()),
    };
    let allowed = moment.filter(|&moment| moment > now && moment - now <= MAX_BAN);
    allowed.map(Some).ok_or_else(|| {
        Problem::invalid("until: a moment to come, as RFC 3339 (2027-01-31T12:00:00Z) or in seconds from now")
    })
}
