//! Groups, bans, notes and events as data.

use serde_json::{Value, json};

use crate::domain::{
    EventKind, Group, LoggedEvent, MemberRecord, PersonNote, Restriction, Scope, TouchedMember, rfc3339,
};
use crate::live::GroupState;

/// A group as the contract shows one; `owner` is `None` for the host. `online` and `scope` are for members only.
pub(in crate::http) fn group(
    group: &Group,
    members: usize,
    owner: Option<&str>,
    online: Option<usize>,
    scope: Option<Scope>,
) -> Value {
    json!({
        "guid": group.guid.as_str(),
        "name": group.name.as_str(),
        "type": group.group_type.as_str(),
        "icon": group.icon,
        "description": group.description,
        "owner": owner,
        "membersCount": members,
        "onlineMembersCount": online,
        "scope": scope.map(Scope::as_str),
    })
}

/// A ban or mute as the contract shows one.
pub(in crate::http) fn restriction(ban: &Restriction) -> Value {
    json!({
        "uid": ban.uid.as_str(),
        "name": ban.name,
        "reason": ban.reason,
        "message": ban.message,
        "until": ban.until.map(rfc3339),
        "by": ban.by.as_ref().map(|by| by.as_str()),
        "at": rfc3339(ban.at),
    })
}

/// A note as the contract shows one.
pub(in crate::http) fn note(note: &PersonNote) -> Value {
    json!({
        "id": note.id,
        "text": note.text,
        "by": {"uid": note.by.as_str(), "name": note.by_name},
        "at": rfc3339(note.at),
    })
}

/// An event as streams and DOM events show it. Reasons are for staff; `is_subject` when it is for whom it is
/// about alone.
pub(in crate::http) fn event(event: &LoggedEvent, state: &GroupState, is_staff: bool, is_subject: bool) -> Value {
    let touched = event.touched.first().filter(|touched| event.kind.has_subject(touched.new));
    let scope = |scope: Option<Scope>| scope.map(Scope::as_str);
    let by = if is_staff { event.by.as_ref() } else { event.public_by() };
    let mut data = json!({
        "group": event.guid.as_str(),
        "seq": event.seq,
        "at": rfc3339(event.at),
        "member": touched.map(|touched| MemberRecord::of_touched(touched, state.roster().presence(touched.uid.as_str()).status)),
        "by": by.map(|by| json!({"uid": by.uid.as_str(), "name": by.name})),
        "old": touched.and_then(|touched| scope(touched.old)),
        "new": touched.and_then(|touched| scope(touched.new)),
    });
    if event.kind == EventKind::MembersSynced && !event.touched.is_empty() {
        data["synced"] = synced(&event.touched).into_iter().collect();
    }
    // The end of a scope is on the member's badge, so everybody may know it.
    let is_of_scope = matches!(event.kind, EventKind::MemberScopeChanged | EventKind::MemberAdded);
    let shows_end = is_staff || is_subject || is_of_scope;
    if shows_end && (event.reason.is_some() || event.until.is_some()) {
        data["until"] = json!(event.until.map(rfc3339));
    }
    if is_staff && data.get("until").is_some() {
        data["reason"] = json!(event.reason);
    }
    if (is_staff || is_subject) && event.message.is_some() {
        data["message"] = json!(event.message);
    }
    let undoes = if is_staff { event.undoes } else { event.public_undoes() };
    for (name, seq) in [("undoes", undoes), ("batch", event.batch)] {
        if let Some(seq) = seq {
            data[name] = json!(seq);
        }
    }
    data
}

/// The numbers of people whom a sync added, removed and gave another scope.
pub(in crate::http) fn synced(touched: &[TouchedMember]) -> [(&'static str, usize); 3] {
    let count = |is: fn(&TouchedMember) -> bool| touched.iter().filter(|touched| is(touched)).count();
    [
        ("joined", count(|touched| touched.old.is_none() && touched.new.is_some())),
        ("left", count(|touched| touched.old.is_some() && touched.new.is_none())),
        ("changed", count(|touched| touched.old.is_some() && touched.new.is_some() && touched.old != touched.new)),
    ]
}
