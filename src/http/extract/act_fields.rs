//! The fields of acts, parsed: whom, which scope, the terms of a ban or of a mute.

use jiff::tz::Offset;

use super::act_body::{ActField, ActFields};
use crate::domain::{
    Act, BatchAct, DAY, GivenEnd, HOUR, MAX_BAN, MAX_MUTE, MAX_NOTE, MAX_SCOPE, MAX_WORDS, NewScope, SECOND, Scope,
    Terms, Uid, is_seen, parse_day, parse_moment, parse_whole,
};
use crate::http::problem::Problem;
use crate::i18n::{Lang, Message, key};
use crate::membership::ActRequest;

/// A person's uid.
///
/// # Errors
/// 422 when it is none, with the value that was given.
pub(in crate::http) fn uid(value: &str) -> Result<Uid, Problem> {
    value.parse().map_err(|error| {
        let shown: String = value.chars().take(40).flat_map(char::escape_debug).collect();
        Problem::invalid(format!("uid: {error}: \"{shown}\""))
    })
}

/// Checks how many people a request names, each as often as it names them.
///
/// # Errors
/// 422 when they are more than `most`.
pub(in crate::http) fn check_count(count: usize, most: usize) -> Result<(), Problem> {
    if count <= most {
        return Ok(());
    }
    let people = Message::from(key::SELECTION_FULL).number("count", most);
    let program = format!("uid: at most {most} people in one request, repeated ones counted; it has {count}");
    Err(Problem::field(people, program))
}

/// The scope somebody is to have.
fn scope(fields: &ActFields) -> Result<Scope, Problem> {
    let scope = fields.get(ActField::Scope).and_then(|word| word.parse().ok()).filter(|&scope| scope != Scope::Owner);
    scope.ok_or_else(|| Problem::field(key::FIELD_SCOPE, "scope: one of admin, moderator, participant"))
}

/// The terms of a ban; `now` in Unix milliseconds.
///
/// # Errors
/// 422 when a field has a value that is not allowed; of an end that has passed, only [`ActEnd::added_to`] says so.
pub(in crate::http) fn terms(fields: &ActFields, now: i64) -> Result<(Terms, ActEnd), Problem> {
    let (reason, message) = (words(fields, ActField::Reason)?, message(fields)?);
    let (until, end) = until(fields, now, MAX_BAN)?;
    Ok((Terms { reason, message, until }, end))
}

/// The terms of a mute; `now` as for [`terms`].
///
/// # Errors
/// 422 without an end; otherwise as [`terms`].
pub(in crate::http) fn mute_terms(fields: &ActFields, now: i64) -> Result<(Terms, ActEnd), Problem> {
    let (Some(until), end) = until(fields, now, MAX_MUTE)? else {
        let days = MAX_MUTE / DAY;
        return Err(Problem::field(
            within(MAX_MUTE),
            format!("until: a mute has an end, at most {days} days from now"),
        ));
    };
    Ok((Terms { reason: words(fields, ActField::Reason)?, message: message(fields)?, until: Some(until) }, end))
}

/// The new scope of somebody, its end, and the message for them; `now` as for [`terms`].
///
/// # Errors
/// As [`terms`].
pub(in crate::http) fn new_scope(fields: &ActFields, now: i64) -> Result<(NewScope, ActEnd), Problem> {
    scope_terms(scope(fields)?, fields, now)
}

/// Like [`new_scope`], for a scope that is already known.
///
/// # Errors
/// As [`new_scope`].
pub(in crate::http) fn scope_terms(scope: Scope, fields: &ActFields, now: i64) -> Result<(NewScope, ActEnd), Problem> {
    let (until, end) = until(fields, now, MAX_SCOPE)?;
    Ok((NewScope { scope, until, message: message(fields)? }, end))
}

