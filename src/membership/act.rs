//! An act that is asked for.

use super::{Actor, Terms};
use crate::domain::{Guid, Scope};

/// Who asks for an act, in which group, under which Idempotency-Key.
#[derive(Debug, Clone)]
pub struct Request {
    /// The group.
    pub guid: Guid,
    /// Who acts.
    pub actor: Actor,
    /// The caller's Idempotency-Key.
    pub key: Option<String>,
}

/// What is asked for.
#[derive(Debug, Clone)]
pub(super) enum Verb {
    Kick,
    Ban(Terms),
    Unban,
    SetScope(Scope),
    Transfer,
    Leave,
}
