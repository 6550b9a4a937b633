//! Reads a window of a group in memory for the views of a list.

use crate::domain::Uid;
use crate::live::GroupState;
use crate::roster::{Filter, Window};
use crate::views::{GroupTotals, ListWindow, Panel, ViewContext};

/// The component around this list as `own` sees it at `now`, Unix milliseconds: with their notices.
pub(in crate::http) fn panel<'a>(
    context: &'a ViewContext,
    state: &GroupState,
    list: &ListWindow<'a>,
    own: &'a Uid,
    now: i64,
) -> Panel<'a> {
    let member = state.roster().get(own.as_str());
    let given = member.zip(state.scope_message(own, now)).map(|(member, (_, message))| (member.name(), message));
    let end = member.and_then(|member| member.temporary()).filter(|end| end.until > now);
    let temporary = member.zip(end).map(|(member, end)| (member.scope, end.until));
    Panel::new(context, list, own).with_notices(member.and_then(|member| member.muted_at(now)), temporary, given)
}

/// This window of the group, with all that is said about it.
pub(in crate::http) fn list_window<'a>(state: &'a GroupState, filter: &Filter, window: &'a Window) -> ListWindow<'a> {
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
pub(in crate::http) fn group_totals(state: &GroupState) -> GroupTotals<'_> {
    let roster = state.roster();
    GroupTotals { group: roster.group(), members: roster.len(), online: roster.online_len() }
}
