//! What the views of a list are drawn from, read from a group in memory.

use crate::live::State;
use crate::roster::{Filter, Window};
use crate::views::{GroupTotals, ListWindow};

/// This window of the group, with all that is said about it.
pub fn list_window<'a>(state: &'a State, filter: &Filter, window: &'a Window) -> ListWindow<'a> {
    let roster = state.roster();
    ListWindow {
        window,
        statuses: roster.statuses(&window.members),
        counts: roster.counts(filter),
        id: state.last_id(),
        presence: state.presence_mode(),
        totals: group_totals(state),
    }
}

/// The group and its totals.
pub fn group_totals(state: &State) -> GroupTotals<'_> {
    let roster = state.roster();
    GroupTotals { group: roster.group(), members: roster.len(), online: roster.online_len() }
}
