//! Facts as the variables of a template. Operators' templates depend on these names.

use minijinja::value::Value;
use minijinja::{Error, ErrorKind, context};

use super::facts::{EmptyFacts, ErrorFacts, HeaderFacts, LoadingFacts, RowFacts};
use super::menu::MenuFacts;
use crate::domain::{Group, Guid, Member, MemberRecord, Scope, Status};

pub(super) fn row(facts: &RowFacts<'_>) -> Value {
    context! {
        member => member(facts.member, facts.status),
        own => facts.own,
        viewer => context! { scope => facts.viewer.as_str() },
        group => guid(facts.guid),
        lang => facts.lang,
    }
}

pub(super) fn header(facts: &HeaderFacts<'_>) -> Value {
    context! {
        title => facts.title,
        group => group(facts.group, facts.members, facts.online),
        viewer => match facts.uid {
            Some(uid) => viewer(facts.viewer, uid.as_str()),
            None => context! { scope => facts.viewer.as_str() },
        },
        totals => Value::from_safe_string(facts.totals.into()),
        bans => facts.bans,
        lang => facts.lang,
    }
}

pub(super) fn empty(facts: &EmptyFacts<'_>) -> Value {
    context! {
        search => facts.search,
        filter => facts.filter,
        clear => facts.clear,
        viewer => context! { scope => facts.viewer.as_str() },
        group => guid(facts.guid),
        lang => facts.lang,
    }
}

pub(super) fn error(facts: &ErrorFacts<'_>) -> Value {
    context! { code => facts.code, title => facts.title, detail => facts.detail, lang => facts.lang }
}

pub(super) fn loading(facts: &LoadingFacts<'_>) -> Value {
    context! { viewer => context! { scope => facts.viewer.as_str() }, group => guid(facts.guid), lang => facts.lang }
}

pub(super) fn options(facts: &MenuFacts<'_>) -> Value {
    let (option, link, acts) = (facts.entries.clone(), facts.entries.clone(), facts.entries.clone());
    context! {
        group => group(facts.group, facts.members, facts.online),
        viewer => viewer(facts.viewer, facts.uid.as_str()),
        member => member(facts.member, facts.status),
        own => facts.own,
        lang => facts.lang,
        option => Value::from_function(move |id: &str, label: &str| Value::from_safe_string(option.option(id, label))),
        link => Value::from_function(move |url: &str, label: &str| {
            let entry = link.link(url, label).map(Value::from_safe_string);
            entry.map_err(|bad| Error::new(ErrorKind::InvalidOperation, bad.to_string()))
        }),
        acts => Value::from_function(move || Value::from_safe_string(acts.acts().into())),
    }
}

fn member(member: &Member, status: Option<Status>) -> Value {
    // A template does not know whom it is drawn for: who is muted is not in it.
    let record = MemberRecord::new(member, status).with_ends(member, None);
    let MemberRecord { uid, name: _, avatar, scope, status, joined_at, muted_until: _, scope_until } = record;
    context! { uid, name => member.shown_name(), avatar, scope, status, joinedAt => joined_at, scopeUntil => scope_until }
}

fn viewer(scope: Scope, uid: &str) -> Value {
    context! { scope => scope.as_str(), uid => uid }
}

fn guid(guid: &Guid) -> Value {
    context! { guid => guid.as_str() }
}

fn group(group: &Group, members: usize, online: Option<usize>) -> Value {
    context! {
        guid => group.guid.as_str(),
        name => group.shown_name(),
        type => group.group_type.as_str(),
        description => group.description.as_deref(),
        icon => group.icon.as_deref(),
        membersCount => members,
        onlineMembersCount => online,
    }
}
