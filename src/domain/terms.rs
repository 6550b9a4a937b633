//! The terms of acts: of a ban or a mute, and of a new scope.

use super::Scope;

/// The scope that somebody is to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewScope {
    /// The new scope.
    pub scope: Scope,
    /// When it ends, milliseconds since the epoch; `None` when it lasts.
    pub until: Option<i64>,
    /// The message for the person; at most 512 characters.
    pub message: Option<String>,
}

impl From<Scope> for NewScope {
    /// A scope that lasts.
    fn from(scope: Scope) -> NewScope {
        NewScope { scope, until: None, message: None }
    }
}

/// The terms of a ban or of a mute.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms {
    /// Why; at most 512 characters.
    pub reason: Option<String>,
    /// The message for the person; at most 512 characters.
    pub message: Option<String>,
    /// When it ends, milliseconds since the epoch; `None` until lifted.
    pub until: Option<i64>,
}
