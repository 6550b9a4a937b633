//! `/v3/groups/{guid}/members`: who is in a group, listed, and added by a list; one member, a sync of all of them, and a
//! snapshot of all of them.
//!
//! Not here: who is banned or muted (`restrictions/`).

mod lines;
pub(super) mod member;
mod snapshot;
mod spool;
pub(super) mod sync;

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use self::snapshot::SnapshotLines;
use super::answer::{Data, Page, Success, data, success};
use super::error::V3Error;
use super::groups;
use super::lists::{LARGEST_LIST, Listed, ListedPerson, Lists, Results};
use super::records::{HostMember, UserRecord};
use super::request::auth::{Caller, confirmed};
use super::request::body::{Sent, given};
use super::request::fields::Password;
use super::request::paging::{ByCursor, Paged, Query, Searched};
use super::request::path::Path;
use crate::app::App;
use crate::domain::{Act, GroupType, Member, Refusal, Scope, Uid};
use crate::http::openapi::{GroupPath, IdempotencyHeader, OnBehalfOf, OnBehalfOfSomebody};
use crate::live::LiveGroup;
use crate::membership::{self, ActError, Outcome};
use crate::roster::{Filter, Scopes};
use crate::store::User;

/// People to be put in, or kept out.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(example = json!({"moderators": ["cy"], "participants": ["dee", "eve"], "usersToBan": ["flo"]}))]
pub(super) struct NewMembers {
    admins: Option<Vec<Uid>>,
    moderators: Option<Vec<Uid>>,
    participants: Option<Vec<Uid>>,
    /// Ours: people with what is told of them.
    members: Option<Vec<ListedPerson>>,
    /// Are banned; in no other list counts.
    users_to_ban: Option<Vec<Uid>>,
    /// For a user who joins a password group.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Password>)]
    password: Option<Password>,
}

/// Which members.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(super) struct MemberFilter {
    /// Out of admin, moderator, participant, with commas between them; the owner is an admin here, and alone as `owner`.
    #[param(pattern = "^((owner|admin|moderator|participant)(,(owner|admin|moderator|participant))*)?$")]
    scopes: Option<String>,
    /// `available` (or `online`) or `offline`; away counts as available.
    #[param(pattern = "^(available|online|offline)?$")]
    status: Option<String>,
}

/// Members, in display order; with a cursor, in the order in which the people were changed.
///
/// As `application/x-ndjson` one consistent snapshot of everybody, which takes no other parameters.
#[utoipa::path(get, path = "/groups/{guid}/members", operation_id = "listMembers", tag = "Members",
    params(GroupPath, OnBehalfOf, Searched, Paged, ByCursor, MemberFilter),
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
    let record = |user: User, member: &Member| {
        HostMember::of(UserRecord::of(&app, user).seen_by(&caller), member, &group.state(), &caller)
    };
    let by_cursor = paging.beyond.is_some();
    let (total, found) = {
        let state = group.state();
        // A cursor's order is that of the table of users: there everybody is looked up who is shown at all.
        let (skip, most) = if by_cursor { (0, usize::MAX) } else { (paging.skip(), paging.per_page) };
        (state.roster().counts(&filter).total(), state.roster().page(&filter, skip, most))
    };
    let mut reader = app.store().read().await?;
    if by_cursor {
        let members: HashMap<&str, &Arc<Member>> = found.iter().map(|member| (member.uid(), member)).collect();
        let wanted = |user: &User| members.contains_key(user.uid.as_str());
        let (users, total) = reader.users(&paging.query(), Some(group.guid()), Some(&wanted)).await?;
        let next = paging.resume_at(users.iter().map(|user| user.updated_at), total as usize, app.clock().now());
        let listed = users.into_iter().filter_map(|user| {
            let member = members.get(user.uid.as_str())?;
            Some(record(user, member))
        });
        return paging.answer(listed.collect(), total as usize, next);
    }
    let uids: Vec<&str> = found.iter().map(|member| member.uid()).collect();
    let users = reader.users_of(&uids).await?;
    let mut users: HashMap<String, User> = users.into_iter().map(|user| (user.uid.to_string(), user)).collect();
    let listed: Vec<(User, &Arc<Member>)> =
        found.iter().filter_map(|member| Some((users.remove(member.uid())?, member))).collect();
    let next = paging.resume_at(listed.iter().map(|(user, _)| user.updated_at), total, app.clock().now());
    paging.answer(listed.into_iter().map(|(user, member)| record(user, member)).collect(), total, next)
}

