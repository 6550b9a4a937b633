//! What webhooks deliver in order: the events of one group, or those of one person in the outbox.

use std::fmt;

use super::decode::{parse_guid, parse_uid};
use super::error::StoreError;
use super::outbox::LANE_PREFIX;
use crate::domain::{Guid, Uid};

/// A sequence of events that are delivered one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// The log of a group.
    Group(Guid),
    /// The events of a person in the outbox; `None` for those about nobody.
    Outbox(Option<Uid>),
}

impl Lane {
    /// A stored lane.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when it is none.
    pub(super) fn decode(stored: &str) -> Result<Lane, StoreError> {
        match stored.strip_prefix(LANE_PREFIX) {
            Some("") => Ok(Lane::Outbox(None)),
            Some(uid) => Ok(Lane::Outbox(Some(parse_uid(uid)?))),
            None => Ok(Lane::Group(parse_guid(stored)?)),
        }
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lane::Group(guid) => write!(f, "{guid}"),
            Lane::Outbox(person) => write!(f, "{LANE_PREFIX}{}", person.as_ref().map_or("", Uid::as_str)),
        }
    }
}
