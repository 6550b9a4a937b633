//! The acts: each one parses what it needs, calls one verb, and answers with the same swaps that
//! the live stream sends.

mod answer;
mod request;

use axum::extract::State;
use axum::response::Response;

use self::answer::Answer;
use self::request::{At, Doing, InGroup};
use super::problem::Problem;
use crate::domain::{GroupType, Refusal, Scope};
use crate::http::extract::group_access::{self, Seat};
use crate::http::extract::{Path, input};
use crate::lang::key;
use crate::membership::{self, ActError};

/// `DELETE /groups/{guid}/members/{uid}`: kick; of oneself, leave.
pub async fn remove(at: At<(String, String)>) -> Result<Response, Problem> {
    let (doing, (_, uid)) = Doing::begin(at).await?;
    let uid = doing.uid(&uid)?;
    let own = uid == *doing.viewer.uid();
    let (request, store) = (doing.request(), doing.app.store().clone());
    let done = if own {
        membership::leave(&store, request, uid.clone()).await
    } else {
        membership::kick(&store, request, uid.clone()).await
    };
    Answer::new(doing, if own { "leave" } else { "kick" }, uid).give(done).await
}

/// `PUT /groups/{guid}/members/{uid}/scope`.
pub async fn set_scope(at: At<(String, String)>) -> Result<Response, Problem> {
    let (doing, (_, uid)) = Doing::begin(at).await?;
    let uid = doing.uid(&uid)?;
    let scope = input::scope(&doing.fields).map_err(|problem| doing.invalid(problem))?;
    let done = membership::set_scope(doing.app.store(), doing.request(), uid.clone(), scope).await;
    Answer::new(doing, "scope", uid).give(done).await
}

/// `PUT /groups/{guid}/owner`.
pub async fn transfer(at: At<String>) -> Result<Response, Problem> {
    let (doing, _) = Doing::begin(at).await?;
    let uid = doing.uid(doing.fields.get("uid").map_or("", String::as_str))?;
    let done = membership::transfer(doing.app.store(), doing.request(), uid.clone()).await;
    Answer::new(doing, "transfer", uid).give(done).await
}

/// `PUT /groups/{guid}/bans/{uid}`.
pub async fn ban(at: At<(String, String)>) -> Result<Response, Problem> {
    let (doing, (_, uid)) = Doing::begin(at).await?;
    let uid = doing.uid(&uid)?;
    let terms = input::terms(&doing.fields, doing.app.clock().now()).map_err(|problem| doing.invalid(problem))?;
    let done = membership::ban(doing.app.store(), doing.request(), uid.clone(), terms).await;
    Answer::new(doing, "ban", uid).give(done).await
}

/// `DELETE /groups/{guid}/bans/{uid}`.
pub async fn unban(at: At<(String, String)>) -> Result<Response, Problem> {
    let (doing, (_, uid)) = Doing::begin(at).await?;
    let uid = doing.uid(&uid)?;
    let done = membership::unban(doing.app.store(), doing.request(), uid.clone()).await;
    Answer::new(doing, "unban", uid).give(done).await
}

/// `POST /groups/{guid}/members`: join oneself.
pub async fn join((State(app), viewer, Path(guid), ask, headers, fields): At<String>) -> Result<Response, Problem> {
    let room = group_access::room(&app, &guid).await?;
    if fields.method().is_some_and(|method| method != "POST") {
        return unknown_method((State(app), viewer, Path(guid), ask, headers, fields)).await;
    }
    let private = room.state().roster().group().group_type == GroupType::Private;
    let member = Seat::of(&app, &viewer, &guid, &ask).await;
    if private && let Err(problem) = member {
        return Err(problem);
    }
    let scope = member.map_or(Scope::Participant, |seat| seat.scope);
    let doing = Doing::with(app, viewer, Seat { room, scope, lang: ask.lang }, ask, &headers, fields)?;
    let (uid, claims) = (doing.viewer.uid().clone(), doing.viewer.0.clone());
    let name = claims.name.map(|name| name.as_str().to_owned());
    let password = doing.fields.get("password").filter(|password| !password.is_empty()).cloned();
    let asks_password = doing.seat.room.state().roster().group().group_type == GroupType::Password;
    let in_already = doing.seat.room.state().roster().get(uid.as_str()).is_some();
    if asks_password && password.is_none() && !in_already {
        input::not_banned(&doing.app, doing.seat.room.guid(), &uid).await?;
        let problem = Problem::invalid("password: this group asks for its password");
        return doing.not_opened(problem, key::GROUP_PASSWORD_MISSING);
    }
    let done = membership::join(doing.app.store(), doing.request(), uid.clone(), name, claims.avatar, password).await;
    match done {
        Err(ActError::Refused { refusal: refusal @ Refusal::WrongPassword, .. }) => {
            doing.not_opened(Problem::refused(refusal), key::REFUSED_PASSWORD)
        }
        done => Answer::new(doing, "join", uid).give(done).await,
    }
}

/// A plain form to `/members/{uid}`: what its field `_method` says.
pub async fn post_member(at: At<(String, String)>) -> Result<Response, Problem> {
    match at.5.method().as_deref() {
        Some("DELETE") => remove(at).await,
        _ => unknown_method(at).await,
    }
}

/// A plain form to `/members/{uid}/scope`.
pub async fn post_scope(at: At<(String, String)>) -> Result<Response, Problem> {
    match at.5.method().as_deref() {
        Some("PUT") => set_scope(at).await,
        _ => unknown_method(at).await,
    }
}

/// A plain form to `/owner`.
pub async fn post_owner(at: At<String>) -> Result<Response, Problem> {
    match at.5.method().as_deref() {
        Some("PUT") => transfer(at).await,
        _ => unknown_method(at).await,
    }
}

/// A plain form to `/bans/{uid}`.
pub async fn post_ban(at: At<(String, String)>) -> Result<Response, Problem> {
    match at.5.method().as_deref() {
        Some("PUT") => ban(at).await,
        Some("DELETE") => unban(at).await,
        _ => unknown_method(at).await,
    }
}

async fn unknown_method<P: InGroup>((State(app), viewer, Path(path), ask, ..): At<P>) -> Result<Response, Problem> {
    Seat::of(&app, &viewer, path.guid(), &ask).await?;
    Err(Problem::bad_request("A form says in its field _method what it means: PUT, DELETE, or POST to join."))
}
