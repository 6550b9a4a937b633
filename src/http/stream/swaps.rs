//! Derives from pending changes what a stream sends: rows, removals, headings and counts.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::domain::{
    EventKind, LoggedEvent, Member, MemberRecord, PresenceMode, Scope, Section, SectionCounts, Standing, Status,
    TouchedMember, Uid, rules,
};
use crate::http::respond::{group_totals, json as data_of};
use crate::i18n::key;
use crate::live::{GroupState, Pending};
use crate::roster::Filter;
use crate::views::{Empty, HeaderSwap, Instruction, InstructionName, Swap, SwapItem, Totals, ViewContext};

/// The swaps for viewers of this context; `None` when the pending changes alter nothing on their screens. `own` is
/// the viewer when the bytes are for one viewer alone.
pub(in crate::http) fn swap<'a>(
    context: &'a ViewContext,
    state: &'a GroupState,
    pending: &Pending,
    own: Option<&Uid>,
    renewed: bool,
) -> Option<Swap<'a>> {
    let rerendered = pending.templates && context.props.templates.any();
    if pending.is_only_templates() && !rerendered {
        return None;
    }
    let renewed = renewed || rerendered;
    let filter = context.props.filter();
    let how = StatusUpdate::of(context, &filter, state, pending);
    let has_many = pending.resync || (pending.staff_resync && context.sees_mute(false));
    let resync = has_many || how == StatusUpdate::Resync;
    let mut items = Vec::new();
    if renewed {
        items.push(Instruction::renew(context.scope).into());
    } else if resync {
        items.push(Instruction::resync(context.scope).into());
    } else {
        members(context, &filter, state, pending, how, own, &mut items);
    }
    let may_move = pending.is_urgent() || filter.online.is_some();
    let counts = state.roster().counts(&filter);
    // A viewer who gets the whole window again gets its headings with it.
    let has_rows = !resync && !renewed;
    if may_move && has_rows && context.has_headings() && context.for_older_page {
        headings(context, &filter, &counts, &mut items);
    }
    let count = counts.total();
    if may_move {
        items.push(count_instruction(context, &counts, has_rows));
    }
    if pending.mode_was.is_some() {
        items.push(presence(context, state));
    }
    let rows = has_rows.then_some((&filter, &pending.dirty));
    items.extend(pending.events.iter().filter_map(|event| event_instruction(context, event, state, rows, own)));
    let header = header(context, state, pending, &mut items);
    // The list was empty before only if every match is among the changed members.
    let changed = pending.dirty.len() + pending.statuses.len() + pending.resend_status.len();
    let may_have_turned = context.for_older_page || !has_rows || (may_move && count <= changed);
    let empty = may_have_turned.then(|| Empty::swap(context, count));
    (!items.is_empty() || header.is_some()).then_some(Swap { context, items, header, empty })
}

/// The current number of matches, in all and in each section.
fn count_instruction(context: &ViewContext, counts: &SectionCounts, has_rows: bool) -> SwapItem<'static> {
    let sections = (has_rows && context.has_headings() && !context.for_older_page).then(|| {
        // A section without members has no heading.
        let of = |section| Some(counts[section]).filter(|count| *count > 0).map(|count| context.lang.number(count));
        Section::all().map(|section| of(section).unwrap_or_default()).collect::<Vec<_>>().join(" ")
    });
    Instruction::count(counts.total(), context.found(counts.total()), sections).into()
}

/// The header, when it changed: for a message with only statuses, a short instruction to the script instead.
fn header<'a>(
    context: &'a ViewContext,
    state: &'a GroupState,
    pending: &Pending,
    items: &mut Vec<SwapItem<'a>>,
) -> Option<HeaderSwap<'a>> {
    let totals = Totals::new(context, group_totals(state));
    let is_custom = totals.has_custom_header();
    if context.for_older_page || (is_custom && (pending.totals || pending.group)) {
        return Some(totals.into_swap());
    }
    if !pending.totals || is_custom || pending.is_urgent() {
        return pending.totals.then(|| totals.into_swap());
    }
    if !context.props.hide_user_status && !context.props.hide_header {
        match items.iter_mut().find_map(|item| match item {
            SwapItem::Instruction(instruction) if instruction.name == InstructionName::Statuses => Some(instruction),
            _ => None,
        }) {
            Some(statuses) => statuses.add_online(totals.online_html()),
            None => {
                let mut statuses = Instruction::statuses([], None);
                statuses.add_online(totals.online_html());
                items.push(statuses.into());
            }
        }
    }
    None
}

/// How a stream sends changes of status to a view.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StatusUpdate {
    /// Statuses are not sent.
    Hidden,
    /// As rows: templates show the status in their own way, or rows come and go with it.
    Rows,
    /// As a patch of a few bytes for each person.
    Patches,
    /// As a snapshot of all statuses: none were sent for a while.
    Snapshot,
    /// As a request to fetch the window again: custom rows show the status, and too many changed.
    Resync,
}

