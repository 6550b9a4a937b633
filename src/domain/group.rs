//! Groups, without their members.

use std::borrow::Cow;

use serde::Deserialize;

use super::{Guid, Name, shown};

/// Longest password of a group, in characters.
pub const MAX_PASSWORD: usize = 100;

/// How people get into a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GroupType {
    /// Anybody joins.
    Public,
    /// Only the host adds people; to everybody else the group is not there.
    Private,
    /// Everybody who knows the password may join.
    Password,
}

impl GroupType {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            GroupType::Public => "public",
            GroupType::Private => "private",
            GroupType::Password => "password",
        }
    }
}

impl std::str::FromStr for GroupType {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [GroupType::Public, GroupType::Private, GroupType::Password].into_iter().find(|t| t.as_str() == text).ok_or(())
    }
}

/// A group without its members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its id.
    pub guid: Guid,
    /// The group's name.
    pub name: Name,
    /// How people get in.
    pub group_type: GroupType,
    /// Picture, an https URL.
    pub icon: Option<String>,
    /// A sentence about it.
    pub description: Option<String>,
}

impl Group {
    /// Its name as people read it.
    pub fn shown_name(&self) -> Cow<'_, str> {
        shown(self.name.as_str(), self.guid.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_of_every_type_of_group_is_what_the_database_holds() {
        for (kind, word) in
            [(GroupType::Public, "public"), (GroupType::Private, "private"), (GroupType::Password, "password")]
        {
            assert_eq!((kind.as_str(), word.parse()), (word, Ok(kind)));
        }
    }
}
