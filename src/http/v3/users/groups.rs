//! `/v3/users/{uid}/groups`: the groups of a person.

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::domain::Uid;
use crate::http::openapi::UserPath;
use crate::http::v3::answer::Page;
use crate::http::v3::error::V3Error;
use crate::http::v3::presence::with_online_counts;
use crate::http::v3::records::HostGroup;
use crate::http::v3::request::auth::{Caller, parse_uid_or_404};
use crate::http::v3::request::paging::{ByCursor, Paged, Paging, Query};
use crate::http::v3::request::path::Path;
use crate::store::{GroupSummary, JoinedGroup, Listing};

/// The groups of a person, with their scope in each, in the order of their ids; with a cursor, in the order in which the groups
/// were changed.
#[utoipa::path(get, path = "/users/{uid}/groups", operation_id = "listGroupsOfUser", tag = "Users", params(UserPath, Paged, ByCursor),
    responses((status = 200, description = "A page of them.", body = Page<HostGroup>)))]
pub(in crate::http::v3) async fn list(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
    mut query: Query,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let (uid, paging) = (parse_uid_or_404(&uid)?, query.paging()?);
    query.end()?;
    let mut reader = app.store().read().await?;
    reader.user(&uid).await?.ok_or_else(V3Error::no_user)?;
    let Listing { entries: joined, total, resume_at } = reader.groups_of(&uid, &paging.query()).await?;
    let (changed, total) = (joined.iter().map(|one| one.group.details.updated_at), total as usize);
    let next = resume_at.or_else(|| Paging::resume_by_number(changed, total, app.clock().now()));
    // The counts are read by a reader of their own.
    drop(reader);
    let records = joined.into_iter().map(|one| joined_group(&caller, one)).collect();
    paging.answer(with_online_counts(&app, &caller, records).await?, total, next)
}

fn joined_group(caller: &Caller, JoinedGroup { group, scope, joined_at }: JoinedGroup) -> HostGroup {
    let GroupSummary { group, details, owner, members } = group;
    let listed = HostGroup::listed(&group, details, members, Some(owner.as_ref().map(Uid::as_str)));
    HostGroup { has_joined: Some(true), ..listed.joined(caller, Some((scope, joined_at))) }
}
