//! The members' Atom feed: what happened in a group, newest first.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::domain::{By, Kind, Logged, Scope, Standing, Touched, rules};
use crate::http::extract::{Ask, Seat, Viewer, page_range};
use crate::http::problem::Problem;
use crate::http::respond::conditional::{etag, is_known, tagged};
use crate::http::respond::json::moment;
use crate::lang::{Said, key};
use crate::live::State;
use crate::views::{Entry, Feed, Look, Props};

/// Changes of a feed, unless `limit` says otherwise.
const CHANGES: usize = 50;
/// Begins the ids of feeds and entries: they stay when the service moves to another address.
const TAG: &str = "tag:chat-group-members,2026:";

/// The newest changes that this viewer may see. Readers come often and mostly for nothing, so that the
/// log is read only when something has happened since.
pub async fn show(
    app: &App,
    seat: &Seat,
    viewer: &Viewer,
    ask: &Ask,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let (seq, scope, lang) = (seat.room.state().roster().seq(), seat.scope.section(), ask.lang.tag());
    let etag = etag(app, viewer, ask, &format!("atom {} {seq} {scope} {lang} {}", seat.room.guid(), ask.query));
    if is_known(headers, &etag) {
        return Ok(tagged(StatusCode::NOT_MODIFIED.into_response(), &etag));
    }
    let props = Props::parse(ask.pairs())?;
    // A feed has no windows, but a place that is none is refused as everywhere.
    page_range::asked(ask, &props)?;
    let look = seat.look(app, viewer, props)?;
    let at_most = look.props.limit.unwrap_or(CHANGES);
    let unbans = rules::see_bans(Standing::Member(seat.scope)).is_ok();
    let changes = app.store().read().await?.newest_events(seat.room.guid(), at_most, unbans).await?;
    Ok(tagged(written(&look, seat, &seat.room.state(), &changes)?, &etag))
}

/// The feed of these changes. Reasons are not in it.
fn written(look: &Look, seat: &Seat, state: &State, changes: &[Logged]) -> Result<Response, Problem> {
    let at = |event: &Logged| moment(event.at);
    let feed = Feed {
        id: format!("{TAG}{}", look.guid),
        title: Said::from(key::FEED_TITLE).with("group", state.roster().group().shown_name()).text(look.lang),
        // A group of which nothing is known to have happened has not changed since time began.
        updated: changes.first().map_or_else(|| moment(0), at),
        own: look.href_with("format=atom"),
        list: look.href(),
        entries: changes.iter().map(|event| entry(look, seat, state, event)).collect(),
    };
    Ok(([(header::CONTENT_TYPE, "application/atom+xml; charset=utf-8")], feed.written()?).into_response())
}

fn entry<'a>(look: &Look, seat: &Seat, state: &State, event: &'a Logged) -> Entry<'a> {
    Entry {
        id: format!("{TAG}{}/{}", look.guid, seat.room.id(event.seq)),
        updated: moment(event.at),
        author: event.by.as_ref().map_or_else(|| look.lang.text(key::THE_HOST).into(), By::shown_name),
        href: href(look, state, event),
        title: words(event).text(look.lang),
    }
}

/// The member it is about as long as they are one; then, and otherwise, the list.
fn href(look: &Look, state: &State, event: &Logged) -> String {
    let about = event.touched.first().filter(|touched| state.roster().get(touched.uid.as_str()).is_some());
    about.map_or_else(|| look.href(), |touched| format!("{}/{}", look.href(), touched.uid))
}

/// A change in words.
fn words(event: &Logged) -> Said {
    let touched = event.touched.first();
    let name = touched.map_or("".into(), Touched::shown_name);
    let said = Said::from(match event.kind {
        Kind::MemberJoined => key::FEED_JOINED,
        Kind::MemberAdded => key::FEED_ADDED,
        Kind::MemberLeft => key::FEED_LEFT,
        Kind::MemberKicked => key::FEED_KICKED,
        Kind::MemberBanned => key::FEED_BANNED,
        Kind::MemberUnbanned => key::FEED_UNBANNED,
        Kind::MemberScopeChanged => match touched.and_then(|touched| touched.new) {
            Some(Scope::Owner) => key::FEED_OWNER,
            Some(Scope::Admin) => key::FEED_SCOPE_ADMIN,
            Some(Scope::Moderator) => key::FEED_SCOPE_MODERATOR,
            Some(Scope::Participant) | None => key::FEED_SCOPE_PARTICIPANT,
        },
        Kind::OwnerTransferred => key::FEED_OWNER,
        Kind::MemberUpdated => key::FEED_UPDATED,
        Kind::MembersSynced => key::FEED_SYNCED,
        Kind::GroupUpdated => key::FEED_GROUP_UPDATED,
        Kind::GroupDeleted => key::FEED_GROUP_DELETED,
    });
    let said = said.with("name", name);
    match &event.by {
        Some(by) => said.with("by", by.shown_name()),
        None => said.message("by", key::THE_HOST),
    }
}
