//! `/v3/users`: the people whom the host names, and below `/v3/users/{uid}` their groups, tokens and exported data.
//!
//! Not here: presence (`presence.rs`).

pub(super) mod export;
pub(super) mod groups;
pub(super) mod tokens;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::answer::{Data, Page, Success, data, success};
use super::error::V3Error;
use super::records::UserRecord;
use super::request::auth::{Caller, known};
use super::request::body::{Sent, clearable};
use super::request::fields::{Description, Link, Metadata, Picture, Role, Tags, changed, texts};
use super::request::paging::{ByCursor, Ordered, Paged, Query, Searched};
use super::request::path::Path;
use crate::app::App;
use crate::domain::{Name, Search, Uid};
use crate::http::openapi::{IdempotencyHeader, OnBehalfOf, UserPath};
use crate::membership::{self, Idempotent, UserPatch};
use crate::store::User;

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

/// What is to be different about a user. What is not named stays; null and `unset` take away.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(example = json!({"name": "Deirdre", "unset": ["avatar"]}))]
pub(super) struct UserChange {
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
    tags: Option<Tags>,
    /// Fields to be emptied.
    unset: Option<Vec<UserField>>,
    /// The host says whether they are there.
    status: Option<HostStatus>,
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

/// What the host says of somebody's presence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum HostStatus {
    Online,
    Available,
    Offline,
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

/// Which users.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(super) struct UserFilter {
    /// `name`, `uid`, `createdAt` or `updatedAt`.
    #[param(pattern = "^(name|uid|createdAt|updatedAt)?$")]
    sort_by: Option<String>,
    /// Where to search: `name`, `uid`, with commas between them.
    #[param(pattern = "^((name|uid)(,(name|uid))*)?$")]
    search_in: Option<String>,
    /// `available` (or `online`) or `offline`.
    #[param(pattern = "^(available|online|offline)?$")]
    status: Option<String>,
    /// Of this role.
    role: Option<String>,
    /// Of one of these roles, with commas between them.
    roles: Option<String>,
    /// With one of these tags, with commas between them.
    tags: Option<String>,
    /// Tags in the answer.
    with_tags: Option<bool>,
    /// These, with commas between them.
    uids: Option<String>,
    /// Accepted; the count is in `meta.pagination` in any case.
    count: Option<bool>,
    /// Nobody: users are not deactivated here.
    only_deactivated: Option<bool>,
    /// Accepted: users are not deactivated here.
    with_deactivated: Option<bool>,
}

/// Users, in the order of their ids unless another is asked for.
#[utoipa::path(get, path = "/users", operation_id = "listUsers", tag = "Users", params(Searched, Paged, ByCursor, Ordered, UserFilter),
    responses((status = 200, description = "A page of them.", body = Page<UserRecord>)))]
pub(super) async fn list(State(app): State<App>, caller: Caller, mut query: Query) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let (search, paging) = (query.search()?, query.paging()?);
    let (directory, (in_name, in_uid)) = (query.directory(&paging, "uid")?, query.search_in("uid")?);
    let (online, tags, uids) = (query.status()?, query.list("tags")?, query.list("uids")?);
    let roles: Option<Vec<String>> = match (query.list("role")?, query.list("roles")?) {
        (None, None) => None,
        (one, many) => Some(one.into_iter().chain(many).flatten().collect()),
    };
    let (with_tags, nobody) = (query.flag("withTags")?, query.flag("onlyDeactivated")?);
    let _ = (query.flag("count")?, query.flag("withDeactivated")?);
    query.end()?;
    let plain = [search.is_some(), online.is_some(), tags.is_some(), uids.is_some(), roles.is_some(), nobody];
    let search = Search::new(&search.unwrap_or_default());
    let is_available =
        |user: &User| app.hub().presences().of(&user.uid).is_some_and(|presence| presence.status.counts_as_online());
    let wanted = |user: &User| {
        let (name, uid) = (if in_name { &*user.name } else { "" }, if in_uid { user.uid.as_str() } else { "" });
        !nobody
            && search.finds(name, uid)
            && online.is_none_or(|online| online == is_available(user))
            && tags.as_ref().is_none_or(|tags| tags.iter().any(|tag| user.details.tags.contains(tag)))
            && uids.as_ref().is_none_or(|uids| uids.iter().any(|uid| uid == user.uid.as_str()))
            && roles
                .as_ref()
                .is_none_or(|roles| roles.iter().any(|role| role == user.details.role.as_deref().unwrap_or("default")))
    };
    let wanted: Option<&(dyn Fn(&User) -> bool + Send + Sync)> =
        if plain.contains(&true) { Some(&wanted) } else { None };
    let (users, total) = app.store().read().await?.users(&directory, None, wanted).await?;
    let next = paging.resume_at(users.iter().map(|user| user.updated_at), total as usize, app.clock().now());
    let record = |user| if with_tags { UserRecord::with_tags(&app, user) } else { UserRecord::of(&app, user) };
    paging.answer(users.into_iter().map(record).collect(), total as usize, next)
}

