//! The members' Atom feed: what happened in a group, newest first.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::face::{Ask, Face};
use super::json::moment;
use super::problem::Problem;
use super::seat::Seat;
use crate::app::App;
use crate::domain::{Kind, Logged, Scope, Standing, rules};
use crate::live::State;
use crate::views::{Entry, Feed, Look, Props};

/// Changes of a feed, unless `limit` says otherwise.
const CHANGES: usize = 50;
/// Stands for the person where the host's own server did it.
const HOST: &str = "The host";
/// Begins the ids of feeds and entries: they stay when the service moves to another address.
const TAG: &str = "tag:chat-group-members,2026:";

/// The newest changes that this viewer may see, for a feed; of nothing else anybody wants to know them.
pub async fn changes(app: &App, seat: &Seat, ask: &Ask) -> Result<Vec<Logged>, Problem> {
    if ask.face != Face::Atom {
        return Ok(Vec::new());
    }
    let at_most = Props::parse(ask.pairs())?.limit.unwrap_or(CHANGES);
    let unbans = rules::see_bans(Standing::Member(seat.scope)).is_ok();
    Ok(app.store().read().await?.newest_events(seat.room.guid(), at_most, unbans).await?)
}

/// The feed of these changes. Reasons are not in it.
pub fn written(look: &Look, seat: &Seat, state: &State, changes: &[Logged]) -> Result<Response, Problem> {
    let at = |event: &Logged| moment(event.at);
    let feed = Feed {
        id: format!("{TAG}{}", look.guid),
        title: format!("Changes in {}", state.roster().group().name),
        // A group of which nothing is known to have happened has not changed since time began.
        updated: changes.first().map_or_else(|| moment(0), at),
        own: look.href_with("format=atom"),
        list: look.href(),
        entries: changes.iter().map(|event| entry(look, seat, state, event)).collect(),
    };
    Ok(([(header::CONTENT_TYPE, "application/atom+xml; charset=utf-8")], feed.written()?).into_response())
}

fn entry<'a>(look: &Look, seat: &Seat, state: &State, event: &'a Logged) -> Entry<'a> {
    let words = words(event);
    Entry {
        id: format!("{TAG}{}/{}", look.guid, seat.room.id(event.seq)),
        updated: moment(event.at),
        author: words.by,
        href: href(look, state, event),
        title: in_english(words),
    }
}

/// The member it is about as long as they are one; then, and otherwise, the list.
fn href(look: &Look, state: &State, event: &Logged) -> String {
    let about = event.touched.first().filter(|touched| state.roster().get(touched.uid.as_str()).is_some());
    about.map_or_else(|| look.href(), |touched| format!("{}/{}", look.href(), touched.uid))
}

/// A change in words: a message's key, and who did it to whom.
struct Words<'a> {
    key: &'static str,
    by: &'a str,
    name: &'a str,
}

fn words(event: &Logged) -> Words<'_> {
    let touched = event.touched.first();
    let name = touched.map_or("", |touched| touched.name.as_deref().unwrap_or(touched.uid.as_str()));
    let key = match event.kind {
        Kind::MemberJoined => "feed-joined",
        Kind::MemberAdded => "feed-added",
        Kind::MemberLeft => "feed-left",
        Kind::MemberKicked => "feed-kicked",
        Kind::MemberBanned => "feed-banned",
        Kind::MemberUnbanned => "feed-unbanned",
        Kind::MemberScopeChanged => match touched.and_then(|touched| touched.new) {
            Some(Scope::Owner) => "feed-owner",
            Some(Scope::Admin) => "feed-scope-admin",
            Some(Scope::Moderator) => "feed-scope-moderator",
            Some(Scope::Participant) | None => "feed-scope-participant",
        },
        Kind::OwnerTransferred => "feed-owner",
        Kind::MemberUpdated => "feed-updated",
        Kind::MembersSynced => "feed-synced",
        Kind::GroupUpdated => "feed-group-updated",
        Kind::GroupDeleted => "feed-group-deleted",
    };
    Words { key, by: event.by.as_ref().map_or(HOST, |by| &by.name), name }
}

fn in_english(Words { key, by, name }: Words<'_>) -> String {
    match key {
        "feed-joined" => format!("{name} joined"),
        "feed-added" => format!("{by} added {name}"),
        "feed-left" => format!("{name} left"),
        "feed-kicked" => format!("{by} removed {name}"),
        "feed-banned" => format!("{by} banned {name}"),
        "feed-unbanned" => format!("{by} lifted the ban of {name}"),
        "feed-scope-admin" => format!("{by} made {name} admin"),
        "feed-scope-moderator" => format!("{by} made {name} moderator"),
        "feed-scope-participant" => format!("{by} made {name} participant"),
        "feed-owner" => format!("{name} owns the group now"),
        "feed-updated" => format!("{name} has a new name or picture"),
        "feed-synced" => "The members were brought in step with the host".into(),
        "feed-group-updated" => "The group's name, picture or description changed".into(),
        _ => "The group was deleted".into(),
    }
}
