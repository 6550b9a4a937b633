//! Everybody in a group as NDJSON: one consistent snapshot, streamed.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::Serialize;
use serde_json::json;

use super::error::Failure;
use super::records;
use super::sync::{NDJSON, line};
use crate::app::App;
use crate::domain::{Member, Scope, Status};
use crate::http::extract::text;
use crate::http::respond::reply::as_of;
use crate::live::LiveGroup;
use crate::quality_values::quality_values;
use crate::roster::Filter;

/// Members that are written at once.
const CHUNK: usize = 200;

/// A member on a line of their own: what lists have of them, but for what only the table of users knows.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemberLine<'a> {
    uid: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    avatar: Option<&'a str>,
    status: &'static str,
    scope: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_owner: Option<bool>,
    joined_at: i64,
}

impl<'a> MemberLine<'a> {
    fn of(member: &'a Member, status: Status) -> MemberLine<'a> {
        MemberLine {
            uid: member.uid(),
            name: member.name(),
            avatar: member.avatar(),
            status: records::status(status),
            scope: records::scope(member.scope),
            is_owner: (member.scope == Scope::Owner).then_some(true),
            joined_at: member.joined_at,
        }
    }
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

/// The snapshot: first where it stands in the log, then a member a line. It is one of pointers to the members in
/// memory, so that a slow reader holds neither the group nor a transaction, and it costs nine bytes a member.
pub(super) async fn stream(app: &App, group: Arc<LiveGroup>) -> Result<Response, Failure> {
    app.hub().refresh(&group).await?;
    let (id, members, statuses) = {
        let state = group.state();
        let members = state.roster().page(&Filter::default(), 0, state.roster().len());
        let statuses = state.roster().statuses(&members);
        (state.last_id(), members, statuses)
    };
    let head = line(&json!({"epoch": &*id.epoch, "seq": id.seq, "count": members.len()}));
    let lines = async_stream::stream! {
        yield Ok::<_, Infallible>(head);
        for (members, statuses) in members.chunks(CHUNK).zip(statuses.chunks(CHUNK)) {
            let mut text = String::with_capacity(CHUNK * 160);
            for (member, status) in members.iter().zip(statuses) {
                let value = MemberLine::of(member, *status);
                text.push_str(&serde_json::to_string(&value).expect("a member is JSON"));
                text.push('\n');
            }
            yield Ok(Bytes::from(text));
        }
    };
    let headers = [(header::CONTENT_TYPE, NDJSON), (header::CACHE_CONTROL, "no-store")];
    Ok(as_of((headers, Body::from_stream(lines)).into_response(), &id))
}