impl StatusUpdate {
    fn of(context: &ViewContext, filter: &Filter, state: &GroupState, pending: &Pending) -> StatusUpdate {
        let (by_status, mode) = (filter.online.is_some(), state.presence_mode());
        if !by_status && (context.props.hide_user_status || mode == PresenceMode::Counts) {
            return StatusUpdate::Hidden;
        }
        if pending.mode_was == Some(PresenceMode::Counts) && !by_status {
            return if context.rows_show_status() { StatusUpdate::Resync } else { StatusUpdate::Snapshot };
        }
        match (by_status || context.rows_show_status(), pending.has_few_statuses()) {
            (true, true) => StatusUpdate::Rows,
            (true, false) => StatusUpdate::Resync,
            (false, _) => StatusUpdate::Patches,
        }
    }
}

/// How live statuses are, as a code for the script and as a sentence for people.
pub(in crate::http) fn presence(context: &ViewContext, state: &GroupState) -> SwapItem<'static> {
    let mode = state.presence_mode();
    Instruction::presence(mode, context.freshness(mode)).into()
}

/// The people who are online or away, for a screen that (re)connects: everybody else is offline.
pub(in crate::http) fn statuses(context: &ViewContext, state: &GroupState) -> Option<SwapItem<'static>> {
    if context.props.hide_user_status || state.presence_mode() == PresenceMode::Counts {
        return None;
    }
    let roster = state.roster();
    let of = |wanted| (wanted, words(roster.online().map(|member| member.uid()), wanted, state));
    Some(Instruction::statuses([Status::Online, Status::Away].map(of), Some(Status::Offline)).into())
}

/// The changed statuses: all others are unchanged.
fn changed<'u>(uids: impl Iterator<Item = &'u Uid> + Clone, state: &GroupState) -> SwapItem<'static> {
    let of = |wanted| (wanted, words(uids.clone().map(Uid::as_str), wanted, state));
    let all = [Status::Online, Status::Away, Status::Offline].map(of);
    Instruction::statuses(all.into_iter().filter(|(_, uids)| !uids.is_empty()), None).into()
}

/// The uids with this status, separated by spaces.
fn words<'u>(uids: impl Iterator<Item = &'u str>, wanted: Status, state: &GroupState) -> String {
    uids.filter(|uid| state.roster().presence(uid).status == wanted).collect::<Vec<_>>().join(" ")
}

/// An event for the host's page; `None` when viewers of this context may not see it. Facts about the member that a
/// row in the same message shows are left out, since the script reads them there; `rows` are the members with such a
/// row, where the view's filter shows them.
pub(in crate::http) fn event_instruction(
    context: &ViewContext,
    event: &LoggedEvent,
    state: &GroupState,
    rows: Option<(&Filter, &BTreeSet<Uid>)>,
    own: Option<&Uid>,
) -> Option<SwapItem<'static>> {
    let mut detail = streamed_event(context.scope, own, event, state)?;
    if !context.for_older_page
        && let Some(data) = detail.as_object_mut()
    {
        // The list knows its group.
        data.remove("group");
        let subject = event.touched.first().map(|touched| &touched.uid);
        if let (Some(uid), Some((filter, rows))) = (subject, rows)
            && rows.contains(uid)
            && row_shows(context, filter, state, uid.as_str(), &data["member"])
        {
            data.insert("member".into(), json!({"uid": uid.as_str()}));
        }
    }
    let name = event.kind.as_str().replace('_', "-");
    Some(Instruction::event(name, detail.to_string(), digest(context, event)).into())
}

/// Whether this person's current row shows all of these facts about them.
fn row_shows(context: &ViewContext, filter: &Filter, state: &GroupState, uid: &str, facts: &Value) -> bool {
    let roster = state.roster();
    let Some(member) = roster.get(uid).filter(|member| roster.shows(filter, member)) else {
        return false;
    };
    let has_all = !context.props.hide_user_status && member.picture() == member.avatar();
    has_all && json!(MemberRecord::new(member, roster.presence(uid).status)) == *facts
}

