//! `/v3/users`: the people whom the host names, and below `/v3/users/{uid}` their groups, tokens and exported data.
//!
//! Not here: presence (`presence.rs`).

pub(super) mod export;
mod filter;
pub(super) mod groups;
pub(super) mod tokens;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use self::filter::{UserFilter, UserListParams};
use super::answer::{Data, Page, Success, data, success};
use super::error::V3Error;
use super::presence::ReportedStatus;
use super::records::UserRecord;
use super::request::auth::{Caller, parse_uid_or_404};
use super::request::body::{Sent, clearable};
use super::request::fields::{Description, Link, Metadata, Picture, Role, Tags, changed, kept, tags_of, texts};
use super::request::paging::{ByCursor, Ordered, Paged, Paging, Query, Searched};
use super::request::path::Path;
use crate::app::App;
use crate::domain::{Name, Status, Uid};
use crate::http::openapi::{IdempotencyHeader, OnBehalfOf, UserPath};
use crate::live::HostReport;
use crate::membership::{self, Idempotent, UserPatch};
use crate::store::{Listing, User};

/// A user to be made known.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(example = json!({"uid": "dee", "name": "Dee", "avatar": "https://pictures.example/dee.png", "metadata": {"team": "red"}, "tags": ["new"]}))]
pub(super) struct NewUser {
    uid: Uid,
    name: Name,
    #[serde(default, deserialize_with = "clearable")]
    #[schema(value_type = Option<Picture>)]
    avatar: Option<Option<Picture>>,
    #[serde(default, deserialize_with = "clearable")]
    #[schema(value_type = Option<Link>)]
    link: Option<Option<Link>>,
    #[serde(default, deserialize_with = "clearable")]
    #[schema(value_type = Option<Role>)]
    role: Option<Option<Role>>,
    #[serde(default, deserialize_with = "clearable")]
    #[schema(value_type = Option<Description>)]
    status_message: Option<Option<Description>>,
    #[serde(default, deserialize_with = "changed")]
    #[schema(value_type = Option<Metadata>)]
    metadata: Option<Option<Metadata>>,
    tags: Option<Tags>,
    /// Answers a viewer token as well.
    with_auth_token: Option<bool>,
}

/// What is to be different about a user. What is not named stays; null and `unset` take away, but for the name, where null is
/// refused.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(example = json!({"name": "Deirdre", "unset": ["avatar"]}))]
pub(super) struct UserChange {
    #[serde(default, deserialize_with = "kept")]
    #[schema(required = false, value_type = Name)]
    name: Option<Name>,
    #[serde(default, deserialize_with = "clearable")]
    #[schema(value_type = Option<Picture>)]
    avatar: Option<Option<Picture>>,
    #[serde(default, deserialize_with = "clearable")]
    #[schema(value_type = Option<Link>)]
    link: Option<Option<Link>>,
    #[serde(default, deserialize_with = "clearable")]
    #[schema(value_type = Option<Role>)]
    role: Option<Option<Role>>,
    #[serde(default, deserialize_with = "clearable")]
    #[schema(value_type = Option<Description>)]
    status_message: Option<Option<Description>>,
    #[serde(default, deserialize_with = "changed")]
    #[schema(value_type = Option<Metadata>)]
    metadata: Option<Option<Metadata>>,
    #[serde(default, deserialize_with = "changed")]
    #[schema(value_type = Option<Tags>)]
    tags: Option<Option<Tags>>,
    /// Fields to be emptied.
    unset: Option<Vec<UserField>>,
    /// The host says whether they are there.
    status: Option<ReportedStatus>,
}

/// A field of a user that can be emptied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
enum UserField {
    Avatar,
    Link,
    Metadata,
    StatusMessage,
    Tags,
}

/// How a user is deleted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"permanent": true}))]
pub(super) struct Deletion {
    /// Whether everything that names or describes them is erased as well, within seconds.
    #[schema(default = false)]
    permanent: Option<bool>,
}

/// Users, in the order of their ids unless another is asked for.
#[utoipa::path(get, path = "/users", operation_id = "listUsers", tag = "Users", params(Searched, Paged, ByCursor, Ordered, UserListParams),
    responses((status = 200, description = "A page of them.", body = Page<UserRecord>)))]
pub(super) async fn list(State(app): State<App>, caller: Caller, mut query: Query) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let (search, paging) = (query.search()?, query.paging()?);
    let directory = query.directory(&paging, "uid")?;
    let filter = UserFilter::read(&mut query, search)?;
    query.end()?;
    let wanted = |user: &User| filter.matches(&app, user);
    let wanted: Option<&(dyn Fn(&User) -> bool + Send + Sync)> = if filter.is_everybody { None } else { Some(&wanted) };
    let Listing { entries: users, total, resume_at } =
        app.store().read().await?.users(&directory, None, wanted).await?;
    let (changed, total) = (users.iter().map(|user| user.updated_at), total as usize);
    let next = resume_at.or_else(|| Paging::resume_by_number(changed, total, app.clock().now()));
    let record = |user| if filter.shows_tags { UserRecord::with_tags(&app, user) } else { UserRecord::of(&app, user) };
    paging.answer(users.into_iter().map(record).collect(), total, next)
}

