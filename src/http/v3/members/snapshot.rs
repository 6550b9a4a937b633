//! Everybody in a group as NDJSON: one consistent snapshot, streamed.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::Serialize;
use serde_json::json;

use super::sync::{NDJSON, line};
use crate::app::App;
use crate::domain::{Member, Search, Uid};
use crate::http::extract::text;
use crate::http::respond::json::rfc3339;
use crate::http::respond::reply::as_of;
use crate::http::v3::error::V3Error;
use crate::http::v3::records::MemberLine;
use crate::http::v3::request::auth::Caller;
use crate::live::LiveGroup;
use crate::quality_values::quality_values;
use crate::roster::Filter;
use crate::store::RestrictionKind;

/// Members that are written at once.
const CHUNK: usize = 200;

/// Somebody who may not speak and has left.
#[derive(Serialize)]
struct MuteRecord {
    uid: Uid,
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
    let (_, mutes) =
        reader.restrictions(RestrictionKind::Mute, group.guid(), &Search::default(), 0, usize::MAX).await?;
    let others = mutes.into_iter().filter(|mute| !listed.contains(mute.uid.as_str()));
    Ok(others.filter_map(|mute| Some(MuteRecord { until: rfc3339(mute.until?), uid: mute.uid })).collect())
}

/// The snapshot: first where it stands in the log, with the mutes of people who left, then a member a line. It is one of pointers to the members in
/// memory, so that a slow reader holds neither the group nor a transaction, and it costs nine bytes a member.
pub(super) async fn stream(app: &App, caller: &Caller, group: Arc<LiveGroup>) -> Result<Response, V3Error> {
    app.hub().refresh(&group).await?;
    let (id, members, statuses, sees_mutes) = {
        let state = group.state();
        let members = state.roster().page(&Filter::default(), 0, state.roster().len());
        let statuses = state.roster().statuses(&members);
        (state.last_id(), members, statuses, caller.sees_mutes(&state))
    };
    let mutes = if sees_mutes { mutes_of_others(app, &group, &members).await? } else { Vec::new() };
    let own = caller.user.clone();
    let mut head = json!({"epoch": &*id.epoch, "seq": id.seq, "count": members.len()});
    if !mutes.is_empty() {
        head["mutes"] = json!(mutes);
    }
    let head = line(&head);
    let lines = async_stream::stream! {
        yield Ok::<_, Infallible>(head);
        for (members, statuses) in members.chunks(CHUNK).zip(statuses.chunks(CHUNK)) {
            let mut text = String::with_capacity(CHUNK * 160);
            for (member, status) in members.iter().zip(statuses) {
                let sees_mute = sees_mutes || own.as_ref().is_some_and(|own| own.as_str() == member.uid());
                let value = MemberLine::of(member, *status, sees_mute);
                text.push_str(&serde_json::to_string(&value).expect("a member is JSON"));
                text.push('\n');
            }
            yield Ok(Bytes::from(text));
        }
    };
    let headers = [(header::CONTENT_TYPE, NDJSON), (header::CACHE_CONTROL, "no-store")];
    Ok(as_of((headers, Body::from_stream(lines)).into_response(), &id))
}
