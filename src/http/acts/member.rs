//! Members: a kick, leaving, and joining.

use axum::response::Response;
use utoipa::ToSchema;

use super::input::{ActInput, ActParts, unknown_method};
use super::response::{ActResponse, perform};
use crate::domain::{Act, ActKind, GroupType, Refusal, Scope};
use crate::http::extract::group_access::{GroupAccess, VisibleGroup, visible_group};
use crate::http::extract::{ActField, act_fields};
use crate::http::openapi::{GroupPath, IdempotencyHeader, MemberAnswer, MemberPath, Nothing};
use crate::http::pages::groups;
use crate::http::problem::Problem;
use crate::http::respond::operation::Operation;
use crate::i18n::key;
use crate::membership::{self, ActError, Outcome};

/// The message for a kicked person; ignored when leaving.
#[derive(ToSchema)]
#[schema(example = json!({"message": "Please read the rules before you come back."}))]
#[expect(dead_code, reason = "only described: handlers read them")]
struct KickForm {
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
}

/// `DELETE /groups/{guid}/members/{uid}`: kick; of oneself, leave.
#[utoipa::path(delete, path = "/groups/{guid}/members/{uid}", operation_id = "kick", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "Kick; of oneself, leave.", request_body(content((KickForm = "application/json"), (KickForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((Nothing = "application/json"), (String = "text/html")))))]
pub(in crate::http) async fn remove(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    let (input, (_, uid)) = ActInput::begin_removal(parts).await?;
    let uid = input.uid(&uid)?;
    let message =
        act_fields::message(&input.fields).map_err(|problem| input.invalid_form(problem, &uid, ActKind::Kick))?;
    let act = if uid == *input.viewer.uid() { Act::Leave } else { Act::Kick { message } };
    perform(input, act, uid).await
}

/// A kick, or leaving, as a form without JavaScript.
#[derive(ToSchema)]
#[schema(example = json!({"_method": "DELETE"}))]
#[expect(dead_code, reason = "only described")]
struct PlainKick {
    /// The method that it stands for.
    #[schema(rename = "_method", pattern = "^DELETE$")]
    method: String,
    /// What the person is told who is put out.
    #[schema(max_length = 512)]
    message: Option<String>,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
}

/// A plain form to `/members/{uid}`: what its field `_method` says.
#[utoipa::path(post, path = "/groups/{guid}/members/{uid}", operation_id = "formMember", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "The same as a plain form: the field _method says which.", request_body(content((PlainKick = "application/json"), (PlainKick = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done; to JSON, as the method named.", body = Nothing),
        (status = 303, description = "Back to where the form was.")))]
pub(in crate::http) async fn post_member(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    match parts.fields.method().as_deref() {
        Some("DELETE") => remove(parts).await,
        _ => unknown_method(parts).await,
    }
}

/// What opens a password group.
#[derive(ToSchema)]
#[schema(example = json!({"password": "sesame"}))]
#[expect(dead_code, reason = "only described: handlers read them")]
struct JoinForm {
    password: Option<String>,
}

/// `POST /groups/{guid}/members`: join oneself.
#[utoipa::path(post, path = "/groups/{guid}/members", operation_id = "join", tag = "Acts", params(GroupPath, IdempotencyHeader),
    summary = "Join oneself.", request_body(content((JoinForm = "application/json"), (JoinForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((MemberAnswer = "application/json"), (String = "text/html")))))]
pub(in crate::http) async fn join(parts: ActParts<String>) -> Result<Response, Problem> {
    if parts.fields.method().is_some_and(|method| method != "POST") {
        return unknown_method(parts).await;
    }
    let input = begin_join(parts).await?;
    let password = input.fields.get(ActField::Password).filter(|password| !password.is_empty()).map(str::to_owned);
    if password.is_none() && needs_password(&input) {
        return password_missing(&input).await;
    }
    match join_with_claims(&input, password).await {
        Err(ActError::Refused { refusal: refusal @ Refusal::WrongPassword, .. }) => {
            input.join_refused(Problem::refused(refusal), key::REFUSED_PASSWORD)
        }
        result => respond_to_join(input, result).await,
    }
}

/// The input of a viewer who may not be a member yet; otherwise like [`ActInput::begin`].
async fn begin_join(
    ActParts { app, viewer, path: guid, info, headers, fields }: ActParts<String>,
) -> Result<ActInput, Problem> {
    let access = match visible_group(&app, &viewer, &guid, &info).await? {
        VisibleGroup::Member(access) => access,
        VisibleGroup::NonMember(group) => GroupAccess { group, scope: Scope::Participant, lang: info.lang },
    };
    ActInput::with(app, viewer, access, info, &headers, fields)
}

/// Whether the viewer joins only with a password: members need none.
fn needs_password(input: &ActInput) -> bool {
    let state = input.access.group.state();
    let roster = state.roster();
    roster.group().group_type == GroupType::Password && roster.get(input.viewer.uid().as_str()).is_none()
}

/// Refuses a request without the password. To a banned person it is refused for the ban instead.
async fn password_missing(input: &ActInput) -> Result<Response, Problem> {
    groups::refuse_banned(&input.app, input.access.group.guid(), input.viewer.uid()).await?;
    let program = "password: this group asks for its password";
    let problem = Problem::field(key::GROUP_PASSWORD_MISSING, program);
    input.join_refused(problem, key::GROUP_PASSWORD_MISSING)
}

/// Joins the viewer. Name and avatar of the token are for a user whom the host has not named.
async fn join_with_claims(input: &ActInput, password: Option<String>) -> Result<Outcome, ActError> {
    let claims = input.viewer.0.clone();
    let name = claims.name.map(|name| name.as_str().to_owned());
    membership::join(input.app.store(), input.request(), claims.uid, name, claims.avatar, password).await
}

async fn respond_to_join(input: ActInput, result: Result<Outcome, ActError>) -> Result<Response, Problem> {
    let uid = input.viewer.uid().clone();
    ActResponse::new(input, Operation::Act(ActKind::Join), uid).into_response(result).await
}
