//! Notes about people: who reads and writes them, and who removes them.

use super::rank::{may_moderate, outranks};
use super::refusal::Refusal;
use crate::domain::Standing;

/// Read what staff wrote about somebody, who may have left, and write more: whoever is above them. `own` when it is about
/// whoever asks.
///
/// # Errors
/// Participants; oneself; who is not below the actor.
pub fn see_notes(actor: Standing, target: Standing, own: bool) -> Result<(), Refusal> {
    may_moderate(actor)?;
    if own {
        return Err(Refusal::Oneself);
    }
    outranks(actor, target).map(drop)
}

/// Remove a note that somebody sees: whoever wrote it, or is above its author. `author` is what the author is to the group now,
/// `own` whether that is whoever asks.
///
/// # Errors
/// Everybody else.
pub fn remove_note(actor: Standing, author: Standing, own: bool) -> Result<(), Refusal> {
    if own || outranks(actor, author).is_ok() { Ok(()) } else { Err(Refusal::NotTheirsToRemove) }
}
