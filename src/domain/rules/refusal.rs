//! Why the rules say no.

use serde::{Deserialize, Serialize};

use crate::domain::Scope;

/// A no, with its reason. Its words as serde writes them are stored for a day with the keys of acts on several people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The actor is not a member: to them the group is not there.
    #[error("There is no such group, or it is not yours to see.")]
    NotThere,
    /// Participants act on nobody.
    #[error("Participants cannot do this to anyone.")]
    ParticipantsActOnNobody,
    /// The target is not strictly below the actor.
    #[error("You can only do this to people below you, and you are both {0}s.")]
    Equal(Scope),
    /// The target is above the actor.
    #[error("You can only do this to people below you, and they are above you: {0}.")]
    Above(Scope),
    /// Only the owner may.
    #[error("Only the owner can hand the group over.")]
    OwnerOnly,
    /// Only admins and the owner may.
    #[error("Only admins and the owner can end the group.")]
    AdminsOnly,
    /// The actor would grant a scope above their own.
    #[error("Your own role is the highest that you can give: {0}.")]
    GrantsTooMuch(Scope),
    /// An act on several people leaves out the actor.
    #[error("This is you.")]
    Oneself,
    /// The actor would ban themselves.
    #[error("You cannot ban yourself. To go, leave the group.")]
    BansThemselves,
    /// The actor would mute themselves, or lift their own mute.
    #[error("You cannot mute yourself, or end it.")]
    MutesThemselves,
    /// The temporary scope is not above the lasting one.
    #[error("until: a scope can end only when it is above the one that they have otherwise.")]
    EndsAtLasting,
    /// The target is not a member.
    #[error("They are not a member of this group.")]
    NotAMember,
    /// The owner stays until somebody else owns the group.
    #[error("The owner stays until the group is handed to somebody else: do that first.")]
    OwnerMustTransfer,
    /// Banned people stay out.
    #[error("You are banned from this group.")]
    Banned,
    /// Nobody can undo this: it is of another kind, of the host, on oneself, or came by itself.
    #[error("Only a member's kick, ban, mute, change of scope, or lifted ban or mute of another can be undone.")]
    NotUndoable,
    /// Only who did it, or somebody above them, may put it back.
    #[error("Only whoever did this, or somebody above them, can undo it.")]
    NotTheirsToUndo,
    /// Only the author of a note, and those above the author, may remove it.
    #[error("Only whoever wrote this note, or somebody above them, can remove it.")]
    NotTheirsToRemove,
    /// The act would replace what its author has not seen.
    #[error("This has changed since it was shown. Send it again to replace it.")]
    Outdated,
    /// A password group, and not its password.
    #[error("That is not the group's password.")]
    WrongPassword,
}

impl Refusal {
    /// Whether it is the target's state that the act is refused for, so that what changed it last explains the refusal.
    pub fn is_about_target(self) -> bool {
        match self {
            Refusal::Equal(_)
            | Refusal::Above(_)
            | Refusal::EndsAtLasting
            | Refusal::NotAMember
            | Refusal::Banned
            | Refusal::Outdated => true,
            Refusal::NotThere
            | Refusal::ParticipantsActOnNobody
            | Refusal::OwnerOnly
            | Refusal::AdminsOnly
            | Refusal::GrantsTooMuch(_)
            | Refusal::Oneself
            | Refusal::BansThemselves
            | Refusal::MutesThemselves
            | Refusal::OwnerMustTransfer
            | Refusal::NotUndoable
            | Refusal::NotTheirsToUndo
            | Refusal::NotTheirsToRemove
            | Refusal::WrongPassword => false,
        }
    }
}
