//! `/v3/groups/{guid}/bannedusers`: who may not come in.

use std::collections::HashMap;

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::{Data, Page, Success};
use super::auth::Caller;
use super::body::Sent;
use super::error::Failure;
use super::paging::{PagedSearch, Query, success};
use super::path::Path;
use super::records::UserRecord;
use crate::app::App;
use crate::domain::{Act, Ban, BanTerms, Refusal, Search, Uid};
use crate::http::extract::act_fields;
use crate::http::openapi::{GroupPath, IdempotencyHeader, MemberPath, OnBehalfOf};
use crate::http::problem::Problem;
use crate::http::respond::json;
use crate::membership;
use crate::store::User;

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

/// Somebody who is banned.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BannedUser)]
pub(super) struct BannedRecord {
    #[serde(flatten)]
    user: UserRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// What they are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// RFC 3339; not there: until lifted.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    /// Who banned them; not there: the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<Uid>,
    /// Seconds since the epoch.
    banned_at: i64,
}

/// The banned, newest first.
#[utoipa::path(get, path = "/groups/{guid}/bannedusers", operation_id = "listBanned", tag = "Banned users",
    params(GroupPath, OnBehalfOf, PagedSearch),
    responses((status = 200, description = "A page of them.", body = Page<BannedRecord>)))]
pub(super) async fn list(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    mut query: Query,
) -> Result<Response, Failure> {
    let group = caller.member_group(&app, &guid).await?;
    let (search, paging) = (query.search()?, query.paging()?);
    query.end()?;
    if !caller.may_moderate(&app, group.guid()).await? {
        return Err(Problem::refused(Refusal::ParticipantsActOnNobody).into());
    }
    let search = Search::new(&search.unwrap_or_default());
    let mut reader = app.store().read().await?;
    let (count, bans) = reader.bans(group.guid(), &search, paging.skip(), paging.per_page).await?;
    let uids: Vec<&str> = bans.iter().map(|ban| ban.uid.as_str()).collect();
    let users = reader.users_of(&uids).await?;
    let mut users: HashMap<String, User> = users.into_iter().map(|user| (user.uid.to_string(), user)).collect();
    let last = bans.last().map(|ban| ban.at / 1000);
    let record = |ban: Ban| {
        let user = match users.remove(ban.uid.as_str()) {
            Some(user) => UserRecord::of(&app, user),
            None => UserRecord::stranger(ban.uid.as_str(), ban.name.as_deref().unwrap_or(ban.uid.as_str())),
        };
        let until = ban.until.map(json::rfc3339);
        BannedRecord { user, reason: ban.reason, message: ban.message, until, by: ban.by, banned_at: ban.at / 1000 }
    };
    paging.answer(bans.into_iter().map(record).collect(), count, last)
}

/// Ban anybody, known or not; again: on other terms.
#[utoipa::path(post, path = "/groups/{guid}/bannedusers/{uid}", operation_id = "ban", tag = "Banned users",
    params(MemberPath, OnBehalfOf, IdempotencyHeader), request_body = Terms,
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(super) async fn ban(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
    sent: Sent<Terms>,
) -> Result<Response, Failure> {
    let group = caller.member_group(&app, &guid).await?;
    let uid = well_formed(&uid)?;
    let terms = terms(sent.read()?, app.clock().now())?;
    let outcome = membership::act(app.store(), caller.act_request(group.guid()), uid.clone(), Act::Ban(terms)).await?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
    success(format!("User with {uid} has been banned from the group {guid}."))
}

/// Lift a ban; membership does not come back by itself.
#[utoipa::path(delete, path = "/groups/{guid}/bannedusers/{uid}", operation_id = "unban", tag = "Banned users",
    params(MemberPath, OnBehalfOf, IdempotencyHeader),
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(super) async fn unban(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let group = caller.member_group(&app, &guid).await?;
    let uid = well_formed(&uid)?;
    let outcome = membership::act(app.store(), caller.act_request(group.guid()), uid.clone(), Act::Unban).await?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
    success(format!("User with {uid} has been unbanned from the group {guid}."))
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
    Ok(act_fields::terms(&words, now)?)
}
