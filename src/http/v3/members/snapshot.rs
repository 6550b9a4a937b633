//! Everybody in a group as NDJSON: one consistent snapshot, streamed.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{OneOfBuilder, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::lines::{NDJSON, add, line, named, text_of};
use crate::app::App;
use crate::domain::{Member, Search, Uid, rfc3339};
use crate::http::extract::text;
use crate::http::respond::reply::as_of;
use crate::http::v3::error::V3Error;
use crate::http::v3::records::MemberLine;
use crate::http::v3::request::auth::Caller;
use crate::live::LiveGroup;
use crate::quality_values::quality_values;
use crate::roster::Filter;
use crate::store::{RestrictionKind, RestrictionsFrom};

/// Members that are written at once.
const CHUNK: usize = 200;

/// The body of a snapshot, which is only described.
pub(super) struct SnapshotLines;

impl PartialSchema for SnapshotLines {
    fn schema() -> RefOr<Schema> {
        let line = OneOfBuilder::new().item(named::<SnapshotHead<'static>>()).item(named::<MemberLine<'static>>());
        text_of(line, "A line `SnapshotHead`, then a line `SnapshotMember` for each member.")
    }
}

impl ToSchema for SnapshotLines {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        add::<SnapshotHead<'static>>(schemas);
        add::<MemberLine<'static>>(schemas);
    }
}

/// The first line of a snapshot: where it stands in the log, and how many lines follow.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({"epoch": "8c1d2e4f5a6b7c8d", "seq": 412, "count": 41}))]
pub(super) struct SnapshotHead<'a> {
    /// The history of events that `seq` counts.
    epoch: &'a str,
    /// The last event that it includes.
    seq: u64,
    /// The number of members.
    count: usize,
    /// Of people who have left; for the host and for moderators and up, and only where there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mutes: Vec<MuteRecord>,
}

/// Somebody who may not speak and has left.
#[derive(Serialize, ToSchema)]
#[schema(as = SnapshotMute)]
struct MuteRecord {
    uid: Uid,
    /// RFC 3339.
    until: String,
}

/// Whether the caller would rather have NDJSON than JSON.
pub(super) fn is_wanted(headers: &HeaderMap) -> bool {
    let accept = text(headers, header::ACCEPT.as_str()).unwrap_or_default();
    let weight = |kind: &str| {
        let mut offers = quality_values(accept).filter(|(value, _)| value.eq_ignore_ascii_case(kind));
        offers.next().and_then(|(_, weight)| weight).unwrap_or(0.0)
    };
    weight(NDJSON) > 0.0 && weight(NDJSON) >= weight("application/json")
}

/// The mutes of people who left. They are read after the members, so a mute that began or ended meanwhile is also in
/// the log, which continues from the members.
async fn mutes_of_others(app: &App, group: &LiveGroup, members: &[Arc<Member>]) -> Result<Vec<MuteRecord>, V3Error> {
    let listed: HashSet<&str> =
        members.iter().filter(|member| member.muted().is_some()).map(|member| member.uid()).collect();
    let mut reader = app.store().read().await?;
    let (kind, everybody) = (RestrictionKind::Mute, RestrictionsFrom::Offset(0));
    let (_, mutes) = reader.restrictions(kind, group.guid(), &Search::default(), everybody, usize::MAX).await?;
    let others = mutes.into_iter().filter(|mute| !listed.contains(mute.uid.as_str()));
    Ok(others.filter_map(|mute| Some(MuteRecord { until: rfc3339(mute.until?), uid: mute.uid })).collect())
}

/// The snapshot: first where it stands in the log, with the mutes of people who left, then a member a line. It is one of pointers to the members in
/// memory, so that a slow reader holds neither the group nor a transaction, and it costs nine bytes a member.
///
/// # Errors
/// When the database cannot be read.
pub(super) async fn stream(app: &App, caller: &Caller, group: Arc<LiveGroup>) -> Result<Response, V3Error> {
    app.hub().refresh(&group).await?;
    let now = app.clock().now();
    let (id, members, statuses, sees_mutes) = {
        let state = group.state();
        let members = state.roster().page(&Filter::default(), 0, state.roster().len());
        let statuses = state.roster().statuses(&members);
        (state.last_id(), members, statuses, caller.sees_mutes(&state, now))
    };
    let mutes = if sees_mutes { mutes_of_others(app, &group, &members).await? } else { Vec::new() };
    let own = caller.user.clone();
    let head = line(&SnapshotHead { epoch: &id.epoch, seq: id.seq, count: members.len(), mutes });
    let lines = async_stream::stream! {
        yield Ok::<_, Infallible>(head);
        for (members, statuses) in members.chunks(CHUNK).zip(statuses.chunks(CHUNK)) {
            let mut text = String::with_capacity(CHUNK * 160);
            for (member, status) in members.iter().zip(statuses) {
                let sees_mute = sees_mutes || own.as_ref().is_some_and(|own| own.as_str() == member.uid());
                let muted_until = member.muted_at(now).filter(|_| sees_mute).map(|muted| muted.until);
                let value = MemberLine::of(member, *status, muted_until);
                text.push_str(&serde_json::to_string(&value).expect("a member is JSON"));
                text.push('\n');
            }
            yield Ok(Bytes::from(text));
        }
    };
    let headers = [(header::CONTENT_TYPE, NDJSON), (header::CACHE_CONTROL, "no-store")];
    Ok(as_of((headers, Body::from_stream(lines)).into_response(), &id))
}
