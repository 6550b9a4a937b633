//! `/v3/groups/{guid}/bannedusers`: who may not come in.

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{RestrictionRecord, Until, act_on, page};
use crate::app::App;
use crate::domain::Act;
use crate::http::extract::act_fields::{self, ActEnd};
use crate::http::extract::{ActField, ActFields};
use crate::http::openapi::{GroupPath, IdempotencyHeader, MemberPath, OnBehalfOf};
use crate::http::v3::answer::{Data, Page, Success};
use crate::http::v3::error::V3Error;
use crate::http::v3::request::auth::Caller;
use crate::http::v3::request::body::{NoFields, Sent};
use crate::http::v3::request::paging::{ByCursor, Paged, Query, Searched};
use crate::http::v3::request::path::Path;
use crate::store::RestrictionKind;

/// Terms of a ban.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Terms, example = json!({"reason": "spam", "message": "Come back when you have slept.", "until": 86400}))]
pub(in crate::http::v3) struct BanBody {
    /// For moderators and up.
    #[schema(max_length = 512)]
    reason: Option<String>,
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
    /// RFC 3339, or seconds from now, at most 36,600 days; without it the ban lasts until it is lifted.
    until: Option<Until>,
}

/// Somebody who is banned.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BannedUser)]
pub(in crate::http::v3) struct BannedRecord {
    #[serde(flatten)]
    ban: RestrictionRecord,
    /// Unix time, in seconds.
    banned_at: i64,
}

/// The banned, newest first; with a cursor, in the order in which they were banned.
#[utoipa::path(get, path = "/groups/{guid}/bannedusers", operation_id = "listBanned", tag = "Banned users",
    params(GroupPath, OnBehalfOf, Searched, Paged, ByCursor),
    responses((status = 200, description = "A page of them.", body = Page<BannedRecord>)))]
pub(in crate::http::v3) async fn list(
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
    params(MemberPath, OnBehalfOf, IdempotencyHeader), request_body = BanBody,
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(in crate::http::v3) async fn ban(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
    sent: Sent<BanBody>,
) -> Result<Response, V3Error> {
    let act = || -> Result<(Act, ActEnd), V3Error> {
        let BanBody { reason, message, until } = sent.read()?;
        let until = (ActField::Until, until.map(Until::into_word));
        let terms = ActFields::given([(ActField::Reason, reason), (ActField::Message, message), until]);
        let (terms, end) = act_fields::terms(&terms, app.clock().now())?;
        Ok((Act::Ban(terms), end))
    };
    act_on(&app, &caller, (&guid, &uid), act, "has been banned from").await
}

/// Lift a ban; membership does not come back by itself.
#[utoipa::path(delete, path = "/groups/{guid}/bannedusers/{uid}", operation_id = "unban", tag = "Banned users",
    params(MemberPath, OnBehalfOf, IdempotencyHeader),
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(in crate::http::v3) async fn unban(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
    sent: Sent<NoFields>,
) -> Result<Response, V3Error> {
    let act = || sent.must_be_empty().map(|()| (Act::Unban, ActEnd::default()));
    act_on(&app, &caller, (&guid, &uid), act, "has been unbanned from").await
}
