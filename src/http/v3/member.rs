//! `/v3/groups/{guid}/members/{uid}`: one member.

use axum::extract::{Path, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::{Data, Success};
use super::auth::Caller;
use super::body::Sent;
use super::error::Failure;
use super::paging::{data, success};
use crate::app::App;
use crate::domain::{Act, Guid, Member, Scope, Status, Uid};
use crate::http::openapi::{IdempotencyKey, MemberPath, OnBehalfOf};
use crate::live::LiveGroup;
use crate::membership;

/// Another scope.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"scope": "moderator"}))]
pub(super) struct ScopeChange {
    /// `admin`, `moderator` or `participant`; an owner is made by a transfer.
    scope: Scope,
}

/// A member as the host reads one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Member, example = json!({"uid": "dee", "guid": "park", "name": "Dee", "avatar": null, "scope": "participant", "status": "offline", "joinedAt": 1700000000}))]
pub(super) struct MemberOfGroup {
    uid: String,
    guid: Guid,
    name: String,
    avatar: Option<String>,
    #[schema(value_type = Scope)]
    scope: &'static str,
    /// `online`, `away` or `offline`.
    status: &'static str,
    /// Seconds since the epoch.
    joined_at: i64,
}

/// A member.
#[utoipa::path(get, path = "/groups/{guid}/members/{uid}", operation_id = "getMember", tag = "Members",
    params(MemberPath, OnBehalfOf),
    responses((status = 200, description = "The member.", body = Data<MemberOfGroup>)))]
pub(super) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    one(&group, &uid)
}

/// Change a member's scope.
#[utoipa::path(put, path = "/groups/{guid}/members/{uid}", operation_id = "setScope", tag = "Members",
    params(MemberPath, OnBehalfOf, IdempotencyKey), request_body = ScopeChange,
    responses((status = 200, description = "The member as they are now.", body = Data<MemberOfGroup>)))]
pub(super) async fn set_scope(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
    sent: Sent<ScopeChange>,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    let uid = known(&uid)?;
    let ScopeChange { scope } = sent.read()?;
    if scope == Scope::Owner {
        return Err(Failure::invalid(
            "scope",
            "one of admin, moderator, participant; an owner is made by PATCH /v3/groups/{guid}/owner",
        ));
    }
    let outcome = membership::act(app.store(), caller.act(group.guid()), uid.clone(), Act::SetScope(scope)).await?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
    one(&group, uid.as_str())
}

/// Kick a member; on behalf of themselves, leave.
#[utoipa::path(delete, path = "/groups/{guid}/members/{uid}", operation_id = "removeMember", tag = "Members",
    params(MemberPath, OnBehalfOf, IdempotencyKey),
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(super) async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    let uid = known(&uid)?;
    let act = if caller.user.as_ref() == Some(&uid) { Act::Leave } else { Act::Kick };
    let outcome = membership::act(app.store(), caller.act(group.guid()), uid.clone(), act).await?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
    success(format!("{uid} is not a member of group {guid} any more."))
}

/// A member as `/v3` shows one.
pub(super) fn value(guid: &Guid, member: &Member, status: Status) -> MemberOfGroup {
    MemberOfGroup {
        uid: member.uid().to_owned(),
        guid: guid.clone(),
        name: member.name().to_owned(),
        avatar: member.avatar().map(str::to_owned),
        scope: member.scope.as_str(),
        status: status.as_str(),
        joined_at: member.joined_at,
    }
}

fn one(group: &LiveGroup, uid: &str) -> Result<Response, Failure> {
    let state = group.state();
    let member = state.roster().get(uid).ok_or_else(Failure::no_member)?;
    data(value(group.guid(), member, state.roster().presence(uid).status))
}

/// An id that nobody can have is a user who is not there.
fn known(uid: &str) -> Result<Uid, Failure> {
    uid.parse().map_err(|_| Failure::no_user())
}
