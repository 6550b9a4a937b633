//! The terms of acts: of a ban or a mute, and of a new scope.

use crate::domain::Scope;

/// Longest reason of an act, and longest message to the person, in characters.
pub const MAX_WORDS: usize = 512;

/// The scope that somebody is to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewScope {
    /// The new scope.
    pub scope: Scope,
    /// When it ends, Unix milliseconds; `None` when it lasts.
    pub until: Option<i64>,
    /// The message for the person; at most [`MAX_WORDS`] characters.
    pub message: Option<String>,
}

impl From<Scope> for NewScope {
    /// A scope that lasts.
    fn from(scope: Scope) -> NewScope {
        NewScope { scope, until: None, message: None }
    }
}

/// The end of an act as its request gives it. "In an hour" is another moment in every retry, and the same request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenEnd {
    /// So many milliseconds after the act.
    After(i64),
    /// At this moment, Unix milliseconds.
    At(i64),
}

impl GivenEnd {
    /// The moment, for an act at `now`, both in Unix milliseconds; `None` for one that cannot be counted.
    pub fn moment(self, now: i64) -> Option<i64> {
        match self {
            GivenEnd::After(time) => now.checked_add(time),
            GivenEnd::At(moment) => Some(moment),
        }
    }
}

/// The terms of a ban or of a mute.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms {
    /// Why; at most [`MAX_WORDS`] characters.
    pub reason: Option<String>,
    /// The message for the person; at most [`MAX_WORDS`] characters.
    pub message: Option<String>,
    /// When it ends, Unix milliseconds; `None` until lifted.
    pub until: Option<i64>,
}
