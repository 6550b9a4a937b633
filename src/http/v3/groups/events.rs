//! `/v3/groups/{guid}/events`: the log, for hosts that read it themselves.

use std::ops::RangeInclusive;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::domain::Guid;
use crate::http::openapi::{EventPath, GroupPath, log_entry};
use crate::http::respond::reply;
use crate::http::v3::error::V3Error;
use crate::http::v3::request::auth::Caller;
use crate::http::v3::request::paging::Query;
use crate::http::v3::request::path::Path;
use crate::store::{Feed, FeedEvent, Reader};
use crate::webhooks::{CountsRecord, GroupEvent, PersonRecord};

/// Entries of a page, unless said otherwise.
const DEFAULT_LIMIT: u64 = 100;
/// Most entries of a page.
const MAX_LIMIT: u64 = 1000;

/// Which events.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(in crate::http::v3) struct EventsAfter {
    /// Number of the last event that is known.
    #[param(minimum = 0, maximum = 9_223_372_036_854_775_807i64, default = 0)]
    after: Option<u64>,
    /// The history of events that `after` counts.
    #[param(pattern = "^[^\\u0000]*$")]
    epoch: Option<String>,
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u64>,
}

/// Which people.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(in crate::http::v3) struct PeopleAfter {
    /// `meta.next` of the page before.
    #[param(pattern = "^[^\\u0000]*$")]
    cursor: Option<String>,
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u64>,
}

/// A page of the log.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"data": [log_entry()], "meta": {"epoch": "8c1d2e4f5a6b7c8d", "seq": 412, "rewritten": 0, "next": null}}))]
pub(in crate::http::v3) struct EventPage {
    data: Vec<Event>,
    meta: EventsMeta,
}

/// An event under the id that webhooks deliver it with.
#[derive(Debug, Serialize, ToSchema)]
struct Event {
    id: String,
    /// What happened, such as `member.joined`.
    r#type: String,
    /// When, RFC 3339.
    timestamp: String,
    data: GroupEvent,
}

/// Where in the log a page is.
#[derive(Debug, Serialize, ToSchema)]
struct EventsMeta {
    /// The history of events that the numbers count.
    epoch: String,
    /// The number of the group's last event.
    seq: u64,
    /// The number of the last event when the erasure of a person rewrote the log.
    rewritten: u64,
    /// The number to go on after; null at the end.
    #[schema(required)]
    next: Option<u64>,
}

/// A page of the people whom an event touched.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"data": [{"uid": "dee", "name": "Dee", "avatar": null, "scope": "moderator", "joinedAt": 1700000000, "old": "participant", "new": "moderator"}], "meta": {"epoch": "c3RhcnQ", "counts": {"touched": 1, "joined": 0, "left": 0, "changed": 1}, "next": null}}))]
pub(in crate::http::v3) struct PeoplePage {
    data: Vec<PersonRecord>,
    meta: PeopleMeta,
}

/// Where among the people of an event a page is.
#[derive(Debug, Serialize, ToSchema)]
struct PeopleMeta {
    /// The history of events that the numbers count.
    epoch: String,
    counts: CountsRecord,
    /// The cursor of the next page; null at the end.
    #[schema(required)]
    next: Option<String>,
}

/// The log, oldest first.
///
/// Also of a group that was deleted. Events have the ids and payloads of webhooks. A page of fewer than `limit` has more behind it
/// where `meta.next` says so: it ends with the event with which 5,000 people are listed. `meta.rewritten` is the number of
/// the last event when the erasure of a person rewrote the log: where it is another than before, take a snapshot.
#[utoipa::path(get, path = "/groups/{guid}/events", operation_id = "listEvents", tag = "Groups",
    params(GroupPath, EventsAfter),
    responses(
        (status = 200, description = "A page of it.", body = EventPage),
        (status = 410, description = "`ERR_EVENTS_GONE`: the log does not keep events since then, or has another epoch; take a snapshot.",
            body = ref("#/components/schemas/ErrorAnswer"),
            example = json!({"error": {"code": "ERR_EVENTS_GONE", "message": "The log does not keep events since then, or has another epoch: take a snapshot and go on from its number.", "details": {}}}))))]
