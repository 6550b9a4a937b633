//! Who may put back what an act changed.
//!
//! Not here: whether it is too late, or something has happened since (`membership/acts/undo.rs`), and what is restored
//! (`PersonState::put_back` in `domain/log/state.rs`).

use super::rank::{may_moderate, outranks};
use super::refusal::Refusal;
use crate::domain::{Cause, EventKind, Standing};

/// A past act that somebody asks to undo.
#[derive(Debug, Clone, Copy)]
pub struct Past {
    /// The kind of the act.
    pub kind: EventKind,
    /// The cause; `None` when it is unknown.
    pub cause: Option<Cause>,
    /// The current standing of its author; `None` for the host.
    pub author: Option<Standing>,
    /// Whether the person who asks is its author.
    pub by_actor: bool,
    /// Whether its author did it to themselves.
    pub about_author: bool,
    /// The standing that the person would have again.
    pub before: Standing,
}

/// Undoes an act: allowed for its actor, and for everybody above them, who may also act on the person as put back. How high the person
/// is now does not matter: they are what the act made them, and whoever gave too much by mistake takes it back, also when
/// they have less themselves by now.
///
/// # Errors
/// For participants, for acts that nobody undoes (of another kind, on oneself, of the host, and ends that came by themselves), and for
/// acts of or on people who are not below the actor.
pub fn undo(actor: Standing, past: Past) -> Result<(), Refusal> {
    may_moderate(actor)?;
    let by_somebody = match past.cause {
        Some(Cause::Viewer | Cause::Undo) => true,
        Some(Cause::Host | Cause::Ended | Cause::Sync) | None => false,
    };
    let Some(author) = past.author.filter(|_| past.kind.can_be_undone() && by_somebody && !past.about_author) else {
        return Err(Refusal::NotUndoable);
    };
    if !past.by_actor && outranks(actor, author).is_err() {
        return Err(Refusal::NotTheirsToUndo);
    }
    outranks(actor, past.before).map(drop)
}
