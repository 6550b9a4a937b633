//! Notes about people: who reads and writes them, and who removes them.

use super::rank::{may_moderate, outranks};
use super::refusal::Refusal;
use crate::domain::Standing;

/// Reads and writes notes about somebody, who may have left: allowed for everybody above them. `own` when the notes
/// are about the actor.
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

/// Removes a note that the actor can see: allowed for its author and everybody above the author. `author` is the
/// author's current standing, `own` whether the author is the actor.
///
/// # Errors
/// Everybody else.
pub fn remove_note(actor: Standing, author: Standing, own: bool) -> Result<(), Refusal> {
    if own || outranks(actor, author).is_ok() { Ok(()) } else { Err(Refusal::NotTheirsToRemove) }
}
