//! Between whom an act is decided.

use crate::domain::{Standing, TemporaryScope};

/// Between whom an act is decided.
#[derive(Debug, Clone, Copy)]
pub struct Parties {
    /// The actor's standing; `None` for the host, who is above everybody.
    pub actor: Option<Standing>,
    /// The target's standing.
    pub target: Standing,
    /// Actor and target are one person.
    pub own: bool,
    /// The target is banned or muted already, on the terms that are asked for.
    pub same_terms: bool,
    /// The target may not speak.
    pub muted: bool,
    /// When the target's scope ends.
    pub temporary: Option<TemporaryScope>,
    /// The actor is the group's only member.
    pub alone: bool,
}
