//! `/v3/users`: people, as the host tells of them.

use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::{Value, json};

use super::auth::Caller;
use super::body::Sent;
use super::error::Failure;
use super::paging::{Query, data, success};
use crate::app::App;
use crate::domain::{Status, Uid};
use crate::membership::{self, Created};
use crate::store::{DirectoryQuery, User};

/// `GET /v3/users`.
pub(super) async fn list(State(app): State<App>, caller: Caller, mut query: Query) -> Result<Response, Failure> {
    caller.must_be_host()?;
    let (search, paging) = (query.search()?, query.paging()?);
    query.end()?;
    let slice = DirectoryQuery { search, skip: paging.skip(), limit: paging.per_page };
    let (users, total) = app.store().read().await?.users(&slice).await?;
    paging.answer(users.iter().map(|user| value(&app, user)).collect(), total as usize)
}

/// `POST /v3/users`: `uid`, `name`, `avatar`.
pub(super) async fn create(State(app): State<App>, caller: Caller, sent: Sent) -> Result<Response, Failure> {
    caller.must_be_host()?;
    let mut fields = sent.read()?;
    let (uid, name, avatar) = (fields.uid("uid")?, fields.name("name")?, fields.picture("avatar")?);
    let (uid, name) = (fields.required("uid", uid)?, fields.required("name", name)?);
    fields.end()?;
    match membership::create_user(app.store(), uid, name, avatar.flatten()).await? {
        Created::New(user) | Created::Same(user) => data(value(&app, &user)),
        Created::Other => Err(Failure::other_user()),
    }
}

/// `GET /v3/users/{uid}`.
pub(super) async fn show(State(app): State<App>, caller: Caller, Path(uid): Path<String>) -> Result<Response, Failure> {
    caller.must_be_host()?;
    let user = app.store().read().await?.user(&known(&uid)?).await?;
    data(value(&app, &user.ok_or_else(Failure::no_user)?))
}

/// `PUT /v3/users/{uid}`: `name`, `avatar` (null takes it away), `status` (online or offline).
pub(super) async fn update(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
    sent: Sent,
) -> Result<Response, Failure> {
    caller.must_be_host()?;
    let uid = known(&uid)?;
    app.store().read().await?.user(&uid).await?.ok_or_else(Failure::no_user)?;
    let mut fields = sent.read()?;
    let (name, avatar) = (fields.name("name")?, fields.picture("avatar")?);
    let online = match fields.text("status")?.as_deref() {
        None => None,
        Some("online" | "available") => Some(true),
        Some("offline") => Some(false),
        Some(_) => return Err(fields.invalid("status", "online or offline")),
    };
    fields.end()?;
    let user = membership::update_user(app.store(), uid.clone(), name, avatar).await?;
    if let Some(online) = online {
        app.hub().set_host_presence(&uid, online);
    }
    data(value(&app, &user))
}

/// `DELETE /v3/users/{uid}`: forgotten, and out of every group.
pub(super) async fn delete(
    State(app): State<App>,
    caller: Caller,
    Path(uid): Path<String>,
) -> Result<Response, Failure> {
    caller.must_be_host()?;
    let uid = known(&uid)?;
    membership::delete_user(app.store(), uid.clone()).await?;
    app.hub().set_host_presence(&uid, false);
    success(format!("User {uid} was deleted."))
}

/// An id that nobody can have is a user who is not there.
fn known(uid: &str) -> Result<Uid, Failure> {
    uid.parse().map_err(|_| Failure::no_user())
}

fn value(app: &App, user: &User) -> Value {
    let status = app.hub().presences().of(&user.uid).map_or(Status::Offline, |presence| presence.status);
    json!({
        "uid": user.uid.as_str(),
        "name": user.name,
        "avatar": user.avatar,
        "status": status.as_str(),
        "createdAt": user.created_at / 1000,
        "updatedAt": user.updated_at / 1000,
    })
}
