//! `/v3/groups/{guid}/members`: who is in a group, in bulk.

use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::json;

use super::auth::Caller;
use super::body::Sent;
use super::error::Failure;
use super::lists::Lists;
use super::member;
use super::paging::{Query, data};
use crate::app::App;
use crate::domain::Scope;
use crate::membership;
use crate::roster::{Filter, Scopes};

/// `GET /v3/groups/{guid}/members`.
pub(super) async fn list(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    mut query: Query,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    let (search, paging) = (query.search()?.unwrap_or_default(), query.paging()?);
    let filter = Filter::new(&search, scopes(query.take("scopes"))?, online(query.take("status"))?);
    query.end()?;
    let state = group.state();
    let total = state.roster().counts(&filter).total();
    let members = state.roster().page(&filter, paging.skip(), paging.per_page);
    paging.answer(members.iter().map(|one| member::value(&group, state.roster(), one)).collect(), total)
}

/// `POST /v3/groups/{guid}/members`: `admins`, `moderators`, `participants`, `members`,
/// `usersToBan`. On behalf of a user who lists only themselves: they join (with `password`).
pub(super) async fn add(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    sent: Sent,
) -> Result<Response, Failure> {
    let group = caller.group(&app, &guid).await?;
    let mut fields = match sent.read() {
        Ok(fields) => fields,
        // To somebody outside, a group is not there whatever they send.
        Err(failure) => return Err(caller.inside(&app, &guid).await.err().unwrap_or(failure)),
    };
    let (lists, password) = (Lists::take(&mut fields, true)?, fields.text("password")?);
    fields.end()?;
    let joins = caller.user.clone().filter(|user| lists.only_participant() == Some(user));
    let answers = match joins {
        Some(user) => {
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

/// `PUT /v3/groups/{guid}/members`: the members become exactly those listed (`owner`, `admins`,
/// `moderators`, `participants`, `members`), in one event.
pub(super) async fn replace(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    sent: Sent,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    let mut fields = sent.read()?;
    let (lists, owner) = (Lists::take(&mut fields, false)?, fields.uid("owner")?);
    fields.end()?;
    caller.must_be_host()?;
    let (outcome, report) = membership::replace(app.store(), group.guid().clone(), lists.rows(owner)).await?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
    data(json!({
        "success": true,
        "guid": group.guid().as_str(),
        "membersCount": report.written,
        "changed": report.changed,
        "removed": report.removed,
        "banned": report.banned.iter().map(|uid| uid.as_str()).collect::<Vec<_>>(),
    }))
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
