//! Fingerprints: what an Idempotency-Key stands for.
//!
//! A fingerprint is a stored form. During a rolling deploy a retry reaches another version of the program than the first
//! attempt, and a fingerprint that differs refuses it. The texts of acts (`Act::fingerprint`) are those of the first
//! version, which wrote Rust's debug output; they no longer follow any name. Texts by people are still in them as debug
//! output, which escapes the characters that the standard library takes for unprintable, and the next version of
//! Unicode changes which those are: [`is_same_fingerprint`] reads every escape as its character. The end of an act follows that
//! text. Older versions recorded none: such a fingerprint matches any end. Later fingerprints are a
//! word, the pseudonym of the person whom the request is about, and a hash of what it says, so that they name nobody.
//! Passwords are not part of any fingerprint.
//!
//! Not here: the keys that stand for them (`idempotency.rs`). `tests.rs` pins every form.

use super::list::{AddList, AddListEntry};
use super::{ActRequest, GlobalRequest};
use crate::domain::{Act, GivenEnd, Guid, Name, Terms, Uid};
use crate::store::Pseudonyms;

/// The fingerprint of joining.
pub(in crate::membership) const JOIN: &str = "join";

/// The fingerprint of taking a group over for the host.
pub(in crate::membership) const RELEASE: &str = "release";

/// The fingerprint of adding a list of people. Names, pictures and dates, where there are any, follow as a hash; a list of
/// uids alone has none, as in the first version.
pub(in crate::membership) fn add_list_fingerprint(pseudonyms: &Pseudonyms, list: &AddList) -> String {
    let mut text = String::from("add");
    for placement in list.people.iter().map(|entry| &entry.placement) {
        text += &format!(" {}:{}", placement.uid, placement.scope);
    }
    text.extend(list.bans.iter().map(|uid| format!(" {uid}:banned")));
    let profiles: Vec<_> = list
        .people
        .iter()
        .filter(|entry| entry.has_profile())
        .map(|AddListEntry { placement, name, avatar, joined_at }| {
            (placement.uid.as_str(), name.as_ref().map(Name::as_str), avatar, joined_at)
        })
        .collect();
    if !profiles.is_empty() {
        let content = serde_json::to_string(&profiles).expect("texts and numbers are JSON");
        text += &format!(" {}", pseudonyms.content(&content));
    }
    text
}

/// The fingerprint of an act on one person, with its end.
pub(in crate::membership) fn act_fingerprint(request: &ActRequest, act: &Act, target: &Uid) -> String {
    act.fingerprint(target) + &end_suffix(request, act)
}

/// The fingerprint of one act on several people: its terms once, with the first, then the others, and its end.
pub(in crate::membership) fn batch_fingerprint(request: &ActRequest, act: &Act, uids: &[Uid]) -> String {
    let Some((first, others)) = uids.split_first() else { return "bulk".into() };
    let others: String = others.iter().map(|uid| format!(" {uid}")).collect();
    format!("bulk {}{others}{}", act.fingerprint(first), end_suffix(request, act))
}

/// Begins the end of an act, in a fingerprint.
const END: &str = " end=";

/// The end of an act, at the end of a fingerprint. A ban without one says so: its text as the first version stored it is that of
/// bans with and without an end. The other acts' say whether there is one.
fn end_suffix(request: &ActRequest, act: &Act) -> String {
    if act.kind().longest().is_none() {
        return String::new();
    }
    match request.end {
        Some(GivenEnd::After(time)) => format!("{END}{time}ms-later"),
        Some(GivenEnd::At(moment)) => format!("{END}{moment}ms"),
        None if matches!(act, Act::Ban(Terms { until: None, .. })) => format!("{END}none"),
        None => String::new(),
    }
}

/// The fingerprint of putting an act back, or all of its batch.
pub(in crate::membership) fn undo_fingerprint(seq: u64, batch: bool) -> String {
    format!("undo {seq}{}", if batch { " batch" } else { "" })
}

