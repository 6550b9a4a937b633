//! The fields of acts, parsed: whom, which scope, the terms of a ban or of a mute.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::domain::{MAX_BAN, MAX_MUTE, MAX_NOTE, MAX_SCOPE, NewScope, Scope, Terms, Uid};
use crate::http::problem::Problem;

/// Longest reason, and longest message to a person, in characters.
const MAX_WORDS: usize = 512;
const DAY: i64 = 24 * 3600 * 1000;

/// A uid, or the sentence about it.
pub(crate) fn uid(value: &str) -> Result<Uid, Problem> {
    value.parse().map_err(|error| {
        let shown: String = value.chars().take(40).flat_map(char::escape_debug).collect();
        Problem::invalid(format!("uid: {error}: \"{shown}\""))
    })
}

/// The scope somebody is to have.
fn scope(fields: &HashMap<String, String>) -> Result<Scope, Problem> {
    let scope = fields.get("scope").and_then(|word| word.parse().ok()).filter(|&scope| scope != Scope::Owner);
    scope.ok_or_else(|| Problem::invalid("scope: one of admin, moderator, participant"))
}

/// The terms of a ban; `now` in milliseconds since the epoch.
pub(crate) fn terms(fields: &HashMap<String, String>, now: i64) -> Result<Terms, Problem> {
    Ok(Terms { reason: words(fields, "reason")?, message: message(fields)?, until: until(fields, now, MAX_BAN)? })
}

/// The terms of a mute, which has an end.
pub(crate) fn mute_terms(fields: &HashMap<String, String>, now: i64) -> Result<Terms, Problem> {
    let Some(until) = until(fields, now, MAX_MUTE)? else {
        return Err(Problem::invalid("until: a mute has an end, at most 28 days from now"));
    };
    Ok(Terms { reason: words(fields, "reason")?, message: message(fields)?, until: Some(until) })
}

/// The new scope of somebody, its end, and the message for them.
pub(crate) fn new_scope(fields: &HashMap<String, String>, now: i64) -> Result<NewScope, Problem> {
    scope_terms(scope(fields)?, fields, now)
}

/// Like [`new_scope`], for a scope that is already known.
pub(crate) fn scope_terms(scope: Scope, fields: &HashMap<String, String>, now: i64) -> Result<NewScope, Problem> {
    Ok(NewScope { scope, until: until(fields, now, MAX_SCOPE)?, message: message(fields)? })
}

/// The message for the person whom the act is about.
pub(crate) fn message(fields: &HashMap<String, String>) -> Result<Option<String>, Problem> {
    words(fields, "message")
}

/// The text of a note.
pub(crate) fn note(fields: &HashMap<String, String>) -> Result<String, Problem> {
    text(fields, "text", MAX_NOTE)?.ok_or_else(|| Problem::invalid("text: what the note says"))
}

/// The words of a field: for the team, or for the person.
fn words(fields: &HashMap<String, String>, name: &str) -> Result<Option<String>, Problem> {
    text(fields, name, MAX_WORDS)
}

/// The text of a field; `None` when there is none.
fn text(fields: &HashMap<String, String>, name: &str, most: usize) -> Result<Option<String>, Problem> {
    let Some(text) = fields.get(name).map(|text| text.trim()).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    // Browsers count a line break as one character, and send two (HTML Standard, 4.10.22.5).
    let text = text.replace("\r\n", "\n");
    let odd = |c: char| (c.is_control() && !c.is_whitespace()) || c == '\u{fffd}';
    if text.chars().count() > most || text.contains(odd) {
        return Err(Problem::invalid(format!("{name}: at most {most} characters of text")));
    }
    Ok(Some(text))
}

/// The field `until`: RFC 3339, or seconds from now, at most `most` milliseconds; empty or missing means without an end. In a
/// form, whole `hours` from now come before it.
fn until(fields: &HashMap<String, String>, now: i64, most: i64) -> Result<Option<i64>, Problem> {
    let given = |name: &str| fields.get(name).map(|value| value.trim()).filter(|value| !value.is_empty());
    if let Some(hours) = given("hours") {
        let until = hours.parse().ok().and_then(|hours: i64| hours.checked_mul(3_600_000));
        let until = until.filter(|&length| (1..=most).contains(&length)).map(|length| now + length);
        let most = most / 3_600_000;
        return until.map(Some).ok_or_else(|| Problem::invalid(format!("hours: a whole number from 1 to {most}")));
    }
    let Some(value) = given("until") else { return Ok(None) };
    let moment = match value.parse::<i64>() {
        Ok(seconds) => seconds.checked_mul(1000).and_then(|ms| now.checked_add(ms)),
        Err(_) => value.parse::<Timestamp>().ok().map(|time| time.as_millisecond()),
    };
    let allowed = moment.filter(|&moment| moment > now && moment - now <= most);
    allowed.map(Some).ok_or_else(|| {
        let days = most / DAY;
        let form = "as RFC 3339 (2027-01-31T12:00:00Z) or in seconds from now";
        Problem::invalid(format!("until: a moment in the next {days} days, {form}"))
    })
}
