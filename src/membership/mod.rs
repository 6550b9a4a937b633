//! The verbs: every change of a group and its members. A verb on a group runs in one transaction: it increments the group's
//! sequence number, reads the people it is about, asks `domain` for a decision, and writes the change with its event. What is about
//! many groups takes a transaction for each of them (`erasure`, `expiry`, `mend`, `sync/renames.rs`), and a large sync is
//! prepared in small ones (`sync/`).
//!
//! `acts/` has what people do to each other, `owner`, `groups`, `users`, `log_out` and `webhooks` what the host or an operator does,
//! `add_list` and `sync/` what is done to many by a list. `expiry` ends what ran out; `sweep` calls it every second, and removes
//! what nobody needs. `erasure` deletes a person for good. `apply` writes a decision with its event, `request/` is what a verb is given
//! beside the change itself, `password/` checks the passwords of groups, and `mend` is `doctor --mend`.
//!
//! Not here: the rules themselves (`domain`), SQL (`store`), and requests and responses (`http`).

mod acts;
mod add_list;
mod apply;
mod erasure;
mod expiry;
mod groups;
mod log_out;
mod mend;
mod owner;
mod password;
mod request;
mod sweep;
mod sync;
mod users;
mod webhooks;

use std::sync::Arc;

use crate::domain::{ActKind, Guid, LoggedEvent, MAX_NOTES, Refusal, Uid};
use crate::store::{AsStoreError, Person, StoreError};

pub use crate::store::{SyncReport, SyncRow};
pub use acts::{UndoError, act, act_batch, add_note, join, remove_note, undo, undo_batch};
pub use add_list::{add_list, add_members};
pub use erasure::{erase_user, finish_erasures_forever};
pub use groups::{GroupDraft, GroupPatch, create_group, delete_group, update_group};
pub use log_out::{issue_token, log_out};
pub use mend::{mend, mend_indexes, mend_presence_reporter, mend_sort_keys};
pub use owner::{hand_over, release};
pub use password::{hash_password, is_password};
pub use request::{
    ActRequest, AddList, AddListEntry, BatchItem, BatchOutcome, BatchPerson, GlobalRequest, IdempotencyKey, Idempotent,
    ListAnswers, ListError, Placement, has_left,
};
pub use sweep::{end_forever, sweep, sweep_forever};
pub use sync::{OnProgress, StagedSync, SyncMode, SyncTerms, Synced, sync, sync_lines, was_synced};
pub use users::{UserPatch, create_user, delete_user, put_user, update_user};
pub use webhooks::{replay_endpoint, set_endpoint_state};

/// The actor of a change.
#[derive(Debug, Clone)]
pub enum Actor {
    /// A person, with their own rights.
    Viewer(Uid),
    /// The host's back end: above everybody.
    Host,
}

impl Actor {
    /// Under which name their idempotency keys are kept.
    fn caller(&self) -> &str {
        match self {
            Actor::Viewer(uid) => uid.as_str(),
            // This is no valid uid, so no person can have it.
            Actor::Host => "*host*",
        }
    }
}

/// The result of an act.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The event, or `None` when it was so already.
    pub logged: Option<Arc<LoggedEvent>>,
    /// The group's event number that includes the act.
    pub seq: u64,
    /// Whether it was done before, under the same Idempotency-Key.
    pub is_repeat: bool,
    /// Whether an act on one person changed nothing, since it was so already; of one that is repeated under its key, whether it changed
    /// nothing the first time. Of an undo, whether it put nothing back although nobody had undone the act: what it would put back has
    /// ended by now.
    pub unchanged: bool,
}

/// Why an act was not done.
#[derive(Debug, thiserror::Error)]
pub enum ActError {
    /// The rules refuse it.
    #[error("{refusal}")]
    Refused {
        /// The reason.
        refusal: Refusal,
        /// The actor as they are now; `None` for the host and where nobody is to know.
        actor: Option<Box<Person>>,
        /// The target as they are now.
        target: Option<Box<Person>>,
    },
    /// The group is not there.
    #[error("there is no such group")]
    NoSuchGroup,
    /// The host has not named this user.
    #[error("there is no user {0}")]
    NoSuchUser(Uid),
    /// A person of a list is unknown and has no name in it.
    #[error("there is no user {uid}")]
    Nameless {
        /// The person.
        uid: Uid,
        /// The line that lists them.
        line: u64,
    },
    /// The person whom a list makes the owner cannot own the group.
    #[error("owner: the group would have none, since {uid}, who is listed, {why}")]
    UnfitOwner {
        /// The person.
        uid: Uid,
        /// The line that lists them.
        line: u64,
        /// The reason, as the end of a sentence about them.
        why: &'static str,
    },
    /// A newer version of the host's data was applied before.
    #[error("the group is at version {last} already")]
    StaleSync {
        /// The last applied version.
        last: i64,
    },
    /// The person to remove owns these groups.
    #[error("they own groups: hand those over first")]
    OwnsGroups(Vec<Guid>),
    /// The same Idempotency-Key was used for another request.
    #[error("this Idempotency-Key was used for another act: use a new key for a new act")]
    KeyReused,
    /// The log has no such event about one person.
    #[error("the log has no such event")]
    NoSuchEvent,
    /// The act can no longer be undone.
    #[error("{why}")]
    Undo {
        /// The reason.
        why: UndoError,
        /// The person whom it was about.
        uid: Uid,
        /// Its number.
        seq: u64,
    },
    /// It is so already, and the request refuses an act that changes nothing.
    #[error("it is so already")]
    AlreadySo(ActKind),
    /// Too many wait already for a thread that hashes passwords.
    #[error("too many passwords are being looked at")]
    Busy,
    /// Too many wrong passwords.
    #[error("too many wrong passwords: wait {seconds} seconds")]
    TooManyTries {
        /// Seconds until the next try.
        seconds: u32,
    },
    /// As many notes about the person are kept as may be.
    #[error("text: there are {} notes about them, which is the most; remove one first", MAX_NOTES)]
    TooManyNotes,
    /// Something is invalid; the text says what, and what to do.
    #[error("{0}")]
    Invalid(String),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AsStoreError for ActError {
    fn as_store_error(&self) -> Option<&StoreError> {
        match self {
            ActError::Store(error) => Some(error),
            _ => None,
        }
    }
}

impl ActError {
    fn refused(refusal: Refusal) -> ActError {
        ActError::Refused { refusal, actor: None, target: None }
    }
}
