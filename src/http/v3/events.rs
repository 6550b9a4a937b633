//! `/v3/groups/{guid}/events`: the log, for hosts that read it themselves.

use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::{Value, json};

use super::auth::Caller;
use super::error::Failure;
use super::paging::Query;
use crate::app::App;
use crate::domain::Guid;
use crate::http::respond::reply;
use crate::store::{Feed, FeedEvent, Reader};
use crate::webhooks::{CountsRecord, Payload, PersonRecord};

/// Entries of a page, unless said otherwise.
const LIMIT: u64 = 100;
/// Most entries of a page.
const MOST: u64 = 1000;

/// `GET /v3/groups/{guid}/events`: events after the number `after`, oldest first, also of a group that was deleted.
pub(super) async fn list(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    mut query: Query,
) -> Result<Response, Failure> {
    caller.must_be_host()?;
    let (after, limit) = (number(&mut query, "after", 0, i64::MAX as u64)?, limit(&mut query)?);
    let epoch = query.take("epoch");
    query.end()?;
    let mut reader = app.store().read().await?;
    let feed = feed(&mut reader, &guid, after, limit).await?;
    let is_of_another = epoch.is_some_and(|epoch| epoch != feed.epoch);
    if is_of_another || after + 1 < feed.first || after > feed.head {
        return Err(Failure::events_gone());
    }
    let base = app.base();
    let data: Vec<Value> = feed.events.iter().map(|event| entry(&feed, event, &base)).collect();
    let last = feed.events.last().map_or(after, |event| event.seq);
    let next = (last < feed.head).then_some(last);
    let meta = json!({"epoch": feed.epoch, "seq": feed.head, "next": next});
    Ok(reply::json(&json!({"data": data, "meta": meta}))?)
}

/// `GET /v3/groups/{guid}/events/{seq}/members`: whom an event touched, in the order of uids.
pub(super) async fn members(
    State(app): State<App>,
    caller: Caller,
    Path((guid, seq)): Path<(String, String)>,
    mut query: Query,
) -> Result<Response, Failure> {
    caller.must_be_host()?;
    let limit = limit(&mut query)?;
    let cursor = query.take("cursor").unwrap_or_default();
    query.end()?;
    let seq: u64 = seq.parse().ok().filter(|seq| (1..=i64::MAX as u64).contains(seq)).ok_or_else(Failure::no_event)?;
    let mut reader = app.store().read().await?;
    let feed = feed(&mut reader, &guid, seq - 1, 1).await?;
    if seq > feed.head {
        return Err(Failure::no_event());
    }
    if seq < feed.first {
        return Err(Failure::events_gone());
    }
    let guid = &feed.group.group.guid;
    let counts = CountsRecord::from(reader.counts_of_event(guid, seq).await?);
    let people = reader.people_of_event(guid, seq, &cursor, limit + 1).await?;
    let next = people.get(limit).and(people.get(limit - 1)).map(|person| person.uid.to_string());
    let data: Vec<PersonRecord> = people.iter().take(limit).map(PersonRecord::in_list).collect();
    let meta = json!({"epoch": feed.epoch, "counts": counts, "next": next});
    Ok(reply::json(&json!({"data": data, "meta": meta}))?)
}

async fn feed(reader: &mut Reader, guid: &str, after: u64, limit: usize) -> Result<Feed, Failure> {
    let guid: Guid = guid.parse().map_err(|_| Failure::no_group())?;
    reader.feed(&guid, after, limit).await?.ok_or_else(Failure::no_group)
}

/// An event under the id that webhooks deliver it with.
fn entry(feed: &Feed, event: &FeedEvent, base: &str) -> Value {
    let mut entry = json!(Payload::of_event(feed, event, base));
    entry["id"] = json!(event.id);
    entry
}

fn limit(query: &mut Query) -> Result<usize, Failure> {
    Ok(number(query, "limit", LIMIT, MOST)?.max(1) as usize)
}

fn number(query: &mut Query, name: &str, usual: u64, most: u64) -> Result<u64, Failure> {
    match query.take(name) {
        None => Ok(usual),
        Some(text) => text
            .parse()
            .ok()
            .filter(|number| *number <= most)
            .ok_or_else(|| Failure::invalid(name, format!("a number up to {most}"))),
    }
}