/// Make a user known.
#[utoipa::path(post, path = "/users", operation_id = "createUser", tag = "Users", params(IdempotencyHeader), request_body = NewUser,
    responses((status = 200, description = "Made.", body = Data<UserRecord>)))]
pub(super) async fn create(State(app): State<App>, caller: Caller, sent: Sent<NewUser>) -> Result<Response, V3Error> {
    caller.must_be_host()?;
    let (body, content) = sent.read_with_content()?;
    let uid = body.uid.of_a_person().map_err(|error| V3Error::invalid("uid", format!("{error}")))?;
    let token = body.with_auth_token.unwrap_or(false);
    if token {
        tokens::secret(&app)?;
    }
    let patch = UserPatch {
        name: Some(body.name),
        avatar: texts(body.avatar),
        role: texts(body.role),
        link: texts(body.link),
        status_message: texts(body.status_message),
        metadata: texts(body.metadata),
        tags: body.tags.map(|tags| tags.0),
    };
    let made = membership::create_user(app.store(), caller.global_request(&app, &content), uid, patch).await?;
    let Idempotent { value: user, done_at } = made.ok_or_else(V3Error::other_user)?;
    let auth_token = if token { Some(tokens::mint(&app, &user, tokens::TTL, done_at).await?.text) } else { None };
    data(UserRecord { auth_token, ..UserRecord::with_tags(&app, user) })
}

/// A user.
#[utoipa::path(get, path = "/users/{uid}", operation_id = "getUser", tag = "Users", params(UserPath, OnBehalfOf),
    responses((status = 200, description = "The user.", body = Data<UserRecord>)))]
pub(super) async fn show(State(app): State<App>, caller: Caller, Path(uid): Path<String>) -> Result<Response, V3Error> {
    let user = app.store().read().await?.user(&known(&uid)?).await?.ok_or_else(V3Error::no_user)?;
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
    let uid = known(&uid)?;
    app.store().read().await?.user(&uid).await?.ok_or_else(V3Error::no_user)?;
    let (body, content) = sent.read_with_content()?;
    let status = body.status;
    let request = caller.global_request(&app, &content);
    let Idempotent { value: user, done_at } =
        membership::update_user(app.store(), request, uid.clone(), body.patch()).await?;
    if let (Some(status), None) = (status, done_at) {
        app.hub().set_host_presence(&uid, status != HostStatus::Offline);
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
    let uid = known(&uid)?;
    let permanent = sent.read()?.permanent.unwrap_or(false);
    let request = caller.global_request(&app, "");
    let deleted = if permanent {
        membership::erase_user(app.store(), request, uid.clone()).await?
    } else {
        membership::delete_user(app.store(), request, uid.clone()).await?
    };
    if deleted.done_at.is_none() {
        app.hub().presences().forget(&uid);
    }
    success(format!("User with {uid} has been deleted."))
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
            tags: if unset.contains(&UserField::Tags) { Some(Vec::new()) } else { self.tags.map(|tags| tags.0) },
        }
    }
}
