//! The scope of a member: what they may do in a group. The interface for people calls it their role. The `role` of a user is
//! something else: a word of the host's own, which gives no rights here.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The scope of a member. Ordered: a permission check is a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Scope {
    /// Reads and writes; acts on nobody.
    Participant = 0,
    /// Acts on participants.
    Moderator = 1,
    /// Acts on moderators and participants.
    Admin = 2,
    /// Acts on everybody; at most one in a group, and none where the host owns it.
    Owner = 3,
}

impl Scope {
    /// The scopes from the highest to the lowest.
    pub const DESCENDING: [Scope; 4] = [Scope::Owner, Scope::Admin, Scope::Moderator, Scope::Participant];

    /// The word of the contract, as in URLs, JSON and `data-scope`.
    pub fn as_str(self) -> &'static str {
        match self {
            Scope::Participant => "participant",
            Scope::Moderator => "moderator",
            Scope::Admin => "admin",
            Scope::Owner => "owner",
        }
    }

    /// Whether its members moderate the group: they act on others, and see who is banned or muted, and why.
    pub fn is_staff(self) -> bool {
        self > Scope::Participant
    }

    /// The number stored in the database.
    pub fn number(self) -> i64 {
        self as i64
    }

    /// Reads the stored number; `None` for anything else.
    pub fn from_number(number: i64) -> Option<Scope> {
        Scope::DESCENDING.into_iter().find(|scope| scope.number() == number)
    }

    /// The place in [`Scope::DESCENDING`].
    pub fn index(self) -> usize {
        Scope::DESCENDING.len() - 1 - self as usize
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Scope::DESCENDING.into_iter().find(|scope| scope.as_str() == text).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_every_scope_is_what_the_database_holds() {
        let numbers = [(Scope::Participant, 0), (Scope::Moderator, 1), (Scope::Admin, 2), (Scope::Owner, 3)];
        for (scope, number) in numbers {
            assert_eq!((scope.number(), Scope::from_number(number)), (number, Some(scope)));
        }
        assert_eq!((Scope::from_number(-1), Scope::from_number(4)), (None, None));
    }
}
