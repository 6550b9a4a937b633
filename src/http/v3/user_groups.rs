//! `/v3/users/{uid}/groups`: the groups of a person.

use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::Page;
use super::auth::Caller;
use super::error::Failure;
use super::groups::{GroupRecord, record};
use super::paging::{Paged, Query};
use super::users::known;
use crate::app::App;
use crate::domain::{HOST_UID, Scope, Uid};
use crate::http::openapi::UserPath;
use crate::store::{GroupSummary, JoinedGroup};

/// A group that somebody is in. As in the original, the owner's scope is `admin`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JoinedGroup, example = json!({"guid": "park", "name": "Park", "type": "public", "icon": null, "description": null, "owner": "ada", "membersCount": 5, "scope": "admin", "isOwner": true, "hasJoined": true, "joinedAt": 1700000000}))]
pub(super) struct JoinedGroupRecord {
    #[serde(flatten)]
    group: GroupRecord,
    /// There for the owner.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_owner: bool,
    has_joined: bool,
    /// Seconds since the epoch.
    joined_at: i64,
}

/// The groups of a person, with their scope in each, in the order of their ids.
#[utoipa::path(get, path = "/users/{uid}/groups", operation_id = "listGroupsOfUser", tag = "Users", params(UserPath, Paged),
    responses((status = 200, description = "A page of them.", body = Page<JoinedGroupRecord>)))]
pub(super) async fn list(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
    mut query: Query,
) -> Result<Response, Failure> {
    caller.must_be_host()?;
    let (uid, paging) = (known(&uid)?, query.paging()?);
    query.end()?;
    let mut reader = app.store().read().await?;
    reader.user(&uid).await?.ok_or_else(Failure::no_user)?;
    let (joined, total) = reader.groups_of(&uid, paging.skip(), paging.per_page).await?;
    paging.answer(joined.into_iter().map(joined_group).collect(), total as usize)
}

fn joined_group(JoinedGroup { group, scope, joined_at }: JoinedGroup) -> JoinedGroupRecord {
    let GroupSummary { group, owner, members } = group;
    let is_owner = scope == Scope::Owner;
    let shown = if is_owner { Scope::Admin } else { scope };
    let mut group = record(&group, members, Some(owner.as_ref().map_or(HOST_UID, Uid::as_str)));
    group.scope = Some(Some(shown.as_str()));
    JoinedGroupRecord { group, is_owner, has_joined: true, joined_at }
}
