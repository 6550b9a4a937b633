//! `/v3/groups/{guid}/bannedusers`: who may not come in.

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::{Data, Page, Success};
use super::auth::Caller;
use super::body::Sent;
use super::error::V3Error;
use super::paging::{ByCursor, PagedSearch, Query, success};
use super::path::Path;
use super::restrictions::{RestrictionBody, RestrictionRecord, page, well_formed};
use crate::app::App;
use crate::domain::Act;
use crate::http::extract::act_fields;
use crate::http::openapi::{GroupPath, IdempotencyHeader, MemberPath, OnBehalfOf};
use crate::membership;
use crate::store::RestrictionKind;

/// Somebody who is banned.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BannedUser)]
pub(super) struct BannedRecord {
    #[serde(flatten)]
    ban: RestrictionRecord,
    /// Seconds since the epoch.
    banned_at: i64,
}

/// The banned, newest first; with a cursor, in the order in which they were banned.
#[utoipa::path(get, path = "/groups/{guid}/bannedusers", operation_id = "listBanned", tag = "Banned users",
    params(GroupPath, OnBehalfOf, PagedSearch, ByCursor),
    responses((status = 200, description = "A page of them.", body = Page<BannedRecord>)))]
pub(super) async fn list(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    query: Query,
) -> Result<Response, V3Error> {
    let record = |ban, banned_at| BannedRecord { ban, banned_at };
    page(&app, &caller, (&guid, RestrictionKind::Ban), query, record).await
}

/// Ban anybody, known or not; again: on other terms.
#[utoipa::path(post, path = "/groups/{guid}/bannedusers/{uid}", operation_id = "ban", tag = "Banned users",
    params(MemberPath, OnBehalfOf, IdempotencyHeader), request_body = RestrictionBody,
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(super) async fn ban(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
    sent: Sent<RestrictionBody>,
) -> Result<Response, V3Error> {
    let group = caller.member_group(&app, &guid).await?;
    let uid = well_formed(&uid)?;
    let act = Act::Ban(act_fields::terms(&sent.read()?.words(), app.clock().now())?);
    let outcome = membership::act(app.store(), caller.act_request(group.guid()), uid.clone(), act).await?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
    success(format!("User with {uid} has been banned from the group {guid}."))
}

/// Lift a ban; membership does not come back by itself.
#[utoipa::path(delete, path = "/groups/{guid}/bannedusers/{uid}", operation_id = "unban", tag = "Banned users",
    params(MemberPath, OnBehalfOf, IdempotencyHeader),
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(super) async fn unban(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
) -> Result<Response, V3Error> {
    let group = caller.member_group(&app, &guid).await?;
    let uid = well_formed(&uid)?;
    let outcome = membership::act(app.store(), caller.act_request(group.guid()), uid.clone(), Act::Unban).await?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
    success(format!("User with {uid} has been unbanned from the group {guid}."))
}