/// An act on several people with its details; `now` as for [`terms`]. A question may be asked before they are chosen.
///
/// # Errors
/// As [`terms`].
pub(in crate::http) fn of_batch(
    act: BatchAct,
    fields: &ActFields,
    now: i64,
    is_question: bool,
) -> Result<(Act, ActEnd), Problem> {
    let without_end = |act| (act, ActEnd::default());
    Ok(match act {
        BatchAct::Kick => without_end(Act::Kick { message: message(fields)? }),
        BatchAct::Ban => terms(fields, now).map(|(terms, end)| (Act::Ban(terms), end))?,
        BatchAct::Mute if is_question && !fields.contains(ActField::Until) => without_end(Act::Mute(Terms::default())),
        BatchAct::Mute => mute_terms(fields, now).map(|(terms, end)| (Act::Mute(terms), end))?,
        BatchAct::Scope if is_question && !fields.contains(ActField::Scope) => {
            without_end(Act::SetScope(Scope::Participant.into()))
        }
        BatchAct::Scope => new_scope(fields, now).map(|(new, end)| (Act::SetScope(new), end))?,
    })
}

/// The message for the person whom the act is about.
///
/// # Errors
/// 422 when it is too long, or holds control characters.
pub(in crate::http) fn message(fields: &ActFields) -> Result<Option<String>, Problem> {
    words(fields, ActField::Message)
}

/// The text of a note.
///
/// # Errors
/// 422 when there is none, it is too long, or it holds control characters.
pub(in crate::http) fn note(fields: &ActFields) -> Result<String, Problem> {
    let text = text(fields, ActField::Text, MAX_NOTE)?;
    text.ok_or_else(|| Problem::field(key::NOTES_MISSING, "text: what the note says"))
}

/// The words of a field: for the team, or for the person.
fn words(fields: &ActFields, field: ActField) -> Result<Option<String>, Problem> {
    text(fields, field, MAX_WORDS)
}

/// The text of a field; `None` when there is none, or nothing of it would be seen.
fn text(fields: &ActFields, field: ActField, most: usize) -> Result<Option<String>, Problem> {
    let Some(text) = fields.get(field).map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    // Browsers count a line break as one character, and send two (HTML Standard, 4.10.22.5).
    let text = text.replace("\r\n", "\n");
    if text.contains(is_odd) {
        let program = format!("{field}: text without control characters, noncharacters and U+FFFD");
        return Err(Problem::field(key::FIELD_ODD, program));
    }
    if text.chars().count() > most {
        let people = Message::plural(key::FIELD_LONG, most);
        return Err(Problem::field(people, format!("{field}: at most {most} characters")));
    }
    Ok(Some(text).filter(|text| is_seen(text)))
}

/// Whether a text may not contain this: a control character other than ASCII white space (U+0085 is white space and a C1 control), a
/// noncharacter (Unicode Standard, 23.7), or U+FFFD.
fn is_odd(c: char) -> bool {
    let number = u32::from(c);
    let is_noncharacter = matches!(number, 0xfdd0..=0xfdef) || number & 0xfffe == 0xfffe;
    (c.is_control() && !(c.is_ascii() && c.is_whitespace())) || is_noncharacter || c == '\u{fffd}'
}

/// The end of an act, as its fields give it.
#[derive(Debug, Default)]
pub(in crate::http) struct ActEnd {
    /// `None` without one.
    given: Option<GivenEnd>,
    /// Why the act is refused unless it was done before: its end has passed.
    passed: Option<Problem>,
}

impl ActEnd {
    /// Why the act is refused unless it was done before, in the words of the form: its end has passed.
    pub(in crate::http) fn passed(&self) -> Option<&Problem> {
        self.passed.as_ref()
    }

    /// Whether it is a moment in the field `until`, and no number of hours and no day.
    pub(in crate::http) fn is_moment_of_form(&self, fields: &ActFields) -> bool {
        let is_empty = |field| fields.get(field).is_none_or(str::is_empty);
        matches!(self.given, Some(GivenEnd::At(_))) && is_empty(ActField::Day) && is_empty(ActField::Hours)
    }

    /// The same end, which no longer refuses the act when it has passed, because the act takes no end after all. It stays in the
    /// fingerprint.
    pub(in crate::http) fn dropped(self) -> ActEnd {
        ActEnd { passed: None, ..self }
    }

