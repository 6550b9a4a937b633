//! `/v3/users`: people, as the host tells of them.

use axum::extract::{Path, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::{Data, Page, Success};
use super::auth::Caller;
use super::body::{Sent, clearable};
use super::error::Failure;
use super::fields::Picture;
use super::paging::{PagedSearch, Query, data, success};
use crate::app::App;
use crate::domain::{Name, Status, Uid};
use crate::http::openapi::UserPath;
use crate::membership::{self, Created};
use crate::store::{DirectoryQuery, User};

/// A user to be made known.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"uid": "dee", "name": "Dee", "avatar": "https://pictures.example/dee.png"}))]
pub(super) struct NewUser {
    uid: Uid,
    name: Name,
    #[serde(default, deserialize_with = "clearable")]
    #[schema(value_type = Option<Picture>)]
    avatar: Option<Option<Picture>>,
}

/// What is to be different about a user.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Deirdre", "avatar": null}))]
pub(super) struct UserPatch {
    name: Option<Name>,
    /// null takes it away.
    #[serde(default, deserialize_with = "clearable")]
    #[schema(value_type = Option<Picture>)]
    avatar: Option<Option<Picture>>,
    /// The host says whether they are there.
    status: Option<HostStatus>,
}

/// What the host says of somebody's presence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum HostStatus {
    Online,
    Available,
    Offline,
}

/// A user as the host reads one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User, example = json!({"uid": "dee", "name": "Dee", "avatar": null, "status": "offline", "createdAt": 1700000000, "updatedAt": 1700000000}))]
pub(super) struct UserRecord {
    uid: Uid,
    #[schema(value_type = Name)]
    name: String,
    avatar: Option<String>,
    /// `online`, `away` or `offline`.
    status: &'static str,
    /// Seconds since the epoch.
    created_at: i64,
    /// Seconds since the epoch.
    updated_at: i64,
}

/// Users, in the order of their ids.
#[utoipa::path(get, path = "/users", operation_id = "listUsers", tag = "Users", params(PagedSearch),
    responses((status = 200, description = "A page of them.", body = Page<UserRecord>)))]
pub(super) async fn list(State(app): State<App>, caller: Caller, mut query: Query) -> Result<Response, Failure> {
    caller.must_be_host()?;
    let (search, paging) = (query.search()?, query.paging()?);
    query.end()?;
    let slice = DirectoryQuery { search, skip: paging.skip(), limit: paging.per_page };
    let (users, total) = app.store().read().await?.users(&slice).await?;
    paging.answer(users.into_iter().map(|user| record(&app, user)).collect(), total as usize)
}

/// Make a user known. Again with the same name and avatar it is answered like the first time.
#[utoipa::path(post, path = "/users", operation_id = "createUser", tag = "Users", request_body = NewUser,
    responses((status = 200, description = "Made, or there just so.", body = Data<UserRecord>)))]
pub(super) async fn create(State(app): State<App>, caller: Caller, sent: Sent<NewUser>) -> Result<Response, Failure> {
    caller.must_be_host()?;
    let NewUser { uid, name, avatar } = sent.read()?;
    match membership::create_user(app.store(), uid, name, avatar.flatten().map(|url| url.0)).await? {
        Created::New(user) | Created::Same(user) => data(record(&app, user)),
        Created::Other => Err(Failure::other_user()),
    }
}

/// A user.
#[utoipa::path(get, path = "/users/{uid}", operation_id = "getUser", tag = "Users", params(UserPath),
    responses((status = 200, description = "The user.", body = Data<UserRecord>)))]
pub(super) async fn show(State(app): State<App>, caller: Caller, Path(uid): Path<String>) -> Result<Response, Failure> {
    caller.must_be_host()?;
    let user = app.store().read().await?.user(&known(&uid)?).await?;
    data(record(&app, user.ok_or_else(Failure::no_user)?))
}

/// Change a user: name and picture in every group, or presence.
#[utoipa::path(put, path = "/users/{uid}", operation_id = "updateUser", tag = "Users", params(UserPath), request_body = UserPatch,
    responses((status = 200, description = "The user as they are now.", body = Data<UserRecord>)))]
pub(super) async fn update(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
    sent: Sent<UserPatch>,
) -> Result<Response, Failure> {
    caller.must_be_host()?;
    let uid = known(&uid)?;
    app.store().read().await?.user(&uid).await?.ok_or_else(Failure::no_user)?;
    let UserPatch { name, avatar, status } = sent.read()?;
    let avatar = avatar.map(|change| change.map(|url| url.0));
    let user = membership::update_user(app.store(), uid.clone(), name, avatar).await?;
    if let Some(status) = status {
        app.hub().set_host_presence(&uid, status != HostStatus::Offline);
    }
    data(record(&app, user))
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

/// Forget a user, and take them out of every group. Not while they own one: `details.groups` names those.
#[utoipa::path(delete, path = "/users/{uid}", operation_id = "deleteUser", tag = "Users", params(UserPath),
    request_body = Deletion,
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(super) async fn delete(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
    sent: Sent<Deletion>,
) -> Result<Response, Failure> {
    caller.must_be_host()?;
    let uid = known(&uid)?;
    if sent.read()?.permanent.unwrap_or(false) {
        membership::erase_user(app.store(), uid.clone()).await?;
    } else {
        membership::delete_user(app.store(), uid.clone()).await?;
    }
    app.hub().presences().forget(&uid);
    success(format!("User {uid} was deleted."))
}

/// An id that nobody can have is a user who is not there.
pub(super) fn known(uid: &str) -> Result<Uid, Failure> {
    uid.parse().map_err(|_| Failure::no_user())
}

pub(super) fn record(app: &App, user: User) -> UserRecord {
    let status = app.hub().presences().of(&user.uid).map_or(Status::Offline, |presence| presence.status);
    UserRecord {
        uid: user.uid,
        name: user.name,
        avatar: user.avatar,
        status: status.as_str(),
        created_at: user.created_at / 1000,
        updated_at: user.updated_at / 1000,
    }
}
