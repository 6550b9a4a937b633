//! What a verb is given beside the change itself: the actor, the Idempotency-Key and the list of people, and what it
//! answers about each of them.
//!
//! Not here: requests over HTTP (`http`).

pub(super) mod fingerprint;
pub(super) mod idempotency;
pub(super) mod left_out;
pub(super) mod list;

use super::Actor;
use crate::domain::{GivenEnd, Guid};

pub use idempotency::has_left;
pub use list::{AddList, AddListEntry, BatchItem, BatchOutcome, BatchPerson, ListAnswers, ListError, Placement};

/// The request for an act in a group: who acts, and under which Idempotency-Key.
#[derive(Debug, Clone)]
pub struct ActRequest {
    /// The group.
    pub guid: Guid,
    /// The actor.
    pub actor: Actor,
    /// The caller's Idempotency-Key.
    pub key: Option<IdempotencyKey>,
    /// The end of the act as the request gives it; part of the fingerprint of an act that can have one.
    pub end: Option<GivenEnd>,
    /// Why it is refused unless it was done before under its key, such as that the end of the act has passed.
    pub refused_unless_repeat: Option<String>,
    /// The event number up to which the actor has seen the group; an act that would replace something newer is refused.
    pub as_of: Option<u64>,
    /// Whether an act that changes nothing is refused, as the original does it; then a ban without terms keeps the terms
    /// of the present ban.
    pub refuse_unchanged: bool,
}

/// The request for a change that belongs to no existing group (a user, an endpoint of webhooks, a new group): who asks, and
/// under which Idempotency-Key.
#[derive(Debug, Clone)]
pub struct GlobalRequest {
    /// The actor.
    pub actor: Actor,
    /// The caller's Idempotency-Key.
    pub key: Option<IdempotencyKey>,
}

/// An Idempotency-Key.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    /// The key as the caller gave it.
    pub text: String,
    /// A hash of the request's content, for requests whose fingerprint does not spell it out.
    pub content: String,
}

/// The result of a request that is done once, however often it is repeated under its key.
#[derive(Debug)]
pub struct Idempotent<T> {
    /// The current value.
    pub value: T,
    /// When it was done before under the same key, Unix milliseconds; `None` when it was done now.
    pub done_at: Option<i64>,
}

impl ActRequest {
    /// Without a key.
    pub fn new(guid: Guid, actor: Actor) -> ActRequest {
        ActRequest {
            guid,
            actor,
            key: None,
            end: None,
            refused_unless_repeat: None,
            as_of: None,
            refuse_unchanged: false,
        }
    }

    pub(super) fn content(&self) -> &str {
        content(self.key.as_ref())
    }
}

impl GlobalRequest {
    /// The host's, without a key.
    pub fn by_host() -> GlobalRequest {
        GlobalRequest { actor: Actor::Host, key: None }
    }

    pub(super) fn content(&self) -> &str {
        content(self.key.as_ref())
    }
}

impl IdempotencyKey {
    /// A key of an act whose fingerprint spells it out.
    pub fn of_act(text: String) -> IdempotencyKey {
        IdempotencyKey { text, content: String::new() }
    }
}

fn content(key: Option<&IdempotencyKey>) -> &str {
    key.map_or("", |key| &key.content)
}
