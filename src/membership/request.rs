//! Who asks for an act.

use super::Actor;
use crate::domain::Guid;

/// Who asks for an act, in which group, under which Idempotency-Key.
#[derive(Debug, Clone)]
pub struct ActRequest {
    /// The group.
    pub guid: Guid,
    /// Who acts.
    pub actor: Actor,
    /// The caller's Idempotency-Key.
    pub key: Option<Key>,
    /// Whether what is so already is refused, as the original does it; then a ban without terms leaves those of a ban
    /// that is there.
    pub strict: bool,
}

/// Who asks for what belongs to no group, under which Idempotency-Key.
#[derive(Debug, Clone)]
pub struct Call {
    /// Who asks.
    pub actor: Actor,
    /// The caller's Idempotency-Key.
    pub key: Option<Key>,
}

/// An Idempotency-Key.
#[derive(Debug, Clone)]
pub struct Key {
    /// As the caller gave it.
    pub text: String,
    /// A hash of what the request says, for requests whose fingerprint does not spell it out.
    pub content: String,
}

/// What came of a call that is done once.
#[derive(Debug)]
pub struct Once<T> {
    /// As it is now.
    pub value: T,
    /// When it was done before under the same key, milliseconds since the epoch; `None` when it was done now.
    pub done_at: Option<i64>,
}

impl ActRequest {
    /// Without a key.
    pub fn new(guid: Guid, actor: Actor) -> ActRequest {
        ActRequest { guid, actor, key: None, strict: false }
    }

    pub(super) fn content(&self) -> &str {
        content(self.key.as_ref())
    }
}

impl Call {
    /// The host's, without a key.
    pub fn by_host() -> Call {
        Call { actor: Actor::Host, key: None }
    }

    pub(super) fn content(&self) -> &str {
        content(self.key.as_ref())
    }
}

impl Key {
    /// A key of an act whose fingerprint spells it out.
    pub fn of_act(text: String) -> Key {
        Key { text, content: String::new() }
    }
}

fn content(key: Option<&Key>) -> &str {
    key.map_or("", |key| &key.content)
}
