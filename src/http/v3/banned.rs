//! `/v3/groups/{guid}/bannedusers`: who may not come in.

use std::collections::HashMap;

use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::Value;

use super::auth::Caller;
use super::body::{JsonBody, Sent};
use super::error::Failure;
use super::paging::{Query, success};
use crate::app::App;
use crate::domain::{Act, BanTerms, Search, Uid, rules};
use crate::http::extract::input;
use crate::http::problem::Problem;
use crate::http::respond::json;
use crate::membership;

/// `GET /v3/groups/{guid}/bannedusers`, newest first.
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

/// `POST /v3/groups/{guid}/bannedusers/{uid}`: `reason`, `until` (RFC 3339, or seconds from now).
pub(super) async fn ban(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
    sent: Sent,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    let uid = well_formed(&uid)?;
    let mut fields = sent.read()?;
    let terms = terms(&mut fields, app.clock().now())?;
    fields.end()?;
    let outcome = membership::act(app.store(), caller.act(group.guid()), uid.clone(), Act::Ban(terms)).await?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
    success(format!("{uid} is banned from group {guid}."))
}

/// `DELETE /v3/groups/{guid}/bannedusers/{uid}`: membership does not come back by itself.
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

fn terms(fields: &mut JsonBody, now: i64) -> Result<BanTerms, Failure> {
    let mut words = HashMap::new();
    words.extend(fields.text("reason")?.map(|reason| ("reason".to_owned(), reason)));
    match fields.value("until") {
        None => {}
        Some(Value::String(until)) => drop(words.insert("until".into(), until)),
        Some(Value::Number(seconds)) => drop(words.insert("until".into(), seconds.to_string())),
        Some(_) => return Err(fields.invalid("until", "RFC 3339, or seconds from now")),
    }
    Ok(input::terms(&words, now)?)
}
