//! What a view's screen does about news: which rows, absences, headings and numbers go out.

use serde_json::Value;

use crate::domain::{
    EventKind, LoggedEvent, Member, PresenceMode, Scope, Section, SectionCounts, Standing, Status, TouchedMember, Uid,
    rules,
};
use crate::http::respond::{group_totals, json};
use crate::i18n::key;
use crate::live::{GroupState, Pending};
use crate::views::{Note, Swap, SwapItem, Totals, ViewContext};

/// The swaps for viewers of this look; `None` when the news change nothing on their screens.
/// `own` is the viewer when the bytes are for one viewer alone.
pub(crate) fn swap<'a>(
    context: &'a ViewContext,
    state: &'a GroupState,
    pending: &Pending,
    own: Option<&Uid>,
    renewed: bool,
) -> Option<Swap<'a>> {
    let drawn_anew = pending.views && context.props.templates.any();
    if pending.is_only_views() && !drawn_anew {
        return None;
    }
    let renewed = renewed || drawn_anew;
    let how = StatusUpdate::of(context, state, pending);
    let resync = pending.resync || how == StatusUpdate::Resync;
    let mut items = Vec::new();
    if renewed {
        items.push(note("renew", vec![("scope", context.scope.as_str().to_owned())]));
    } else if resync {
        items.push(note("resync", vec![("scope", context.scope.as_str().to_owned())]));
    } else {
        members(context, state, pending, how, own, &mut items);
    }
    let filter = context.props.filter();
    let may_move = pending.is_urgent() || filter.online.is_some();
    let counts = state.roster().counts(&filter);
    // Whoever gets the whole window anew gets headings and rows together.
    if may_move && context.has_headings() && !resync && !renewed {
        headings(context, &counts, &mut items);
    }
    let count = counts.total();
    if may_move {
        items.push(note(
            "count",
            vec![("count", count.to_string()), ("found", context.found(count).unwrap_or_default())],
        ));
    }
    if pending.mode_was.is_some() {
        items.push(presence(context, state));
    }
    items.extend(pending.events.iter().filter_map(|event| event_note(context, event, state)));
    let totals = Some(Totals::new(context, group_totals(state)).as_swap());
    (!items.is_empty() || !context.props.hide_user_status).then_some(Swap { context, items, totals, count })
}

/// How a view says whose status changed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StatusUpdate {
    /// Not at all.
    Hidden,
    /// By their rows.
    Rows,
    /// By their rows; a status that is sent again, which most screens show already, by a patch for each.
    RowsThenPatches,
    /// By a patch of a few bytes for each.
    Patches,
    /// By the statuses of everybody: for a while none were sent.
    Snapshot,
    /// Rows show it in a way of their own, and they are too many: each screen fetches its window again.
    Resync,
}

impl StatusUpdate {
    fn of(context: &ViewContext, state: &GroupState, pending: &Pending) -> StatusUpdate {
        let (by_status, mode) = (context.props.filter().online.is_some(), state.presence_mode());
        if !by_status && (context.props.hide_user_status || mode == PresenceMode::Counts) {
            return StatusUpdate::Hidden;
        }
        if pending.mode_was == Some(PresenceMode::Counts) && !by_status {
            return if context.rows_show_status() { StatusUpdate::Resync } else { StatusUpdate::Snapshot };
        }
        match (by_status || context.rows_show_status(), pending.has_few_statuses()) {
            (true, true) => StatusUpdate::Rows,
            (true, false) => StatusUpdate::Resync,
            (false, true) if mode == PresenceMode::Rows => StatusUpdate::RowsThenPatches,
            (false, _) => StatusUpdate::Patches,
        }
    }
}

/// How live statuses are, in a word for the script and in a sentence for people.
pub(crate) fn presence(context: &ViewContext, state: &GroupState) -> SwapItem<'static> {
    let (mode, text) = (state.presence_mode(), context.freshness(state.presence_mode()));
    note("presence", vec![("mode", mode.as_str().to_owned()), ("text", text.to_owned())])
}

/// Who is there, for a screen that comes (back): everybody else is offline.
pub(crate) fn statuses(context: &ViewContext, state: &GroupState) -> Option<SwapItem<'static>> {
    if context.props.hide_user_status || state.presence_mode() == PresenceMode::Counts {
        return None;
    }
    let roster = state.roster();
    let of = |wanted| words(roster.online().map(|member| member.uid()), wanted, state);
    let others = Status::Offline.as_str().to_owned();
    Some(note("statuses", vec![("online", of(Status::Online)), ("away", of(Status::Away)), ("others", others)]))
}

/// Whose status changed: everybody else's is as it was.
fn changed<'u>(uids: impl Iterator<Item = &'u Uid> + Clone, state: &GroupState) -> SwapItem<'static> {
    let of = |wanted| words(uids.clone().map(Uid::as_str), wanted, state);
    let (online, away, offline) = (of(Status::Online), of(Status::Away), of(Status::Offline));
    note("statuses", vec![("online", online), ("away", away), ("offline", offline)])
}

