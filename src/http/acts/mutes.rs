//! Mutes: each is put and deleted.

use axum::response::Response;
use utoipa::ToSchema;

use super::input::{ActInput, ActParts, unknown_method};
use super::response::{perform, perform_until};
use crate::domain::{Act, ActKind};
use crate::http::extract::act_fields;
use crate::http::openapi::{IdempotencyHeader, MemberAnswer, MemberPath, Nothing, UnmutedAnswer};
use crate::http::problem::Problem;

/// Terms of a mute.
#[derive(ToSchema)]
#[schema(example = json!({"until": "3600", "message": "Slow down, please."}))]
#[expect(dead_code, reason = "only described: handlers read them")]
struct MuteForm {
    /// RFC 3339, or seconds from now, at most 28 days.
    until: String,
    /// For moderators and up.
    #[schema(max_length = 512)]
    reason: Option<String>,
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
    /// The event id as of which the act was chosen: what it would replace and is newer stays, and the answer is 409.
    #[schema(rename = "asOf")]
    as_of: Option<String>,
}

/// `PUT /groups/{guid}/mutes/{uid}`.
#[utoipa::path(put, path = "/groups/{guid}/mutes/{uid}", operation_id = "muteMember", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "Mute; again: on other terms.", request_body(content((MuteForm = "application/json"), (MuteForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((MemberAnswer = "application/json"), (String = "text/html")))))]
pub(super) async fn mute(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    let (input, (_, uid)) = ActInput::begin(parts).await?;
    let uid = input.uid(&uid)?;
    let (terms, end) = act_fields::mute_terms(&input.fields, input.app.clock().now())
        .map_err(|problem| input.invalid_form(problem, &uid, ActKind::Mute))?;
    perform_until(input, Act::Mute(terms), uid, end).await
}

/// `DELETE /groups/{guid}/mutes/{uid}`.
#[utoipa::path(delete, path = "/groups/{guid}/mutes/{uid}", operation_id = "unmuteMember", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "Lift a mute, also of somebody who left.", responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((UnmutedAnswer = "application/json"), (String = "text/html")))))]
pub(super) async fn unmute(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    let (input, (_, uid)) = ActInput::begin(parts).await?;
    let uid = input.uid(&uid)?;
    perform(input, Act::Unmute, uid).await
}

/// A mute, or its end, as a form without JavaScript.
#[derive(ToSchema)]
#[schema(example = json!({"_method": "PUT", "until": "3600"}))]
#[expect(dead_code, reason = "only described")]
struct PlainMute {
    /// The method that it stands for.
    #[schema(rename = "_method", pattern = "^(PUT|DELETE)$")]
    method: String,
    /// Of a mute: RFC 3339, or seconds from now, at most 28 days.
    until: Option<String>,
    /// For moderators and up.
    #[schema(max_length = 512)]
    reason: Option<String>,
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
    /// The event id as of which the act was chosen: what it would replace and is newer stays, and the answer is 409.
    #[schema(rename = "asOf")]
    as_of: Option<String>,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
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
