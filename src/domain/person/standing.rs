//! A person's standing in a group, by which the rules decide.

use crate::domain::Scope;

/// A person's current standing in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// A member.
    Member(Scope),
    /// May not come in.
    Banned,
    /// Neither: left, kicked, or never was in.
    Outside,
}

impl Standing {
    /// The scope of a member.
    pub fn scope(self) -> Option<Scope> {
        match self {
            Standing::Member(scope) => Some(scope),
            Standing::Banned | Standing::Outside => None,
        }
    }
}
