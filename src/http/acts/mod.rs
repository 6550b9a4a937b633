//! Requests that change a group: each parses its input, calls one verb, and responds with the same swaps that the live stream
//! sends.
//!
//! Not here: reads (`pages`) and the host's back end (`v3`).

pub(super) mod batch;
mod batch_response;
mod change_in_words;
mod input;
pub(super) mod notes;
mod refusal;
mod response;
pub(super) mod undo;

use axum::response::Response;

use self::input::{ActInput, ActParts, InGroup};
use self::response::{ActResponse, Done};
use super::problem::Problem;
use crate::domain::{Act, ActKind, GroupType, Refusal, Scope, Uid};
use crate::http::extract::act_fields;
use crate::http::extract::group_access::{GroupAccess, VisibleGroup, refuse_banned, visible_group};
use crate::http::openapi::{
    BanForm, GroupPath, IdempotencyHeader, JoinForm, KickForm, MemberAnswer, MemberPath, MuteForm, Nothing, OwnerForm,
    PlainBan, PlainKick, PlainMute, PlainScope, PlainTransfer, ScopeForm, UnmutedAnswer,
};
use crate::i18n::key;
use crate::membership::{self, ActError};

/// `DELETE /groups/{guid}/members/{uid}`: kick; of oneself, leave.
#[utoipa::path(delete, path = "/groups/{guid}/members/{uid}", operation_id = "kick", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "Kick; of oneself, leave.", request_body(content((KickForm = "application/json"), (KickForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((Nothing = "application/json"), (String = "text/html")))))]
pub(super) async fn remove(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    let (asked, (_, uid)) = ActInput::begin(parts).await?;
    let uid = asked.uid(&uid)?;
    let message = act_fields::message(&asked.fields).map_err(|problem| asked.invalid(problem))?;
    let act = if uid == *asked.viewer.uid() { Act::Leave } else { Act::Kick { message } };
    perform(asked, act, uid).await
}

/// `PUT /groups/{guid}/members/{uid}/scope`.
#[utoipa::path(put, path = "/groups/{guid}/members/{uid}/scope", operation_id = "changeScope", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "Another scope, also for a time; of oneself, only a lower one.", request_body(content((ScopeForm = "application/json"), (ScopeForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((MemberAnswer = "application/json"), (String = "text/html")))))]
pub(super) async fn set_scope(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    let (asked, (_, uid)) = ActInput::begin(parts).await?;
    let uid = asked.uid(&uid)?;
    let new =
        act_fields::new_scope(&asked.fields, asked.app.clock().now()).map_err(|problem| asked.invalid(problem))?;
    perform(asked, Act::SetScope(new), uid).await
}

/// `PUT /groups/{guid}/owner`.
#[utoipa::path(put, path = "/groups/{guid}/owner", operation_id = "handOver", tag = "Acts", params(GroupPath, IdempotencyHeader),
    summary = "Hand the group over; the old owner becomes admin.", request_body(content((OwnerForm = "application/json"), (OwnerForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((MemberAnswer = "application/json"), (String = "text/html")))))]
pub(super) async fn transfer(parts: ActParts<String>) -> Result<Response, Problem> {
    let (asked, _) = ActInput::begin(parts).await?;
    let uid = asked.uid(asked.fields.get("uid").map_or("", String::as_str))?;
    perform(asked, Act::Transfer, uid).await
}

/// `PUT /groups/{guid}/bans/{uid}`.
#[utoipa::path(put, path = "/groups/{guid}/bans/{uid}", operation_id = "banMember", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "Ban; again: on other terms.", request_body(content((BanForm = "application/json"), (BanForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((Nothing = "application/json"), (String = "text/html")))))]
pub(super) async fn ban(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    let (asked, (_, uid)) = ActInput::begin(parts).await?;
    let uid = asked.uid(&uid)?;
    let terms = act_fields::terms(&asked.fields, asked.app.clock().now()).map_err(|problem| asked.invalid(problem))?;
    perform(asked, Act::Ban(terms), uid).await
}

/// `DELETE /groups/{guid}/bans/{uid}`.
#[utoipa::path(delete, path = "/groups/{guid}/bans/{uid}", operation_id = "unbanMember", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "Lift a ban; membership does not come back by itself.", responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((Nothing = "application/json"), (String = "text/html")))))]
pub(super) async fn unban(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    let (asked, (_, uid)) = ActInput::begin(parts).await?;
    let uid = asked.uid(&uid)?;
    perform(asked, Act::Unban, uid).await
}

/// `PUT /groups/{guid}/mutes/{uid}`.
#[utoipa::path(put, path = "/groups/{guid}/mutes/{uid}", operation_id = "muteMember", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "Mute; again: on other terms.", request_body(content((MuteForm = "application/json"), (MuteForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((MemberAnswer = "application/json"), (String = "text/html")))))]
pub(super) async fn mute(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    let (asked, (_, uid)) = ActInput::begin(parts).await?;
    let uid = asked.uid(&uid)?;
    let terms =
        act_fields::mute_terms(&asked.fields, asked.app.clock().now()).map_err(|problem| asked.invalid(problem))?;
    perform(asked, Act::Mute(terms), uid).await
}

/// `DELETE /groups/{guid}/mutes/{uid}`.
#[utoipa::path(delete, path = "/groups/{guid}/mutes/{uid}", operation_id = "unmuteMember", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "Lift a mute, also of somebody who left.", responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((UnmutedAnswer = "application/json"), (String = "text/html")))))]
pub(super) async fn unmute(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    let (asked, (_, uid)) = ActInput::begin(parts).await?;
    let uid = asked.uid(&uid)?;
    perform(asked, Act::Unmute, uid).await
}

