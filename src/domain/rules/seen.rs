//! Acts that somebody chose while they saw an earlier state of the person.

use super::refusal::Refusal;
use crate::domain::{Act, PersonState};

/// Compares what the act replaces: the ban, the mute, or the scope and its end.
///
/// # Errors
/// [`Refusal::Outdated`] when it is `now` another than `seen`.
pub fn as_seen(act: &Act, seen: &PersonState, now: &PersonState) -> Result<(), Refusal> {
    if act.finds_as_seen(seen, now) { Ok(()) } else { Err(Refusal::Outdated) }
}