pub(in crate::http::v3) async fn list(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    mut query: Query,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let (after, limit) = (number(&mut query, "after", 0, 0..=i64::MAX as u64)?, limit(&mut query)?);
    let epoch = query.take_nonempty("epoch")?;
    query.end()?;
    let mut reader = app.store().read().await?;
    let feed = feed(&app, &mut reader, &guid, after, limit).await?;
    let is_of_another = epoch.is_some_and(|epoch| epoch != feed.epoch);
    if is_of_another || after + 1 < feed.first || after > feed.head {
        return Err(V3Error::events_gone());
    }
    Ok(reply::json(&EventPage::of(feed, after, &app.base()))?)
}

/// Whom an event touched, in the order of uids.
#[utoipa::path(get, path = "/groups/{guid}/events/{seq}/members", operation_id = "listPeopleOfEvent", tag = "Groups",
    params(EventPath, PeopleAfter),
    responses(
        (status = 200, description = "A page of them.", body = PeoplePage),
        (status = 410, description = "`ERR_EVENTS_GONE`: the log does not keep this event.",
            body = ref("#/components/schemas/ErrorAnswer"),
            example = json!({"error": {"code": "ERR_EVENTS_GONE", "message": "The log does not keep events since then, or has another epoch: take a snapshot and go on from its number.", "details": {}}}))))]
pub(in crate::http::v3) async fn members(
    State(app): State<App>,
    caller: Caller,
    Path((guid, seq)): Path<(String, String)>,
    mut query: Query,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let limit = limit(&mut query)?;
    let cursor = query.take("cursor")?.unwrap_or_default();
    query.end()?;
    let seq: u64 = seq.parse().ok().filter(|seq| (1..=i64::MAX as u64).contains(seq)).ok_or_else(V3Error::no_event)?;
    let mut reader = app.store().read().await?;
    let feed = feed_of_event(&app, &mut reader, &guid, seq).await?;
    let guid = &feed.group.group.guid;
    let counts = CountsRecord::from(reader.counts_of_event(guid, seq).await?);
    let people = reader.people_of_event(guid, seq, &cursor, limit + 1).await?;
    let next = people.get(limit).and(people.get(limit - 1)).map(|person| person.uid.to_string());
    let data = people.iter().take(limit).map(PersonRecord::in_list).collect();
    Ok(reply::json(&PeoplePage { data, meta: PeopleMeta { epoch: feed.epoch, counts, next } })?)
}

async fn feed(app: &App, reader: &mut Reader, guid: &str, after: u64, limit: usize) -> Result<Feed, V3Error> {
    let guid: Guid = guid.parse().map_err(|_| V3Error::no_group())?;
    let members = app.hub().members_in_memory(&guid);
    reader.feed(&guid, after, limit, members).await?.ok_or_else(V3Error::no_group)
}

/// The part of the log that has this event.
async fn feed_of_event(app: &App, reader: &mut Reader, guid: &str, seq: u64) -> Result<Feed, V3Error> {
    let feed = feed(app, reader, guid, seq - 1, 1).await?;
    if seq > feed.head {
        return Err(V3Error::no_event());
    }
    if seq < feed.first {
        return Err(V3Error::events_gone());
    }
    Ok(feed)
}

impl EventPage {
    /// What follows the event `after`. `base` begins the URLs of the service.
    fn of(feed: Feed, after: u64, base: &str) -> EventPage {
        let data = feed.events.iter().map(|event| Event::of(&feed, event, base)).collect();
        let last = feed.events.last().map_or(after, |event| event.seq);
        let next = (last < feed.head).then_some(last);
        EventPage { data, meta: EventsMeta { epoch: feed.epoch, seq: feed.head, rewritten: feed.rewritten, next } }
    }
}

impl Event {
    fn of(feed: &Feed, event: &FeedEvent, base: &str) -> Event {
        let data = GroupEvent::of(feed, event, base);
        Event { id: event.id.clone(), r#type: event.kind.event_type(), timestamp: data.at.clone(), data }
    }
}

fn limit(query: &mut Query) -> Result<usize, V3Error> {
    Ok(number(query, "limit", DEFAULT_LIMIT, 1..=MAX_LIMIT)? as usize)
}

fn number(query: &mut Query, name: &str, usual: u64, range: RangeInclusive<u64>) -> Result<u64, V3Error> {
    match query.take(name)? {
        None => Ok(usual),
        Some(text) => text
            .parse()
            .ok()
            .filter(|number| range.contains(number))
            .ok_or_else(|| V3Error::invalid(name, format!("a number from {} to {}", range.start(), range.end()))),
    }
}