async fn perform(asked: ActInput, act: Act, uid: Uid) -> Result<Response, Problem> {
    let kind = act.kind();
    let done = membership::act(asked.app.store(), asked.request(), uid.clone(), act).await;
    ActResponse::new(asked, Done::Act(kind), uid).into_response(done).await
}

/// `POST /groups/{guid}/members`: join oneself.
#[utoipa::path(post, path = "/groups/{guid}/members", operation_id = "join", tag = "Acts", params(GroupPath, IdempotencyHeader),
    summary = "Join oneself.", request_body(content((JoinForm = "application/json"), (JoinForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((MemberAnswer = "application/json"), (String = "text/html")))))]
pub(super) async fn join(
    ActParts { app, viewer, path: guid, info, headers, fields }: ActParts<String>,
) -> Result<Response, Problem> {
    if fields.method().is_some_and(|method| method != "POST") {
        return unknown_method(ActParts { app, viewer, path: guid, info, headers, fields }).await;
    }
    let access = match visible_group(&app, &viewer, &guid, &info).await? {
        VisibleGroup::Member(access) => access,
        VisibleGroup::NonMember(group) => GroupAccess { group, scope: Scope::Participant, lang: info.lang },
    };
    let act = ActInput::with(app, viewer, access, info, &headers, fields)?;
    let (uid, claims) = (act.viewer.uid().clone(), act.viewer.0.clone());
    let name = claims.name.map(|name| name.as_str().to_owned());
    let password = act.fields.get("password").filter(|password| !password.is_empty()).cloned();
    let asks_password = act.access.group.state().roster().group().group_type == GroupType::Password;
    let in_already = act.access.group.state().roster().get(uid.as_str()).is_some();
    if asks_password && password.is_none() && !in_already {
        refuse_banned(&act.app, act.access.group.guid(), &uid).await?;
        let program = "password: this group asks for its password";
        let problem = Problem::field(key::GROUP_PASSWORD_MISSING, program);
        return act.join_refused(problem, key::GROUP_PASSWORD_MISSING);
    }
    let done = membership::join(act.app.store(), act.request(), uid.clone(), name, claims.avatar, password).await;
    match done {
        Err(ActError::Refused { refusal: refusal @ Refusal::WrongPassword, .. }) => {
            act.join_refused(Problem::refused(refusal), key::REFUSED_PASSWORD)
        }
        done => ActResponse::new(act, Done::Act(ActKind::Join), uid).into_response(done).await,
    }
}

/// A plain form to `/members/{uid}`: what its field `_method` says.
#[utoipa::path(post, path = "/groups/{guid}/members/{uid}", operation_id = "formMember", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "The same as a plain form: the field _method says which.", request_body(content((PlainKick = "application/json"), (PlainKick = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done; to JSON, as the method named.", body = Nothing),
        (status = 303, description = "Back to where the form was.")))]
pub(super) async fn post_member(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    match parts.fields.method().as_deref() {
        Some("DELETE") => remove(parts).await,
        _ => unknown_method(parts).await,
    }
}

/// A plain form to `/members/{uid}/scope`.
#[utoipa::path(post, path = "/groups/{guid}/members/{uid}/scope", operation_id = "formScope", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "The same as a plain form: the field _method says which.", request_body(content((PlainScope = "application/json"), (PlainScope = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done; to JSON, as the method named.", body = Nothing),
        (status = 303, description = "Back to where the form was.")))]
pub(super) async fn post_scope(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    match parts.fields.method().as_deref() {
        Some("PUT") => set_scope(parts).await,
        _ => unknown_method(parts).await,
    }
}

/// A plain form to `/owner`.
#[utoipa::path(post, path = "/groups/{guid}/owner", operation_id = "formOwner", tag = "Acts", params(GroupPath, IdempotencyHeader),
    summary = "The same as a plain form: the field _method says which.", request_body(content((PlainTransfer = "application/json"), (PlainTransfer = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done; to JSON, as the method named.", body = Nothing),
        (status = 303, description = "Back to where the form was.")))]
pub(super) async fn post_owner(parts: ActParts<String>) -> Result<Response, Problem> {
    match parts.fields.method().as_deref() {
        Some("PUT") => transfer(parts).await,
        _ => unknown_method(parts).await,
    }
}

/// A plain form to `/bans/{uid}`.
#[utoipa::path(post, path = "/groups/{guid}/bans/{uid}", operation_id = "formBan", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "The same as a plain form: the field _method says which.", request_body(content((PlainBan = "application/json"), (PlainBan = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done; to JSON, as the method named.", body = Nothing),
        (status = 303, description = "Back to where the form was.")))]
pub(super) async fn post_ban(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    match parts.fields.method().as_deref() {
        Some("PUT") => ban(parts).await,
        Some("DELETE") => unban(parts).await,
        _ => unknown_method(parts).await,
    }
}

/// A plain form to `/mutes/{uid}`.
#[utoipa::path(post, path = "/groups/{guid}/mutes/{uid}", operation_id = "formMute", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "The same as a plain form: the field _method says which.", request_body(content((PlainMute = "application/json"), (PlainMute = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done; to JSON, as the method named.", body = Nothing),
        (status = 303, description = "Back to where the form was.")))]
pub(super) async fn post_mute(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    match parts.fields.method().as_deref() {
        Some("PUT") => mute(parts).await,
        Some("DELETE") => unmute(parts).await,
        _ => unknown_method(parts).await,
    }
}

async fn unknown_method<P: InGroup>(
    ActParts { app, viewer, path, info, .. }: ActParts<P>,
) -> Result<Response, Problem> {
    GroupAccess::load(&app, &viewer, path.guid(), &info).await?;
    Err(Problem::bad_request("A form says in its field _method what it means: PUT, DELETE, or POST to join."))
}
