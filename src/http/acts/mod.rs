//! Requests that change a group: each parses its input, calls one verb, and responds with the same swaps that the live stream
//! sends.
//!
//! Not here: reads (`pages`) and the host's back end (`v3`).

mod answer;
mod request;

use axum::extract::State;
use axum::response::Response;

use self::answer::Answer;
use self::request::{ActRequest, At, InGroup};
use super::problem::Problem;
use crate::domain::{Act, ActKind, GroupType, Refusal, Scope, Uid};
use crate::http::extract::group_access::{self, GroupAccess};
use crate::http::extract::{Path, input};
use crate::i18n::key;
use crate::membership::{self, ActError};

/// `DELETE /groups/{guid}/members/{uid}`: kick; of oneself, leave.
pub(super) async fn remove(at: At<(String, String)>) -> Result<Response, Problem> {
    let (asked, (_, uid)) = ActRequest::begin(at).await?;
    let uid = asked.uid(&uid)?;
    let act = if uid == *asked.viewer.uid() { Act::Leave } else { Act::Kick };
    perform(asked, act, uid).await
}

/// `PUT /groups/{guid}/members/{uid}/scope`.
pub(super) async fn set_scope(at: At<(String, String)>) -> Result<Response, Problem> {
    let (asked, (_, uid)) = ActRequest::begin(at).await?;
    let uid = asked.uid(&uid)?;
    let scope = input::scope(&asked.fields).map_err(|problem| asked.invalid(problem))?;
    perform(asked, Act::SetScope(scope), uid).await
}

/// `PUT /groups/{guid}/owner`.
pub(super) async fn transfer(at: At<String>) -> Result<Response, Problem> {
    let (asked, _) = ActRequest::begin(at).await?;
    let uid = asked.uid(asked.fields.get("uid").map_or("", String::as_str))?;
    perform(asked, Act::Transfer, uid).await
}

/// `PUT /groups/{guid}/bans/{uid}`.
pub(super) async fn ban(at: At<(String, String)>) -> Result<Response, Problem> {
    let (asked, (_, uid)) = ActRequest::begin(at).await?;
    let uid = asked.uid(&uid)?;
    let terms = input::terms(&asked.fields, asked.app.clock().now()).map_err(|problem| asked.invalid(problem))?;
    perform(asked, Act::Ban(terms), uid).await
}

/// `DELETE /groups/{guid}/bans/{uid}`.
pub(super) async fn unban(at: At<(String, String)>) -> Result<Response, Problem> {
    let (asked, (_, uid)) = ActRequest::begin(at).await?;
    let uid = asked.uid(&uid)?;
    perform(asked, Act::Unban, uid).await
}

async fn perform(asked: ActRequest, act: Act, uid: Uid) -> Result<Response, Problem> {
    let kind = act.kind();
    let done = membership::act(asked.app.store(), asked.request(), uid.clone(), act).await;
    Answer::new(asked, kind, uid).into_response(done).await
}

/// `POST /groups/{guid}/members`: join oneself.
pub(super) async fn join(
    (State(app), viewer, Path(guid), info, headers, fields): At<String>,
) -> Result<Response, Problem> {
    let group = group_access::group(&app, &guid).await?;
    if fields.method().is_some_and(|method| method != "POST") {
        return unknown_method((State(app), viewer, Path(guid), info, headers, fields)).await;
    }
    let private = group.state().roster().group().group_type == GroupType::Private;
    let member = GroupAccess::load(&app, &viewer, &guid, &info).await;
    if private && let Err(problem) = member {
        return Err(problem);
    }
    let scope = member.map_or(Scope::Participant, |access| access.scope);
    let act = ActRequest::with(app, viewer, GroupAccess { group, scope, lang: info.lang }, info, &headers, fields)?;
    let (uid, claims) = (act.viewer.uid().clone(), act.viewer.0.clone());
    let name = claims.name.map(|name| name.as_str().to_owned());
    let password = act.fields.get("password").filter(|password| !password.is_empty()).cloned();
    let asks_password = act.access.group.state().roster().group().group_type == GroupType::Password;
    let in_already = act.access.group.state().roster().get(uid.as_str()).is_some();
    if asks_password && password.is_none() && !in_already {
        input::not_banned(&act.app, act.access.group.guid(), &uid).await?;
        let problem = Problem::invalid("password: this group asks for its password");
        return act.not_opened(problem, key::GROUP_PASSWORD_MISSING);
    }
    let done = membership::join(act.app.store(), act.request(), uid.clone(), name, claims.avatar, password).await;
    match done {
        Err(ActError::Refused { refusal: refusal @ Refusal::WrongPassword, .. }) => {
            act.not_opened(Problem::refused(refusal), key::REFUSED_PASSWORD)
        }
        done => Answer::new(act, ActKind::Join, uid).into_response(done).await,
    }
}

/// A plain form to `/members/{uid}`: what its field `_method` says.
pub(super) async fn post_member(at: At<(String, String)>) -> Result<Response, Problem> {
    match at.5.method().as_deref() {
        Some("DELETE") => remove(at).await,
        _ => unknown_method(at).await,
    }
}

/// A plain form to `/members/{uid}/scope`.
pub(super) async fn post_scope(at: At<(String, String)>) -> Result<Response, Problem> {
    match at.5.method().as_deref() {
        Some("PUT") => set_scope(at).await,
        _ => unknown_method(at).await,
    }
}

/// A plain form to `/owner`.
pub(super) async fn post_owner(at: At<String>) -> Result<Response, Problem> {
    match at.5.method().as_deref() {
        Some("PUT") => transfer(at).await,
        _ => unknown_method(at).await,
    }
}

/// A plain form to `/bans/{uid}`.
pub(super) async fn post_ban(at: At<(String, String)>) -> Result<Response, Problem> {
    match at.5.method().as_deref() {
        Some("PUT") => ban(at).await,
        Some("DELETE") => unban(at).await,
        _ => unknown_method(at).await,
    }
}

async fn unknown_method<P: InGroup>((State(app), viewer, Path(path), info, ..): At<P>) -> Result<Response, Problem> {
    GroupAccess::load(&app, &viewer, path.guid(), &info).await?;
    Err(Problem::bad_request("A form says in its field _method what it means: PUT, DELETE, or POST to join."))
}
