//! `/v3/groups/{guid}/members`: who is in a group, in bulk.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::answer::{Data, Page};
use super::auth::Caller;
use super::body::{Sent, given};
use super::error::Failure;
use super::fields::Password;
use super::lists::{Listed, ListedPerson, Lists, Results};
use super::member::{self, MemberOfGroup};
use super::paging::{PagedSearch, Query, data};
use super::snapshot;
use crate::app::App;
use crate::domain::{Member, Scope, Uid};
use crate::http::openapi::{GroupPath, IdempotencyKey, OnBehalfOf};
use crate::membership;
use crate::roster::{Filter, Scopes};

/// People to be put in, or kept out.
#[derive(Debug, Deserialize, ToSchema)]
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
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(super) struct MemberFilter {
    /// Out of owner, admin, moderator, participant, with commas between them.
    scopes: Option<String>,
    /// `available` (or `online`) or `offline`; away counts as available.
    status: Option<String>,
}

/// Members, in display order.
///
/// As `application/x-ndjson` one consistent snapshot of everybody, which takes no other parameters.
#[utoipa::path(get, path = "/groups/{guid}/members", operation_id = "listMembers", tag = "Members",
    params(GroupPath, OnBehalfOf, PagedSearch, MemberFilter),
    responses((status = 200, description = "A page of them; or everybody, after a line with `epoch`, `seq` and `count`, a line each.",
        content((Page<MemberOfGroup> = "application/json"), (String = "application/x-ndjson")))))]
pub(super) async fn list(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    headers: HeaderMap,
    mut query: Query,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    if snapshot::is_wanted(&headers) {
        query.end()?;
        return snapshot::stream(&app, group).await;
    }
    let (search, paging) = (query.search()?.unwrap_or_default(), query.paging()?);
    let filter = Filter::new(&search, scopes(query.take("scopes"))?, online(query.take("status"))?);
    query.end()?;
    let state = group.state();
    let total = state.roster().counts(&filter).total();
    let members = state.roster().page(&filter, paging.skip(), paging.per_page);
    let status = |one: &Member| state.roster().presence(one.uid()).status;
    paging.answer(members.iter().map(|one| member::value(group.guid(), one, status(one))).collect(), total)
}

/// Add and ban people, each with an answer of their own; or, on behalf of a user, join.
///
/// At most 1,000 people. Of somebody listed twice the highest scope counts; an entry of `members` counts before the other lists,
/// and `usersToBan` before everything. On behalf of a user it is done with their rights; one who lists only themselves as a
/// participant joins.
#[utoipa::path(post, path = "/groups/{guid}/members", operation_id = "addMembers", tag = "Members",
    params(GroupPath, OnBehalfOf, IdempotencyKey), request_body = NewMembers,
    responses((status = 200, description = "What came of each.", body = Data<Results>)))]
pub(super) async fn add(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    sent: Sent<NewMembers>,
) -> Result<Response, Failure> {
    let group = caller.group(&app, &guid).await?;
    let body = match sent.read() {
        Ok(body) => body,
        // To somebody outside, a group is not there whatever they send.
        Err(failure) => return Err(caller.inside(&app, &guid).await.err().unwrap_or(failure)),
    };
    let NewMembers { admins, moderators, participants, members, users_to_ban, password } = body;
    let lists = Lists::of(Listed { members, admins, moderators, participants, users_to_ban })?;
    let joins = caller.user.clone().filter(|user| lists.only_participant() == Some(user));
    let answers = match joins {
        Some(user) => {
            let password = password.map(|password| password.0);
            membership::join(app.store(), caller.act(group.guid()), user.clone(), None, None, password).await?;
            [(user, Ok(()))].into()
        }
        None => {
            if password.is_some() {
                return Err(Failure::invalid(
                    "password",
                    "this is for a user who joins: onBehalfOf them, listing only themselves",
                ));
            }
            caller.inside(&app, &guid).await?;
            if caller.user.is_some() && lists.tells() {
                return Err(Failure::host_only());
            }
            membership::add_list(app.store(), caller.act(group.guid()), lists.intake()?).await?
        }
    };
    app.hub().refresh(&group).await?;
    data(lists.answers(group.guid(), answers))
}

fn scopes(words: Option<String>) -> Result<Scopes, Failure> {
    let Some(words) = words else { return Ok(Scopes::ALL) };
    let scopes = words.split(',').map(|word| word.trim().parse::<Scope>()).collect::<Result<Scopes, ()>>();
    scopes.map_err(|()| {
        Failure::invalid("scopes", "out of owner, admin, moderator, participant, with commas between them")
    })
}

fn online(word: Option<String>) -> Result<Option<bool>, Failure> {
    match word.as_deref() {
        None => Ok(None),
        Some("available" | "online") => Ok(Some(true)),
        Some("offline") => Ok(Some(false)),
        Some(_) => Err(Failure::invalid("status", "available, online or offline")),
    }
}
