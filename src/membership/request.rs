//! Who asks for an act.

use super::Actor;
use crate::domain::Guid;

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
