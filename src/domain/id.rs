//! Names of groups and people as the host application gives them.

use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

/// Longest id, in characters (and bytes: ids are ASCII).
const MAX: usize = 100;

/// The host's name in the host's own API where a uid is expected, as the owner of a group: no person has this uid.
pub const HOST_UID: &str = "app_system";

/// Begins the pseudonym of an erased person, whom nobody can become.
pub const PSEUDONYM_PREFIX: &str = "erased-";

/// Stands beside the guids in paths of the interface for programs: a group of this name could not be asked for.
const TAKEN_GUID: &str = "online-counts";

/// Why a text is no id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidId {
    /// It does not match `[A-Za-z0-9_-]{1,100}`.
    #[error("an id has 1 to 100 characters out of A-Z, a-z, 0-9, _ and -")]
    Malformed,
    /// It stands for the host.
    #[error("{HOST_UID} stands for the host and is nobody's uid")]
    Reserved,
    /// It is, or could be, the pseudonym of somebody who was erased.
    #[error("uids that begin with {PSEUDONYM_PREFIX} stand for people who were erased")]
    Pseudonym,
    /// It is part of a path of its own.
    #[error("{TAKEN_GUID} is taken by a path of its own and is no group's guid")]
    Taken,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, reserved: $reserved:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(Arc<str>);

        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                let fits = (1..=MAX).contains(&text.len())
                    && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
                match fits {
                    false => Err(InvalidId::Malformed),
                    true if $reserved.contains(&text) => Err(InvalidId::Reserved),
                    true => Ok(Self(text.into())),
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;

            fn try_from(text: String) -> Result<Self, InvalidId> {
                text.parse()
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
    };
}

id!(
    /// A group's id, `[A-Za-z0-9_-]{1,100}`, compared exactly.
    Guid, reserved: [""; 0]
);
id!(
    /// A person's id, `[A-Za-z0-9_-]{1,100}`, compared exactly; never [`HOST_UID`].
    Uid, reserved: [HOST_UID]
);

impl Guid {
    /// This guid, as one that is given to a group.
    ///
    /// # Errors
    /// [`InvalidId::Taken`] when a path of its own has it.
    pub fn of_a_group(self) -> Result<Guid, InvalidId> {
        if self.as_str() == TAKEN_GUID { Err(InvalidId::Taken) } else { Ok(self) }
    }
}

impl Uid {
    /// This uid, as one that is given to a person.
    ///
    /// # Errors
    /// [`InvalidId::Pseudonym`] when it is the pseudonym of somebody who was erased: whoever got this uid would inherit their history.
    pub fn of_a_person(self) -> Result<Uid, InvalidId> {
        if self.as_str().starts_with(PSEUDONYM_PREFIX) { Err(InvalidId::Pseudonym) } else { Ok(self) }
    }
}

/// The original's id of the conversation between two people: the same, whoever of them is named first.
pub fn conversation_between(one: &str, other: &str) -> String {
    format!("{}_user_{}", one.min(other), one.max(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_short_and_plain() {
        assert!("ada".parse::<Uid>().is_ok());
        assert!("A_b-9".parse::<Guid>().is_ok());
        assert!("x".repeat(100).parse::<Uid>().is_ok());
        for bad in ["", "a b", "ä", "a/b", "a.b", "a\n", &"x".repeat(101)] {
            assert_eq!(bad.parse::<Uid>(), Err(InvalidId::Malformed), "{bad:?}");
        }
        assert_eq!("app_system".parse::<Uid>(), Err(InvalidId::Reserved));
        assert!("app_system".parse::<Guid>().is_ok() && "App_system".parse::<Uid>().is_ok());
    }

    #[test]
    fn two_people_have_one_conversation() {
        assert_eq!(conversation_between("eve", "dee"), "dee_user_eve");
        assert_eq!(conversation_between("dee", "eve"), "dee_user_eve");
        assert_eq!(conversation_between(HOST_UID, "ada"), "ada_user_app_system");
    }

    #[test]
    fn ids_differ_by_case() {
        assert_ne!("Ada".parse::<Uid>().unwrap(), "ada".parse::<Uid>().unwrap());
    }
}