/// Those of this status, with spaces between them.
fn words<'u>(uids: impl Iterator<Item = &'u str>, wanted: Status, state: &GroupState) -> String {
    uids.filter(|uid| state.roster().presence(uid).status == wanted).collect::<Vec<_>>().join(" ")
}

/// A word to the script.
pub(crate) fn note(name: &'static str, data: Vec<(&'static str, String)>) -> SwapItem<'static> {
    SwapItem::Note(Note { name, data })
}

/// An event for the host's page; `None` when it is not for viewers of this context.
pub(crate) fn event_note(context: &ViewContext, event: &LoggedEvent, state: &GroupState) -> Option<SwapItem<'static>> {
    let detail = event_for(context.scope, event, state)?;
    let mut data = vec![("name", event.kind.as_str().replace('_', "-")), ("detail", detail.to_string())];
    data.extend(digest(context, event));
    Some(note("event", data))
}

/// What a digest of what others did says of an event: whom it names in a sentence, or how many it
/// counts as what. Of a sync of very many the log holds no numbers.
fn digest(context: &ViewContext, event: &LoggedEvent) -> Vec<(&'static str, String)> {
    let one = |what| vec![(what, "1".to_owned())];
    match (event.kind, event.touched.first()) {
        (EventKind::MemberJoined | EventKind::MemberAdded, _) => one("joined"),
        (EventKind::MemberLeft, _) => one("left"),
        (EventKind::MemberKicked | EventKind::MemberBanned, _) => one("removed"),
        (EventKind::MemberScopeChanged | EventKind::OwnerTransferred, Some(touched)) => {
            touched.new.map(|scope| ("said", is_now(context, touched, scope))).into_iter().collect()
        }
        (EventKind::MembersSynced, Some(_)) => {
            json::synced(&event.touched).map(|(what, count)| (what, count.to_string())).into()
        }
        (
            EventKind::MemberScopeChanged
            | EventKind::OwnerTransferred
            | EventKind::MembersSynced
            | EventKind::MemberUnbanned
            | EventKind::MemberUpdated
            | EventKind::GroupCreated
            | EventKind::GroupUpdated
            | EventKind::GroupDeleted,
            _,
        ) => Vec::new(),
    }
}

/// "Ana is now admin".
fn is_now(context: &ViewContext, touched: &TouchedMember, scope: Scope) -> String {
    let key = match scope {
        Scope::Owner => key::DIGEST_OWNER,
        Scope::Admin => key::DIGEST_ADMIN,
        Scope::Moderator => key::DIGEST_MODERATOR,
        Scope::Participant => key::DIGEST_PARTICIPANT,
    };
    context.lang.format(key, &touched.member.as_deref().map_or_else(|| touched.shown_name(), Member::shown_name))
}

/// An event as viewers of this scope may see it; `None` when it is not for them.
pub(crate) fn event_for(scope: Scope, event: &LoggedEvent, state: &GroupState) -> Option<Value> {
    let moderator = rules::see_bans(Standing::Member(scope)).is_ok();
    (moderator || !event.kind.for_moderators_only()).then(|| json::event(event, state, moderator))
}

/// Each touched member as they are now in this view: the row, or the absence.
fn members<'a>(
    context: &'a ViewContext,
    state: &'a GroupState,
    pending: &Pending,
    how: StatusUpdate,
    own: Option<&Uid>,
    items: &mut Vec<SwapItem<'a>>,
) {
    let (roster, filter) = (state.roster(), context.props.filter());
    let by_status = filter.online.is_some();
    let only_status = pending.statuses.union(&pending.resend_status).filter(|uid| !pending.dirty.contains(*uid));
    let is_new = |uid: &Uid| pending.statuses.contains(uid);
    let by_patch = |uid: &&Uid| how == StatusUpdate::Patches || (how == StatusUpdate::RowsThenPatches && !is_new(uid));
    let by_row = |uid: &&Uid| how == StatusUpdate::Rows || (how == StatusUpdate::RowsThenPatches && is_new(uid));
    let words = only_status.clone().filter(by_patch);
    if words.clone().next().is_some() {
        items.push(changed(words, state));
    }
    if how == StatusUpdate::Snapshot {
        items.extend(statuses(context, state));
    }
    let rows = only_status.filter(by_row).map(|uid| (uid, by_status));
    for (uid, moved) in pending.dirty.iter().map(|uid| (uid, true)).chain(rows) {
        match roster.get(uid.as_str()).filter(|member| roster.shows(&filter, member)) {
            Some(member) => {
                items.push(SwapItem::Row(context.row(member, roster.presence(uid.as_str()).status, own == Some(uid))));
            }
            None if moved => items.push(SwapItem::Gone(uid.clone())),
            None => {}
        }
    }
}

fn headings<'a>(context: &'a ViewContext, counts: &SectionCounts, items: &mut Vec<SwapItem<'a>>) {
    let scopes = context.props.filter().scopes;
    for section in Section::all().filter(|section| scopes.contains(section.scope())) {
        items.push(match counts[section] {
            0 => SwapItem::HeadingGone(section),
            count => SwapItem::Heading(context.heading(section, count)),
        });
    }
}
