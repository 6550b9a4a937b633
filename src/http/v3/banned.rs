//! `/v3/groups/{guid}/bannedusers`: who may not come in.

use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use super::answer::{Data, Page, Success};
use super::auth::Caller;
use super::body::Sent;
use super::error::Failure;
use super::paging::{PagedSearch, Query, success};
use crate::app::App;
use crate::domain::{Act, BanTerms, Search, Uid, rules};
use crate::http::extract::input;
use crate::http::openapi::{Ban, GroupPath, IdempotencyKey, MemberPath, OnBehalfOf};
use crate::http::problem::Problem;
use crate::http::respond::json;
use crate::membership;

/// Terms of a ban.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"reason": "spam", "until": "2027-01-31T12:00:00Z"}))]
pub(super) struct Terms {
    /// For moderators and up.
    #[schema(max_length = 512)]
    reason: Option<String>,
    /// RFC 3339, or seconds from now; without it, until lifted.
    until: Option<Until>,
}

/// When a ban ends.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged, expecting = "RFC 3339, or seconds from now")]
enum Until {
    Moment(String),
    Seconds(i64),
}

/// The banned, newest first.
#[utoipa::path(get, path = "/groups/{guid}/bannedusers", operation_id = "listBanned", tag = "Banned users",
    params(GroupPath, OnBehalfOf, PagedSearch),
    responses((status = 200, description = "A page of them.", body = Page<Ban>)))]
pub(super) async fn list(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    mut query: Query,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    let (search, paging) = (query.search()?, query.paging()?);
    query.end()?;
    if let Some(user) = &caller.user {
        let standing = app.store().read().await?.person(group.guid(), user).await?.standing();
        rules::see_bans(standing).map_err(Problem::refused)?;
    }
    let search = Search::new(&search.unwrap_or_default());
    let mut reader = app.store().read().await?;
    let (count, bans) = reader.bans(group.guid(), &search, paging.skip(), paging.per_page).await?;
    paging.answer(bans.iter().map(json::ban).collect(), count)
}

/// Ban anybody, known or not; again: on other terms.
#[utoipa::path(post, path = "/groups/{guid}/bannedusers/{uid}", operation_id = "ban", tag = "Banned users",
    params(MemberPath, OnBehalfOf, IdempotencyKey), request_body(content = Option<Terms>),
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(super) async fn ban(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
    sent: Sent<Terms>,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    let uid = well_formed(&uid)?;
    let terms = terms(sent.read()?, app.clock().now())?;
    let outcome = membership::act(app.store(), caller.act(group.guid()), uid.clone(), Act::Ban(terms)).await?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
    success(format!("{uid} is banned from group {guid}."))
}

/// Lift a ban; membership does not come back by itself.
#[utoipa::path(delete, path = "/groups/{guid}/bannedusers/{uid}", operation_id = "unban", tag = "Banned users",
    params(MemberPath, OnBehalfOf, IdempotencyKey),
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(super) async fn unban(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    let uid = well_formed(&uid)?;
    let outcome = membership::act(app.store(), caller.act(group.guid()), uid.clone(), Act::Unban).await?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
    success(format!("{uid} is not banned from group {guid}."))
}

/// Anybody can be banned, known or not, so a malformed id is a mistake and not somebody missing.
fn well_formed(uid: &str) -> Result<Uid, Failure> {
    uid.parse().map_err(|error| Failure::invalid("uid", format!("{error}")))
}

fn terms(terms: Terms, now: i64) -> Result<BanTerms, Failure> {
    let until = terms.until.map(|until| match until {
        Until::Moment(text) => text,
        Until::Seconds(seconds) => seconds.to_string(),
    });
    let given = [("reason", terms.reason), ("until", until)];
    let words = given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    Ok(input::terms(&words, now)?)
}
