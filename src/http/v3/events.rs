//! `/v3/groups/{guid}/events`: the log, for hosts that read it themselves.

use std::ops::RangeInclusive;

use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};
use utoipa::IntoParams;

use super::auth::Caller;
use super::error::V3Error;
use super::paging::Query;
use super::path::Path;
use crate::app::App;
use crate::domain::Guid;
use crate::http::openapi::GroupPath;
use crate::http::respond::reply;
use crate::store::{Feed, FeedEvent, Reader};
use crate::webhooks::{CountsRecord, Payload, PersonRecord};

/// Entries of a page, unless said otherwise.
const LIMIT: u64 = 100;
/// Most entries of a page.
const MOST: u64 = 1000;

/// Which events.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(super) struct EventsAfter {
    /// Number of the last event that is known.
    #[param(minimum = 0, maximum = 9_223_372_036_854_775_807i64, default = 0)]
    after: Option<u64>,
    /// The history of events that `after` counts.
    epoch: Option<String>,
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u64>,
}

/// Which people.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(super) struct PeopleAfter {
    /// `meta.next` of the page before.
    cursor: Option<String>,
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u64>,
}

/// The log, oldest first.
///
/// Also of a group that was deleted. Events have the ids and payloads of webhooks. `meta.rewritten` is the number of
/// the last event when the erasure of a person rewrote the log: where it is another than before, take a snapshot.
#[utoipa::path(get, path = "/groups/{guid}/events", operation_id = "listEvents", tag = "Groups",
    params(GroupPath, EventsAfter),
    responses(
        (status = 200, description = "`data`: events; `meta`: `epoch`, `seq`, `rewritten`, and `next`, the number to go on after, null at the end.",
            body = serde_json::Value),
        (status = 410, description = "`ERR_EVENTS_GONE`: the log does not keep events since then, or has another epoch; take a snapshot.",
            body = ref("#/components/schemas/ErrorAnswer"))))]
pub(super) async fn list(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    mut query: Query,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let (after, limit) = (number(&mut query, "after", 0, 0..=i64::MAX as u64)?, limit(&mut query)?);
    let epoch = query.take("epoch");
    query.end()?;
    let mut reader = app.store().read().await?;
    let feed = feed(&mut reader, &guid, after, limit).await?;
    let is_of_another = epoch.is_some_and(|epoch| epoch != feed.epoch);
    if is_of_another || after + 1 < feed.first || after > feed.head {
        return Err(V3Error::events_gone());
    }
    let base = app.base();
    let data: Vec<Value> = feed.events.iter().map(|event| entry(&feed, event, &base)).collect();
    let last = feed.events.last().map_or(after, |event| event.seq);
    let next = (last < feed.head).then_some(last);
    let meta = json!({"epoch": feed.epoch, "seq": feed.head, "rewritten": feed.rewritten, "next": next});
    Ok(reply::json(&json!({"data": data, "meta": meta}))?)
}

/// Whom an event touched, in the order of uids.
#[utoipa::path(get, path = "/groups/{guid}/events/{seq}/members", operation_id = "listPeopleOfEvent", tag = "Groups",
    params(GroupPath, ("seq" = u64, Path, description = "The event's number."), PeopleAfter),
    responses(
        (status = 200, description = "`data`: people; `meta`: `epoch`, `counts`, and `next`, the cursor of the next page, null at the end.",
            body = serde_json::Value),
        (status = 410, description = "`ERR_EVENTS_GONE`: the log does not keep this event.",
            body = ref("#/components/schemas/ErrorAnswer"))))]
pub(super) async fn members(
    State(app): State<App>,
    caller: Caller,
    Path((guid, seq)): Path<(String, String)>,
    mut query: Query,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let limit = limit(&mut query)?;
    let cursor = query.take("cursor").unwrap_or_default();
    query.end()?;
    let seq: u64 = seq.parse().ok().filter(|seq| (1..=i64::MAX as u64).contains(seq)).ok_or_else(V3Error::no_event)?;
    let mut reader = app.store().read().await?;
    let feed = feed(&mut reader, &guid, seq - 1, 1).await?;
    if seq > feed.head {
        return Err(V3Error::no_event());
    }
    if seq < feed.first {
        return Err(V3Error::events_gone());
    }
    let guid = &feed.group.group.guid;
    let counts = CountsRecord::from(reader.counts_of_event(guid, seq).await?);
    let people = reader.people_of_event(guid, seq, &cursor, limit + 1).await?;
    let next = people.get(limit).and(people.get(limit - 1)).map(|person| person.uid.to_string());
    let data: Vec<PersonRecord> = people.iter().take(limit).map(PersonRecord::in_list).collect();
    let meta = json!({"epoch": feed.epoch, "counts": counts, "next": next});
    Ok(reply::json(&json!({"data": data, "meta": meta}))?)
}

async fn feed(reader: &mut Reader, guid: &str, after: u64, limit: usize) -> Result<Feed, V3Error> {
    let guid: Guid = guid.parse().map_err(|_| V3Error::no_group())?;
    reader.feed(&guid, after, limit).await?.ok_or_else(V3Error::no_group)
}

/// An event under the id that webhooks deliver it with.
fn entry(feed: &Feed, event: &FeedEvent, base: &str) -> Value {
    let mut entry = json!(Payload::of_event(feed, event, base));
    entry["id"] = json!(event.id);
    entry
}

fn limit(query: &mut Query) -> Result<usize, V3Error> {
    Ok(number(query, "limit", LIMIT, 1..=MOST)? as usize)
}

fn number(query: &mut Query, name: &str, usual: u64, range: RangeInclusive<u64>) -> Result<u64, V3Error> {
    match query.take(name) {
        None => Ok(usual),
        Some(text) => text
            .parse()
            .ok()
            .filter(|number| range.contains(number))
            .ok_or_else(|| V3Error::invalid(name, format!("a number from {} to {}", range.start(), range.end()))),
    }
}
