//! The rules: act only on people strictly below you; grant at most your own scope; participants act on nobody; a group has
//! exactly one owner, a member or the host.
//!
//! A group whose owner is the host has no member of scope owner, and only the host makes somebody its owner. The host is
//! above everybody, and bound to exactly one owner as well: each act is decided for a member and for the host.
//!
//! `decide.rs` decides the acts on people, `undo.rs` their undoing, `notes.rs` who reads and removes notes, and `group.rs` what
//! concerns the group; all by the order of scopes in `rank.rs`.
//!
//! Every function takes who asks and who is meant and returns a change or a refusal. Rights are
//! checked before the state of the target, so that a refusal reveals nothing that the actor may not see.
//!
//! Not here: reading the people from the database, and writing the change (`membership`).

mod decide;
mod group;
mod notes;
mod rank;
mod refusal;
mod seen;
mod undo;

pub use decide::{
    ActorAndTarget, Parties, acts, ban, decide, decide_of_several, grantable, kick, leave, mute, set_scope, transfer,
    unban, unmute,
};
pub use group::{add, delete_group, hand_over, join, release, see_restrictions, update_group};
pub use notes::{remove_note, see_notes};
pub use refusal::Refusal;
pub use seen::as_seen;
pub use undo::{Past, undo};
