//! The members' Atom feed: what happened in a group, newest first.

use std::borrow::Cow;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::domain::{Author, EventKind, LoggedEvent, Uid, rfc3339};
use crate::http::extract::{GroupAccess, RequestInfo, Viewer, page_range};
use crate::http::problem::Problem;
use crate::http::respond::conditional::{etag, is_known, tagged};
use crate::http::stream::swaps::{is_about, is_shown_to};
use crate::i18n::{Message, key};
use crate::live::GroupState;
use crate::views::{AtomEntry, AtomFeed, Props, ViewContext, event_in_feed, moderator_message};

/// Changes of a feed, unless `limit` says otherwise.
const CHANGES: usize = 50;
/// Most times that the log is read for a feed. Then its viewer gets fewer changes.
const MAX_READS: usize = 20;
/// Begins the ids of feeds and entries: they stay when the service moves to another address.
const TAG: &str = "tag:chat-group-members,2026:";

/// The newest changes that this viewer may see. Readers come often and mostly for nothing, so that the
/// log is read only when something has happened since.
///
/// # Errors
/// 422 when a prop or a position has a value that is not allowed; when the database cannot be read, or the feed cannot be
/// written.
pub(super) async fn show(
    app: &App,
    access: &GroupAccess,
    viewer: &Viewer,
    info: &RequestInfo,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let props = Props::parse(info.pairs(), app.clock().now())?;
    // Feeds have no pages, but an invalid position is refused as everywhere.
    page_range::parse(info, &props)?;
    let context = access.context(app, viewer, props)?;
    let (scope, lang) = (access.scope.index(), info.lang.tag());
    let (id, rewritten_seq) = {
        let state = access.group.state();
        (state.last_id(), state.rewritten_seq())
    };
    let name = format!("atom {} {id} {rewritten_seq} {scope} {lang} {}", access.group.guid(), info.query);
    let etag = etag(app, viewer, info, &name);
    if is_known(headers, &etag) {
        return Ok(tagged(StatusCode::NOT_MODIFIED.into_response(), &etag));
    }
    let changes = newest_changes(app, access, viewer.uid(), context.props.limit.unwrap_or(CHANGES)).await?;
    let state = access.group.state();
    Ok(tagged(written(&context, access, viewer.uid(), &state, &changes)?, &etag))
}

/// The newest changes that this viewer may see, so many of them: whom a note is about decides who may see it, so that more are read
/// where some were left out.
async fn newest_changes(
    app: &App,
    access: &GroupAccess,
    viewer: &Uid,
    at_most: usize,
) -> Result<Vec<LoggedEvent>, Problem> {
    let mut reader = app.store().read().await?;
    let (read_at_once, mut changes, mut before) = (CHANGES.max(at_most), Vec::new(), i64::MAX as u64);
    let participant = Some(viewer).filter(|_| !access.scope.is_staff());
    for _ in 0..MAX_READS {
        let read = reader.newest_events(access.group.guid(), before, read_at_once, participant).await?;
        let is_end = read.len() < read_at_once;
        before = read.last().map_or(before, |event| event.seq);
        let is_shown = |event: &LoggedEvent| is_shown_to(access.scope, Some(viewer), event, &access.group.state());
        changes.extend(read.into_iter().filter(is_shown));
        if is_end || changes.len() >= at_most {
            break;
        }
    }
    changes.truncate(at_most);
    Ok(changes)
}

/// The feed of these changes. Reasons are not in it, and messages only for the viewer whom they are for.
fn written(
    context: &ViewContext,
    access: &GroupAccess,
    viewer: &Uid,
    state: &GroupState,
    changes: &[LoggedEvent],
) -> Result<Response, Problem> {
    let at = |event: &LoggedEvent| rfc3339(event.at);
    let feed = AtomFeed {
        id: format!("{TAG}{}", context.guid),
        title: Message::from(key::FEED_TITLE).with("group", state.roster().group().shown_name()).text(context.lang),
        // A group of which nothing is known to have happened has not changed since time began.
        updated: changes.first().map_or_else(|| rfc3339(0), at),
        own: context.href_with("format=atom"),
        list: context.href(),
        entries: changes.iter().map(|event| entry(context, access, viewer, state, event)).collect(),
    };
    Ok(([(header::CONTENT_TYPE, "application/atom+xml; charset=utf-8")], feed.to_xml()?).into_response())
}

fn entry<'a>(
    context: &ViewContext,
    access: &GroupAccess,
    viewer: &Uid,
    state: &GroupState,
    event: &'a LoggedEvent,
) -> AtomEntry<'a> {
    let author = author(context, event);
    AtomEntry {
        id: format!("{TAG}{}/{}", context.guid, access.group.id(event.seq)),
        updated: rfc3339(event.at),
        href: href(context, state, event),
        title: event_in_feed(event, &author).text(context.lang),
        summary: told(context, viewer, event),
        author,
    }
}

/// What the viewer was told with a change of themselves: until when they are muted, and the message.
fn told(context: &ViewContext, viewer: &Uid, event: &LoggedEvent) -> Option<String> {
    if !is_about(event, viewer) {
        return None;
    }
    let end = event.until.filter(|_| event.kind == EventKind::MemberMuted);
    let end = end.map(|until| Message::from(key::MUTED_YOU).at(until));
    let sentences = end.into_iter().chain(event.message.as_deref().map(moderator_message));
    let words: Vec<String> = sentences.map(|sentence| sentence.text(context.lang)).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The member it is about as long as they are one; then, and otherwise, the list.
fn href(context: &ViewContext, state: &GroupState, event: &LoggedEvent) -> String {
    let about = event.touched.first().filter(|touched| state.roster().get(touched.uid.as_str()).is_some());
    about.map_or_else(|| context.href(), |touched| context.urls().member(&touched.uid))
}

/// The author of a change, as far as this viewer may know.
fn author<'a>(context: &ViewContext, event: &'a LoggedEvent) -> Cow<'a, str> {
    match event.author(context.scope.is_staff()) {
        Author::Person(by) => by.shown_name(),
        Author::Hidden => context.lang.text(key::THE_TEAM).into(),
        Author::Host => context.lang.text(key::THE_HOST).into(),
    }
}
