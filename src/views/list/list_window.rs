//! The values that a list is rendered from, all as of the same event.

use crate::domain::{EventId, Group, PresenceMode, SectionCounts, Status};
use crate::roster::Window;

/// A group and its totals.
#[derive(Debug, Clone, Copy)]
pub struct GroupTotals<'a> {
    /// The group.
    pub group: &'a Group,
    /// The number of its members.
    pub members: usize,
    /// The number of its members who are online or away.
    pub online: usize,
}

/// A window of the list, with the values that its rows, headings and URLs show.
#[derive(Debug, Clone)]
pub struct ListWindow<'a> {
    /// The members and the ends of the window.
    pub window: &'a Window,
    /// The status of each of its members, in the same order.
    pub statuses: Vec<Status>,
    /// The number of members who match the filter, by section, in display order.
    pub counts: SectionCounts,
    /// The last event included.
    pub id: EventId,
    /// How live the statuses are.
    pub presence: PresenceMode,
    /// The totals of the whole group, regardless of the filter.
    pub totals: GroupTotals<'a>,
}
