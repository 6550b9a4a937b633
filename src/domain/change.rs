//! The change that a rule decides on.

use super::{Scope, TemporaryScope};

/// The change that a rule decides on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is already so: no event, and the answer is yes.
    Nothing,
    /// The target stops being a member.
    Remove,
    /// The target stops being a member, if they are one, and may not come back.
    Ban,
    /// The target may come back.
    Unban,
    /// The target may not speak.
    Mute,
    /// The target may speak again.
    Unmute,
    /// The target's scope becomes this one, with this end.
    SetScope(Scope, Option<TemporaryScope>),
    /// The target becomes owner, and the owner before, if there is one, admin.
    Transfer,
    /// The actor becomes a participant.
    Join,
}
