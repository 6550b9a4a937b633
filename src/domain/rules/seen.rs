//! Acts that somebody chose while they saw an earlier state of the person.

use super::refusal::Refusal;
use crate::domain::{Act, PersonState};

/// Compares what the act replaces: the ban, the mute, or the scope and its end.
///
/// # Errors
/// [`Refusal::Outdated`] when it is `now` another than `seen`.
pub fn as_seen(act: &Act, seen: &PersonState, now: &PersonState) -> Result<(), Refusal> {
    let (before, after) = (&seen.restrictions, &now.restrictions);
    let is_same = match act {
        Act::Ban(_) | Act::Unban => before.ban == after.ban,
        Act::Mute(_) | Act::Unmute => before.mute == after.mute,
        Act::SetScope(_) => {
            let scope = |state: &PersonState| state.held.map(|held| held.scope);
            (scope(seen), before.temporary) == (scope(now), after.temporary)
        }
        Act::Kick { .. } | Act::Transfer | Act::Leave => true,
    };
    if is_same { Ok(()) } else { Err(Refusal::Outdated) }
}