/// Add and ban people, each with an answer of their own; or, on behalf of a user and without anybody listed, join.
///
/// At most 1,000 people, in a body of at most 1 MB. Of somebody listed twice the first list counts, `usersToBan` last. On behalf of a user it is done with
/// their rights. A user who joins (`password` for a password group) is answered with the group.
#[utoipa::path(post, path = "/groups/{guid}/members", operation_id = "addMembers", tag = "Members",
    params(GroupPath, OnBehalfOf, IdempotencyHeader), request_body = NewMembers,
    responses((status = 200, description = "What came of each.", body = Data<Results>)))]
pub(super) async fn add(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    sent: Sent<NewMembers, LARGEST_LIST>,
) -> Result<Response, V3Error> {
    let group = caller.group(&app, &guid).await?;
    let NewMembers { admins, moderators, participants, members, users_to_ban, password } = sent.read()?;
    let lists = Lists::of(Listed { members, admins, moderators, participants, users_to_ban })?;
    let before = group.state().roster().len() as u64;
    if let Some(user) = &caller.user
        && (lists.is_empty() || lists.only_participant() == Some(user))
    {
        let outcome = join(&app, &caller, &group, user, password).await?;
        app.hub().catch_up_to(&group, outcome.seq).await?;
        if lists.is_empty() {
            return data(groups::record(&app, &group, &caller).await?);
        }
        // A repetition has no event of its own.
        let seq = (!outcome.is_repeat).then_some(outcome.seq);
        return data(lists.answers(&app, &caller, &group, before, [(user.clone(), Ok(seq))].into()).await?);
    }
    if password.is_some() {
        let words = "this is for a user who joins: onBehalfOf them, listing nobody";
        return Err(V3Error::invalid("password", words));
    }
    caller.member_group(&app, &guid).await?;
    if caller.user.is_some() && lists.has_profiles() {
        return Err(V3Error::host_only());
    }
    let answers = membership::add_list(app.store(), caller.act_request(group.guid()), lists.to_add_list()?).await?;
    app.hub().refresh(&group).await?;
    data(lists.answers(&app, &caller, &group, before, answers).await?)
}

/// Joins, with the original's errors for what prevents it.
async fn join(
    app: &App,
    caller: &Caller,
    group: &LiveGroup,
    user: &Uid,
    password: Option<Password>,
) -> Result<Outcome, V3Error> {
    let request = caller.act_request(group.guid());
    let group_type = group.state().roster().group().group_type;
    let given = password.is_some();
    let joined =
        membership::join(app.store(), request, user.clone(), None, None, password.map(|password| password.0)).await;
    match joined {
        Ok(outcome) => Ok(outcome),
        Err(ActError::NoSuchGroup) if group_type == GroupType::Private => Err(V3Error::join_not_allowed()),
        // They joined under this key, and have left since.
        Err(ActError::NoSuchGroup) => Err(V3Error::not_joined()),
        Err(ActError::Refused { refusal: Refusal::WrongPassword, .. }) if given => Err(V3Error::wrong_password()),
        Err(ActError::Refused { refusal: Refusal::WrongPassword, .. }) => Err(V3Error::empty_password()),
        Err(error) => Err(error.into()),
    }
}

/// Leave, on behalf of a user.
#[utoipa::path(delete, path = "/groups/{guid}/members", operation_id = "leaveGroup", tag = "Members",
    params(GroupPath, OnBehalfOfSomebody, IdempotencyHeader),
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(super) async fn leave(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
) -> Result<Response, V3Error> {
    let group = caller.group(&app, &guid).await?;
    let words = "the user who leaves; DELETE /v3/groups/{guid}/members/{uid} takes somebody out";
    let user = caller.user.clone().ok_or_else(|| V3Error::invalid("onBehalfOf", words))?;
    let access = caller.member_group(&app, &guid).await;
    let left = membership::act(app.store(), caller.act_request(group.guid()), user.clone(), Act::Leave).await;
    let (outcome, _) = confirmed(access, left)?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
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
