//! Bans and mutes as the host sets and reads them: their terms, and lists of the people who have them.
//!
//! Not here: the paths of the component, which moderators use (`pages` and `acts`).

pub(super) mod banned;
pub(super) mod muted;

use std::collections::HashMap;

use axum::response::Response;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, OneOfBuilder, Schema, SchemaFormat};
use utoipa::openapi::{RefOr, Type};
use utoipa::{PartialSchema, ToSchema};

use super::answer::success;
use super::error::V3Error;
use super::records::UserRecord;
use super::request::auth::Caller;
use super::request::paging::{Paging, Query};
use crate::app::App;
use crate::domain::{Act, Guid, Refusal, Restriction, Search, Uid, rfc3339};
use crate::http::extract::act_fields::ActEnd;
use crate::http::problem::Problem;
use crate::membership;
use crate::store::{Listing, Reader, RestrictionKind, RestrictionsFrom, StoreError, User};

/// When something ends.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "RFC 3339, or seconds from now")]
pub(super) enum Until {
    #[serde(deserialize_with = "not_blank")]
    Moment(String),
    Seconds(i64),
}

/// A text with something in it. A form leaves a field empty that nobody has filled in; in JSON an empty end is a mistake, and none would be the
/// hardest terms.
fn not_blank<'d, D: Deserializer<'d>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.trim().is_empty() { Err(D::Error::custom("blank")) } else { Ok(text) }
}

/// Somebody's ban or mute.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RestrictionRecord {
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
    /// Who did it; not there: the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<Uid>,
}

impl PartialSchema for Until {
    fn schema() -> RefOr<Schema> {
        let moment = ObjectBuilder::new().schema_type(Type::String);
        let format = Some(SchemaFormat::KnownFormat(KnownFormat::Int64));
        let seconds = ObjectBuilder::new().schema_type(Type::Integer).format(format).minimum(Some(1_i64));
        let words = "When something ends: RFC 3339, or seconds from now.";
        RefOr::T(OneOfBuilder::new().item(moment).item(seconds).description(Some(words)).build().into())
    }
}

impl ToSchema for Until {}

impl Until {
    /// As it stands in a form.
    pub(super) fn into_word(self) -> String {
        match self {
            Until::Moment(text) => text,
            Until::Seconds(seconds) => seconds.to_string(),
        }
    }
}

/// Anybody can have one, known or not, so a malformed id is a mistake and not somebody missing.
///
/// # Errors
/// A refusal of `uid` when it is malformed.
pub(super) fn well_formed(uid: &str) -> Result<Uid, V3Error> {
    uid.parse().map_err(|error| V3Error::invalid("uid", format!("{error}")))
}

/// Does an act on somebody, and says that it `has been` done; the act, with the end that it is given, is read once the group is found.
async fn act_on(
    app: &App,
    caller: &Caller,
    (guid, uid): (&str, &str),
    act: impl FnOnce() -> Result<(Act, ActEnd), V3Error>,
    has_been: &str,
) -> Result<Response, V3Error> {
    let group = caller.member_group(app, guid).await?;
    let uid = well_formed(uid)?;
    let (act, end) = act()?;
    let request = end.added_to(caller.act_request(group.guid()))?;
    let outcome = membership::act(app.store(), request, uid.clone(), act).await?;
    app.hub().catch_up_after_commit(&group, outcome.seq).await?;
    success(format!("User with {uid} {has_been} the group {guid}."))
}

/// A page of those in force, newest first, or beyond a cursor; `record` adds when it began, in Unix seconds.
///
/// # Errors
/// A refusal of a malformed query or of a caller who may not see them, or when the database cannot be read.
pub(super) async fn page<T: Serialize>(
    app: &App,
    caller: &Caller,
    (guid, kind): (&str, RestrictionKind),
    mut query: Query,
    record: impl Fn(RestrictionRecord, i64) -> T,
) -> Result<Response, V3Error> {
    let group = caller.member_group(app, guid).await?;
    let (search, paging) = (query.search()?, query.paging()?);
    query.end()?;
    if !caller.may_moderate(app, group.guid()).await? {
        return Err(Problem::refused(Refusal::ParticipantsActOnNobody).into());
    }
    let search = Search::new(&search.unwrap_or_default());
    let mut reader = app.store().read().await?;
    let Listing { entries, total, resume_at } = listing(&mut reader, kind, group.guid(), &search, &paging).await?;
    let uids: Vec<&str> = entries.iter().map(|one| one.uid.as_str()).collect();
    let users = reader.users_of(&uids).await?;
    let mut users: HashMap<String, User> = users.into_iter().map(|user| (user.uid.to_string(), user)).collect();
    let of = |one: Restriction| {
        let user = match users.remove(one.uid.as_str()) {
            Some(user) => UserRecord::of(app, user).seen_by(caller),
            None => UserRecord::stranger(one.uid.as_str(), one.name.as_deref().unwrap_or(one.uid.as_str())),
        };
        let until = one.until.map(rfc3339);
        record(RestrictionRecord { user, reason: one.reason, message: one.message, until, by: one.by }, one.at / 1000)
    };
    paging.answer(entries.into_iter().map(of).collect(), total as usize, resume_at)
}

/// This page of those in force, and where a cursor goes on behind it.
async fn listing(
    reader: &mut Reader,
    kind: RestrictionKind,
    guid: &Guid,
    search: &Search,
    paging: &Paging,
) -> Result<Listing<Restriction>, StoreError> {
    if paging.beyond.is_some() {
        return reader.restrictions_beyond(kind, guid, search, &paging.query()).await;
    }
    // With the first one of the next page.
    let from = RestrictionsFrom::Offset(paging.skip());
    let (total, mut entries) = reader.restrictions(kind, guid, search, from, paging.per_page + 1).await?;
    let next = if entries.len() > paging.per_page { entries.pop() } else { None };
    // Within a second a cursor has another order. After a page by number that ends within one comes all of that second, so
    // that nobody is left out.
    let second = |one: &Restriction| one.at / 1000;
    let last = entries.last().map(second);
    let resume_at = last.map(|last| last + i64::from(next.as_ref().map(second) == Some(last)));
    Ok(Listing { entries, total: total as u64, resume_at })
}
