//! `/v3/groups/{guid}/mutedusers`: who may not speak. The original has no such calls: they are as those for the banned.

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

/// Terms of a mute, which has an end.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MuteTerms, example = json!({"reason": "shouts", "message": "Come back when you have slept.", "until": 86400}))]
pub(in crate::http::v3) struct MuteBody {
    /// For moderators and up.
    #[schema(max_length = 512)]
    reason: Option<String>,
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
    /// RFC 3339, or seconds from now, at most 28 days.
    until: Until,
}

/// Somebody who is muted, in the group or not.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MutedUser)]
pub(in crate::http::v3) struct MutedRecord {
    #[serde(flatten)]
    mute: RestrictionRecord,
    /// Unix time, in seconds.
    muted_at: i64,
}

/// The muted, newest first; with a cursor, in the order in which they were muted.
#[utoipa::path(get, path = "/groups/{guid}/mutedusers", operation_id = "listMuted", tag = "Muted users",
    params(GroupPath, OnBehalfOf, Searched, Paged, ByCursor),
    responses((status = 200, description = "A page of them.", body = Page<MutedRecord>)))]
pub(in crate::http::v3) async fn list(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    query: Query,
) -> Result<Response, V3Error> {
    let record = |mute, muted_at| MutedRecord { mute, muted_at };
    page(&app, &caller, (&guid, RestrictionKind::Mute), query, record).await
}

/// Mute a member until a moment in the next 28 days; again: on other terms.
#[utoipa::path(post, path = "/groups/{guid}/mutedusers/{uid}", operation_id = "mute", tag = "Muted users",
    params(MemberPath, OnBehalfOf, IdempotencyHeader), request_body = MuteBody,
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(in crate::http::v3) async fn mute(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
    sent: Sent<MuteBody>,
) -> Result<Response, V3Error> {
    let act = || -> Result<(Act, ActEnd), V3Error> {
        let MuteBody { reason, message, until } = sent.read()?;
        let until = (ActField::Until, Some(until.into_word()));
        let terms = ActFields::given([(ActField::Reason, reason), (ActField::Message, message), until]);
        let (terms, end) = act_fields::mute_terms(&terms, app.clock().now())?;
        Ok((Act::Mute(terms), end))
    };
    act_on(&app, &caller, (&guid, &uid), act, "has been muted in").await
}

/// Lift a mute, also of somebody who left.
#[utoipa::path(delete, path = "/groups/{guid}/mutedusers/{uid}", operation_id = "unmute", tag = "Muted users",
    params(MemberPath, OnBehalfOf, IdempotencyHeader),
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(in crate::http::v3) async fn unmute(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
    sent: Sent<NoFields>,
) -> Result<Response, V3Error> {
    let act = || sent.must_be_empty().map(|()| (Act::Unmute, ActEnd::default()));
    act_on(&app, &caller, (&guid, &uid), act, "has been unmuted in").await
}