/// Make a user known.
#[utoipa::path(post, path = "/users", operation_id = "createUser", tag = "Users", params(IdempotencyHeader), request_body = NewUser,
    responses((status = 200, description = "Made.", body = Data<UserRecord>)))]
pub(super) async fn create(State(app): State<App>, caller: Caller, sent: Sent<NewUser>) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let (body, content) = sent.read_with_content()?;
    let uid = body.uid.clone().of_a_person().map_err(|error| V3Error::invalid("uid", format!("{error}")))?;
    let token = body.with_auth_token.unwrap_or(false);
    if token {
        tokens::secret(&app)?;
    }
    let request = caller.global_request(&app, &content);
    let made = membership::create_user(app.store(), request, uid, body.patch()).await?;
    let Idempotent { value: user, done_at } = made.ok_or_else(V3Error::other_user)?;
    let minted = if token { Some(tokens::mint(&app, &user, tokens::DEFAULT_TTL, done_at).await) } else { None };
    let auth_token = minted.transpose().map_err(V3Error::after_commit)?.map(|minted| minted.text);
    data(UserRecord { auth_token, ..UserRecord::with_tags(&app, user) })
}

/// A user.
#[utoipa::path(get, path = "/users/{uid}", operation_id = "getUser", tag = "Users", params(UserPath, OnBehalfOf),
    responses((status = 200, description = "The user.", body = Data<UserRecord>)))]
pub(super) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
    query: Query,
) -> Result<Response, V3Error> {
    let user = app.store().read().await?.user(&parse_uid_or_404(&uid)?).await?.ok_or_else(V3Error::no_user)?;
    query.end()?;
    data(UserRecord::with_tags(&app, user).seen_by(&caller))
}

/// Change a user, in every group they are in.
#[utoipa::path(put, path = "/users/{uid}", operation_id = "updateUser", tag = "Users", params(UserPath, IdempotencyHeader), request_body = UserChange,
    responses((status = 200, description = "The user as they are now.", body = Data<UserRecord>)))]
pub(super) async fn update(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
    sent: Sent<UserChange>,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let uid = parse_uid_or_404(&uid)?;
    app.store().read().await?.user(&uid).await?.ok_or_else(V3Error::no_user)?;
    let (body, content) = sent.read_with_content()?;
    let status = body.status;
    let request = caller.global_request(&app, &content);
    let Idempotent { value: user, .. } =
        membership::update_user(app.store(), request, uid.clone(), body.patch()).await?;
    // Also when it is repeated under its key: of the first time nothing but the change of the user is certain.
    match status.map(Status::from) {
        None => {}
        Some(Status::Offline) => app.hub().set_host_presence(&uid, false),
        Some(status) => app.hub().set_host_report(&uid, HostReport { status, until: None }),
    }
    let record = UserRecord::with_tags(&app, user);
    // The original's answer to a change has it in any case: a user who was never changed is as they were made.
    data(UserRecord { updated_at: record.updated_at.or(record.created_at), ..record })
}

/// Forget a user, and take them out of every group. Not while they own one: `details.groups` names those.
#[utoipa::path(delete, path = "/users/{uid}", operation_id = "deleteUser", tag = "Users", params(UserPath, IdempotencyHeader),
    request_body = Deletion,
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(super) async fn delete(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
    sent: Sent<Deletion>,
) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let uid = parse_uid_or_404(&uid)?;
    let permanent = sent.read()?.permanent.unwrap_or(false);
    let request = caller.global_request(&app, "");
    let deleted = if permanent {
        membership::erase_user(app.store(), request, uid.clone()).await?
    } else {
        membership::delete_user(app.store(), request, uid.clone()).await?
    };
    // Also when it is repeated under its key, unless somebody has the uid again.
    if deleted.done_at.is_none() || app.store().read().await?.user(&uid).await?.is_none() {
        let presences = app.hub().presences();
        if permanent {
            presences.forget(&uid);
        } else {
            presences.forget_deleted(&uid);
        }
    }
    success(format!("User with {uid} has been deleted."))
}

impl NewUser {
    fn patch(self) -> UserPatch {
        UserPatch {
            name: Some(self.name),
            avatar: texts(self.avatar),
            role: texts(self.role),
            link: texts(self.link),
            status_message: texts(self.status_message),
            metadata: texts(self.metadata),
            tags: self.tags.map(|tags| tags.0),
        }
    }
}

impl UserChange {
    fn patch(self) -> UserPatch {
        let unset = self.unset.unwrap_or_default();
        let cleared = |field, change: Option<Option<String>>| if unset.contains(&field) { Some(None) } else { change };
        UserPatch {
            name: self.name,
            avatar: cleared(UserField::Avatar, texts(self.avatar)),
            role: texts(self.role),
            link: cleared(UserField::Link, texts(self.link)),
            status_message: cleared(UserField::StatusMessage, texts(self.status_message)),
            metadata: cleared(UserField::Metadata, texts(self.metadata)),
            tags: if unset.contains(&UserField::Tags) { Some(Vec::new()) } else { tags_of(self.tags) },
        }
    }
}
