//! `/v3/groups/{guid}/members`: who is in a group, listed, and added by a list; one member, a sync of all of them, and a
//! snapshot of all of them.
//!
//! Not here: who is banned or muted (`restrictions/`).

mod join;
mod lines;
pub(super) mod member;
mod page;
mod snapshot;
mod spool;
pub(super) mod sync;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use self::snapshot::SnapshotLines;
use super::answer::{Data, Page, Success, data, success};
use super::error::V3Error;
use super::lists::{Added, LARGEST_LIST, Listed, ListedPerson, ListedUid, Lists};
use super::records::HostMember;
use super::request::auth::{Caller, confirmed};
use super::request::body::{NoFields, Sent, given};
use super::request::fields::Password;
use super::request::paging::{ByCursor, Paged, Query, Searched};
use super::request::path::Path;
use crate::app::App;
use crate::domain::{Act, Scope};
use crate::http::openapi::{GroupPath, IdempotencyHeader, OnBehalfOf, OnBehalfOfSomebody};
use crate::live::LiveGroup;
use crate::membership::{self, ListAnswers};
use crate::roster::{Filter, Scopes};

/// People to be put in, or kept out.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(example = json!({"moderators": ["cy"], "participants": ["dee", "eve"], "usersToBan": ["flo"]}))]
pub(super) struct NewMembers {
    admins: Option<Vec<ListedUid>>,
    moderators: Option<Vec<ListedUid>>,
    participants: Option<Vec<ListedUid>>,
    /// Ours: people with what is told of them.
    members: Option<Vec<ListedPerson>>,
    /// Are banned; in no other list counts.
    users_to_ban: Option<Vec<ListedUid>>,
    /// For a user who joins a password group.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Password>)]
    password: Option<Password>,
}

impl NewMembers {
    fn into_lists(self) -> Result<(Lists, Option<Password>), V3Error> {
        let NewMembers { admins, moderators, participants, members, users_to_ban, password } = self;
        Ok((Lists::of(Listed { members, admins, moderators, participants, users_to_ban })?, password))
    }
}

/// The parameters of the list, beside those of its pages.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(super) struct MemberListParams {
    /// Only members of these scopes, comma-separated. `admin` finds the owner as well, and `owner` the owner alone.
    #[param(pattern = "^((owner|admin|moderator|participant)(,(owner|admin|moderator|participant))*)?$")]
    scopes: Option<String>,
    /// `available` (or `online`, or `away`, which counts as available) or `offline`.
    #[param(pattern = "^(available|online|away|offline)?$")]
    status: Option<String>,
}

/// Members, in display order; with a cursor, in the order in which the people were changed.
///
/// As `application/x-ndjson` one consistent snapshot of everybody, which takes no other parameters.
#[utoipa::path(get, path = "/groups/{guid}/members", operation_id = "listMembers", tag = "Members",
    params(GroupPath, OnBehalfOf, Searched, Paged, ByCursor, MemberListParams),
    responses((status = 200, description = "A page of them; or everybody, after a line with `epoch`, `seq`, `count` and, where there are any, `mutes` (`{\"uid\",\"until\"}` of people who left and may not speak), a line each.",
        content((Page<HostMember> = "application/json"), (SnapshotLines = "application/x-ndjson")))))]
pub(super) async fn list(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    headers: HeaderMap,
    mut query: Query,
) -> Result<Response, V3Error> {
    let group = caller.member_group(&app, &guid).await?;
    if snapshot::is_wanted(&headers) {
        query.end()?;
        return snapshot::stream(&app, &caller, group).await;
    }
    let (search, paging) = (query.search()?.unwrap_or_default(), query.paging()?);
    let filter = Filter::new(&search, scopes(query.list("scopes")?)?, query.status()?);
    query.end()?;
    match paging.beyond {
        None => page::in_display_order(&app, &caller, &group, &filter, paging).await,
        Some(_) => page::by_last_change(&app, &caller, &group, &filter, paging).await,
    }
}

/// Add and ban people, each with an answer of their own; or, on behalf of a user and without anybody listed, join.
///
/// At most 1,000 people, in a body of at most 1 MB. Of somebody listed twice the first list counts, `usersToBan` last. On behalf of a user it is done with
/// their rights. A user who joins (`password` for a password group) is answered with the group.
#[utoipa::path(post, path = "/groups/{guid}/members", operation_id = "addMembers", tag = "Members",
    params(GroupPath, OnBehalfOf, IdempotencyHeader), request_body = NewMembers,
    responses((status = 200, description = "What came of each who is listed; of a user who joins, the group.", body = Data<Added>)))]
pub(super) async fn add(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    sent: Sent<NewMembers, LARGEST_LIST>,
) -> Result<Response, V3Error> {
    let group = caller.group(&app, &guid).await?;
    let (lists, password) = sent.read()?.into_lists()?;
    if let Some(user) = &caller.user
        && lists.is_empty()
    {
        return data(Added::Joined(Box::new(join::record(&app, &caller, &group, user, password).await?)));
    }
    caller.must_be_inside(&app, &group).await?;
    if password.is_some() {
        let words = "this is for a user who joins: onBehalfOf them, listing nobody";
        return Err(V3Error::invalid("password", words));
    }
    let answers = add_listed(&app, &caller, &group, &lists).await?;
    let shown = async {
        app.hub().refresh(&group).await?;
        lists.answers(&app, &caller, &group, answers).await
    };
    data(Added::Each(shown.await.map_err(V3Error::after_commit)?))
}

/// Adds and bans who is listed; on behalf of a user with their rights, and without profiles.
async fn add_listed(app: &App, caller: &Caller, group: &LiveGroup, lists: &Lists) -> Result<ListAnswers, V3Error> {
    if caller.user.is_some() && lists.has_profiles() {
        return Err(V3Error::host_only());
    }
    Ok(membership::add_list(app.store(), caller.act_request(group.guid()), lists.to_add_list()?).await?)
}

/// Leave, on behalf of a user.
#[utoipa::path(delete, path = "/groups/{guid}/members", operation_id = "leaveGroup", tag = "Members",
    params(GroupPath, OnBehalfOfSomebody, IdempotencyHeader),
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(super) async fn leave(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    sent: Sent<NoFields>,
) -> Result<Response, V3Error> {
    let group = caller.group(&app, &guid).await?;
    let words = "the user who leaves; DELETE /v3/groups/{guid}/members/{uid} takes somebody out";
    let user = caller.user.clone().ok_or_else(|| V3Error::invalid("onBehalfOf", words))?;
    let access = caller.must_be_inside(&app, &group).await;
    if access.is_ok() {
        sent.must_be_empty()?;
    }
    let left = membership::act(app.store(), caller.act_request(group.guid()), user.clone(), Act::Leave).await;
    let (outcome, _) = confirmed(access, left)?;
    app.hub().catch_up_after_commit(&group, outcome.seq).await?;
    success(format!("User with {user} has left the group {guid}."))
}

fn scopes(words: Option<Vec<String>>) -> Result<Scopes, V3Error> {
    let Some(words) = words else { return Ok(Scopes::ALL) };
    let scopes = words.iter().map(|word| word.parse::<Scope>()).collect::<Result<Vec<_>, ()>>();
    let scopes = scopes.map_err(|()| {
        V3Error::invalid("scopes", "out of owner, admin, moderator, participant, with commas between them")
    })?;
    // The owner is an admin, as in the original.
    let owner = scopes.contains(&Scope::Admin).then_some(Scope::Owner);
    Ok(scopes.into_iter().chain(owner).collect())
}
