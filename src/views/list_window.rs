//! Answers that the list is drawn from, as of one event.

use crate::domain::{EventId, Group, PresenceMode, Status};
use crate::roster::Window;

/// A group and its totals.
#[derive(Debug, Clone, Copy)]
pub struct GroupTotals<'a> {
    /// The group.
    pub group: &'a Group,
    /// How many are in it.
    pub members: usize,
    /// How many of them are online or away.
    pub online: usize,
}

/// A window of the list, with what its rows, headings and addresses say.
#[derive(Debug, Clone)]
pub struct ListWindow<'a> {
    /// The members, and where it begins and ends.
    pub window: &'a Window,
    /// The status of each of its members, in the same order.
    pub statuses: Vec<Status>,
    /// How many match the filter in each section, in display order.
    pub counts: [usize; 4],
    /// The last event that it includes.
    pub id: EventId,
    /// How live statuses are.
    pub presence: PresenceMode,
    /// The whole group, whatever is searched.
    pub totals: GroupTotals<'a>,
}