/// The fingerprint of adding a note, which names nobody and does not hold the text.
pub(in crate::membership) fn note_fingerprint(pseudonyms: &Pseudonyms, about: &Uid, text: &str) -> String {
    format!("note {} {}", pseudonyms.of(about), pseudonyms.content(text))
}

/// The fingerprint of removing a note.
pub(in crate::membership) fn note_removal_fingerprint(pseudonyms: &Pseudonyms, about: &Uid, id: u64) -> String {
    format!("remove-note {} {id}", pseudonyms.of(about))
}

/// The fingerprint of ending a group.
pub(in crate::membership) const DELETE_GROUP: &str = "delete-group";

/// The fingerprint of making a group.
pub(in crate::membership) fn create_group_fingerprint(guid: &Guid, request: &GlobalRequest) -> String {
    format!("create-group {guid} {}", request.content())
}

/// The fingerprint of changing a group.
pub(in crate::membership) fn update_group_fingerprint(request: &ActRequest) -> String {
    format!("change-group {}", request.content())
}

/// The fingerprint of a sync.
pub(in crate::membership) fn sync_fingerprint(request: &ActRequest) -> String {
    format!("sync {}", request.content())
}

/// The fingerprint of a request about a person.
pub(in crate::membership) fn person_fingerprint(
    verb: &str,
    pseudonyms: &Pseudonyms,
    uid: &Uid,
    request: &GlobalRequest,
) -> String {
    format!("{verb} {} {}", pseudonyms.of(uid), request.content()).trim_end().to_owned()
}

/// The fingerprint of an erasure, which does not depend on the caller.
pub(in crate::membership) fn erasure_fingerprint(pseudonyms: &Pseudonyms, uid: &Uid) -> String {
    format!("erase-user {}", pseudonyms.of(uid))
}

/// Whether a recorded fingerprint is of the same request as this one, whichever characters either of them escapes. Versions before
/// ends were compared recorded none.
pub(super) fn is_same_fingerprint(recorded: &str, now: &str) -> bool {
    let is_same = |one: &str, other: &str| one == other || unescaped(one) == unescaped(other);
    let unmarked = without_mark(recorded).zip(without_mark(now));
    is_same(recorded, now)
        || without_end(now).is_some_and(|now| is_same(recorded, now))
        || unmarked.is_some_and(|(recorded, now)| is_same(&recorded, &now))
}

/// Says in the fingerprint of a change of scope that the scope has an end (`Act::fingerprint`).
const MARK: &str = " for a time";

/// The fingerprint of a change of scope for which an end was sent, without the mark. For a scope that cannot end, the present end
/// that a form sends on is dropped (`http/acts/scope.rs`), and the mark with it. A repeated request finds another present end, or none,
/// and has the mark.
fn without_mark(fingerprint: &str) -> Option<String> {
    without_end(fingerprint).filter(|act| act.starts_with("SetScope("))?;
    // Texts by people are in quotes.
    let (act, rest) = fingerprint.split_at(fingerprint.find('"').unwrap_or(fingerprint.len()));
    Some(act.replacen(MARK, "", 1) + rest)
}

/// The fingerprint without the end of the act; `None` when it has none. Texts by people are always in quotes, also at the end.
fn without_end(fingerprint: &str) -> Option<&str> {
    let (act, end) = fingerprint.rsplit_once(END)?;
    (!end.contains([' ', '"'])).then_some(act)
}

/// A fingerprint with the character itself for each `\u{…}`. Other escapes stay, so that different texts stay different: a
/// backslash that somebody wrote is always escaped by another.
fn unescaped(fingerprint: &str) -> String {
    let mut text = String::with_capacity(fingerprint.len());
    let mut rest = fingerprint;
    while let Some((before, escape)) = rest.split_once('\\') {
        text += before;
        if let Some((digits, after)) = escape.strip_prefix("u{").and_then(|digits| digits.split_once('}'))
            && let Some(character) = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
        {
            text.push(character);
            rest = after;
        } else {
            let mut after = escape.chars();
            text.push('\\');
            text.extend(after.next());
            rest = after.as_str();
        }
    }
    text + rest
}

#[cfg(test)]
mod tests;
