//! A lane: a sequence of events that webhooks deliver in order, with a position of its own, as a partition of Kafka is. It
//! holds the events of one group, those of one person in the outbox, or the statuses of some people.

use std::fmt;

use crate::domain::{Guid, Uid};
use crate::store::error::StoreError;
use crate::store::sql::decode::{inconsistent, parse_guid, parse_uid};

/// Begins the names of lanes of the outbox. No group's id contains it.
const LANE_PREFIX: char = '@';
/// Follows the prefix in the names of lanes of presence. No person's id contains it.
const PRESENCE_PREFIX: char = '~';
/// Lanes of presence. People share them: a lane for each would be a position for each.
const PRESENCE_LANES: u32 = 16;

/// A sequence of events that are delivered one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// The log of a group.
    Group(Guid),
    /// The events of a person in the outbox; `None` for those about nobody.
    Outbox(Option<Uid>),
    /// The statuses of the people of this number.
    Presence(u32),
}

impl Lane {
    /// The lane of somebody's presence: the same on every node and in every version.
    pub(in crate::store) fn of_presence(uid: &Uid) -> Lane {
        let hash = uid.as_str().bytes().fold(0_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
        Lane::Presence(hash % PRESENCE_LANES)
    }

    /// A stored lane.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when it is not the name of a lane.
    pub(in crate::store) fn decode(stored: &str) -> Result<Lane, StoreError> {
        let Some(name) = stored.strip_prefix(LANE_PREFIX) else { return Ok(Lane::Group(parse_guid(stored)?)) };
        match name.strip_prefix(PRESENCE_PREFIX) {
            Some(number) => number.parse().map(Lane::Presence).map_err(|_| inconsistent("lane of presence", stored)),
            None if name.is_empty() => Ok(Lane::Outbox(None)),
            None => Ok(Lane::Outbox(Some(parse_uid(name)?))),
        }
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lane::Group(guid) => write!(f, "{guid}"),
            Lane::Presence(number) => write!(f, "{LANE_PREFIX}{PRESENCE_PREFIX}{number}"),
            Lane::Outbox(person) => write!(f, "{LANE_PREFIX}{}", person.as_ref().map_or("", Uid::as_str)),
        }
    }
}
