//! What the feed holds.

use super::feed_person::FeedPerson;
use crate::domain::{Cause, EventId, EventKind, Group, Uid};

/// Events of a sync that touched more members come without them.
pub const MAX_PEOPLE: usize = 500;
/// A part of the log ends with the event with which it has so many people: a thousand syncs of [`MAX_PEOPLE`] are half a million.
pub(super) const PEOPLE_OF_PART: usize = 10 * MAX_PEOPLE;

/// A part of a group's log.
#[derive(Debug, Clone)]
pub struct Feed {
    /// The history of events it belongs to.
    pub epoch: String,
    /// The group as it now is.
    pub group: FeedGroup,
    /// Number of the group's last event.
    pub head: u64,
    /// Number of the group's last event when an erasure rewrote the log; 0 when none did.
    pub rewritten: u64,
    /// Number of the first event that the log keeps; `head + 1` when it keeps none.
    pub first: u64,
    /// Id of the event that the part begins after, if the log keeps it.
    pub previous: Option<String>,
    /// The events, oldest first.
    pub events: Vec<FeedEvent>,
}

/// A group as it now is, also when it was deleted.
#[derive(Debug, Clone)]
pub struct FeedGroup {
    /// The group.
    pub group: Group,
    /// Its owner.
    pub owner: Option<Uid>,
    /// The number of its members.
    pub members: u64,
    /// When it was created, Unix milliseconds.
    pub created_at: i64,
    /// When it was last changed, Unix milliseconds.
    pub updated_at: i64,
}

/// The number of a group's members after one of its events, known without counting rows.
#[derive(Debug, Clone)]
pub struct MembersAfter {
    /// The event.
    pub event: EventId,
    /// The number of members.
    pub members: u64,
}

/// An event of the log.
#[derive(Debug, Clone)]
pub struct FeedEvent {
    /// The id it is delivered under.
    pub id: String,
    /// The group's gapless event number.
    pub seq: u64,
    /// The kind of the event.
    pub kind: EventKind,
    /// When, Unix milliseconds.
    pub at: i64,
    /// The actor; `None` for the host and for bans that ran out.
    pub by: Option<FeedActor>,
    /// Why, for bans.
    pub reason: Option<String>,
    /// The end of a ban, Unix milliseconds.
    pub until: Option<i64>,
    /// The cause; `None` when a version of the program before causes wrote it.
    pub cause: Option<Cause>,
    /// The event that it undoes.
    pub undoes: Option<u64>,
    /// The first event of those that were made by one request.
    pub batch: Option<u64>,
    /// The message for the person, for bans and kicks.
    pub message: Option<String>,
    /// The people whom it touched; empty where `counts` exceed [`MAX_PEOPLE`].
    pub people: Vec<FeedPerson>,
    /// The numbers of people whom a sync touched.
    pub counts: Option<FeedCounts>,
}

/// The actor of an event.
#[derive(Debug, Clone)]
pub struct FeedActor {
    /// Their id.
    pub uid: Uid,
    /// Their present name, or the one they had when there is none.
    pub name: String,
    /// Their picture, a URL.
    pub avatar: Option<String>,
    /// Their role in the host's application.
    pub role: String,
}

/// The numbers of people whom a sync touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedCounts {
    /// All.
    pub touched: u64,
    /// People who were added.
    pub joined: u64,
    /// People who were removed.
    pub left: u64,
    /// People whose scope changed.
    pub changed: u64,
}