    /// The request for the act with this end. One that has passed is refused here, or, when the request has an Idempotency-Key, by
    /// the verb that finds that it was not done before.
    ///
    /// # Errors
    /// 422 when the end has passed and the request has no key.
    pub(in crate::http) fn added_to(self, request: ActRequest) -> Result<ActRequest, Problem> {
        let passed = match self.passed {
            Some(problem) if request.key.is_none() => return Err(problem),
            passed => passed.map(|problem| problem.detail.for_programs(Lang::EN_US)),
        };
        Ok(ActRequest { end: self.given, refused_unless_repeat: passed, ..request })
    }
}

/// The end of an act, at most `most` milliseconds from now: in Unix milliseconds, `None` without one, and as it is given.
fn until(fields: &ActFields, now: i64, most: i64) -> Result<(Option<i64>, ActEnd), Problem> {
    let Some(GivenField { end: given, field, form }) = end_field(fields)? else { return Ok((None, ActEnd::default())) };
    let refused = || {
        let days = most / DAY;
        Problem::field(within(most), format!("{field}: a moment in the next {days} days, {form}"))
    };
    let moment = given.and_then(|end| end.moment(now)).filter(|&moment| moment <= now || moment - now <= most);
    let moment = moment.ok_or_else(refused)?;
    let has_passed = moment <= now;
    // "In no time" is refused also in a repeated request: it was never done.
    if has_passed && !matches!(given, Some(GivenEnd::At(_))) {
        return Err(refused());
    }
    Ok((Some(moment), ActEnd { given, passed: has_passed.then(refused) }))
}

/// The field that gives the end of an act.
struct GivenField {
    /// `None` when it is in no form that is read.
    end: Option<GivenEnd>,
    /// Which field it is.
    field: ActField,
    /// Its form, in the words of a refusal.
    form: &'static str,
}

/// The field `until`, RFC 3339 or seconds from now; or whole `hours` from now, or the end of a `day`. `hours` and `day` win over
/// `until`, which a form always sends. Where all of them are absent or empty there is no end.
fn end_field(fields: &ActFields) -> Result<Option<GivenField>, Problem> {
    // Only an empty value is none, as forms send it. A blank one is a mistake, and no end would be the hardest terms.
    let given = |field| fields.get(field).filter(|value| !value.is_empty());
    let (end, field, form) = match (given(ActField::Hours), given(ActField::Day), given(ActField::Until)) {
        (Some(_), Some(_), _) => {
            return Err(Problem::field(key::FIELD_ENDS, "day: a day or a number of hours, not both"));
        }
        (Some(hours), None, _) => (after(hours, HOUR), ActField::Hours, "as a whole number of hours from now"),
        (None, Some(day), _) => {
            (end_of(day).map(GivenEnd::At), ActField::Day, "as the day with which it ends in UTC (2027-01-31)")
        }
        (None, None, Some(value)) => (
            after(value, SECOND).or_else(|| parse_moment(value).map(GivenEnd::At)),
            ActField::Until,
            "as RFC 3339 (2027-01-31T12:00:00Z) or in seconds from now",
        ),
        (None, None, None) => return Ok(None),
    };
    Ok(Some(GivenField { end, field, form }))
}

/// The message about an end that the act cannot have.
fn within(most: i64) -> Message {
    Message::plural(key::FIELD_END, (most / DAY) as usize)
}

/// So many units of time from now, each of `unit` milliseconds.
fn after(number: &str, unit: i64) -> Option<GivenEnd> {
    Some(GivenEnd::After(parse_whole(number)?.checked_mul(unit)?))
}

/// The last second of a day. The day is one in UTC, since every moment that is shown is in UTC: the end is shown with the date that
/// was chosen.
fn end_of(day: &str) -> Option<i64> {
    Some(Offset::UTC.to_timestamp(parse_day(day)?.at(23, 59, 59, 0)).ok()?.as_millisecond())
}