/// The contribution of an event to the digest of other people's acts: a sentence about one person, or a count. For a
/// very large sync the log has no counts.
fn digest(context: &ViewContext, event: &LoggedEvent) -> Vec<(&'static str, String)> {
    let one = |what| vec![(what, "1".to_owned())];
    match (event.kind, event.touched.first()) {
        (EventKind::MemberJoined | EventKind::MemberAdded, _) => one("joined"),
        (EventKind::MemberLeft, _) => one("left"),
        (EventKind::MemberKicked | EventKind::MemberBanned, Some(touched)) if touched.old.is_some() => one("removed"),
        (EventKind::MemberScopeChanged | EventKind::OwnerTransferred, Some(touched)) if touched.old != touched.new => {
            touched.new.map(|scope| ("said", is_now(context, touched, scope))).into_iter().collect()
        }
        (EventKind::MembersSynced, Some(_)) => {
            data_of::synced(&event.touched).map(|(what, count)| (what, count.to_string())).into()
        }
        (
            EventKind::MemberKicked
            | EventKind::MemberBanned
            | EventKind::MemberScopeChanged
            | EventKind::OwnerTransferred
            | EventKind::MembersSynced
            | EventKind::MemberUnbanned
            | EventKind::MemberMuted
            | EventKind::MemberUnmuted
            | EventKind::MemberUpdated
            | EventKind::NoteAdded
            | EventKind::NoteRemoved
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

/// An event as streams send it to this viewer. Viewers never get the event that removed them, not even when they resume as members again:
/// they got the last message of their stream instead.
pub(super) fn streamed_event(
    scope: Scope,
    own: Option<&Uid>,
    event: &LoggedEvent,
    state: &GroupState,
) -> Option<Value> {
    if own.is_some_and(|own| puts_out(event, own)) { None } else { event_for(scope, own, event, state) }
}

/// Whether this person left, was kicked or was banned by the event.
fn puts_out(event: &LoggedEvent, uid: &Uid) -> bool {
    event.kind.puts_out() && event.touched.iter().any(|touched| touched.uid == *uid && touched.new.is_none())
}

/// An event as a viewer of this scope may see it, `own` when it is for them alone; `None` when it is not for them.
pub(in crate::http) fn event_for(
    scope: Scope,
    own: Option<&Uid>,
    event: &LoggedEvent,
    state: &GroupState,
) -> Option<Value> {
    let is_subject = own.is_some_and(|own| is_about(event, own));
    is_shown_to(scope, own, event, state).then(|| data_of::event(event, state, scope.is_staff(), is_subject))
}

/// Whether a viewer of this scope may see an event, `own` when it is for them alone: some are also for the person whom they are about.
pub(in crate::http) fn is_shown_to(scope: Scope, own: Option<&Uid>, event: &LoggedEvent, state: &GroupState) -> bool {
    let is_own = event.kind.is_for_its_subject() && own.is_some_and(|own| is_about(event, own));
    is_own || may_see(scope, event, state)
}

/// Whether this person is the one whom an event is about.
pub(in crate::http) fn is_about(event: &LoggedEvent, uid: &Uid) -> bool {
    event.touched.first().is_some_and(|touched| touched.uid == *uid)
}

/// Whether everybody of this scope may see an event. The subject of a note is compared by their scope at the time of the event, as when it
/// was written: the end of a scope may not be swept yet. A deleted group has no members to compare, so events of notes are hidden from
/// all.
pub(in crate::http) fn may_see(scope: Scope, event: &LoggedEvent, state: &GroupState) -> bool {
    if event.kind.is_of_note() {
        let subject = event.touched.first().map(|touched| &touched.uid);
        let standing = subject.map_or(Standing::Outside, |uid| state.standing_at(uid, event.at));
        return !state.is_deleted() && rules::see_notes(Standing::Member(scope), standing, false).is_ok();
    }
    !event.kind.for_moderators_only() || scope.is_staff()
}

/// Each touched member as they are now in this view: the row, or the absence.
fn members<'a>(
    context: &'a ViewContext,
    filter: &Filter,
    state: &'a GroupState,
    pending: &Pending,
    how: StatusUpdate,
    own: Option<&Uid>,
    items: &mut Vec<SwapItem<'a>>,
) {
    let roster = state.roster();
    let by_status = filter.online.is_some();
    let only_status = pending.statuses.union(&pending.resend_status).filter(|uid| !pending.dirty.contains(*uid));
    if how == StatusUpdate::Patches && only_status.clone().next().is_some() {
        items.push(changed(only_status.clone(), state));
    }
    if how == StatusUpdate::Snapshot {
        items.extend(statuses(context, state));
    }
    let rows = only_status.filter(|_| how == StatusUpdate::Rows).map(|uid| (uid, by_status));
    // A change that only some may know of reaches the screens of those.
    let dirty = pending
        .dirty
        .iter()
        .filter(|uid| !pending.hidden_from_participants.contains(*uid) || context.sees_mute(own == Some(*uid)));
    for (uid, moved) in dirty.map(|uid| (uid, true)).chain(rows) {
        match roster.get(uid.as_str()).filter(|member| roster.shows(filter, member)) {
            Some(member) => {
                items.push(SwapItem::Row(context.row(member, roster.presence(uid.as_str()).status, own == Some(uid))));
            }
            None if moved => items.push(SwapItem::Gone(uid.clone())),
            None => {}
        }
    }
}

fn headings<'a>(context: &'a ViewContext, filter: &Filter, counts: &SectionCounts, items: &mut Vec<SwapItem<'a>>) {
    for section in Section::all().filter(|section| filter.scopes.contains(section.scope())) {
        items.push(match counts[section] {
            0 => SwapItem::HeadingGone(section),
            count => SwapItem::Heading(context.heading(section, count)),
        });
    }
}
