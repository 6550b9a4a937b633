//! Bans: each is put and deleted.

use axum::response::Response;
use utoipa::ToSchema;

use super::input::{ActInput, ActParts, unknown_method};
use super::response::{perform, perform_until};
use crate::domain::{Act, ActKind};
use crate::http::extract::act_fields;
use crate::http::openapi::{IdempotencyHeader, MemberPath, Nothing};
use crate::http::problem::Problem;

/// Terms of a ban.
#[derive(ToSchema)]
#[schema(example = json!({"reason": "spam", "until": "3600"}))]
#[expect(dead_code, reason = "only described: handlers read them")]
struct BanForm {
    /// For moderators and up.
    #[schema(max_length = 512)]
    reason: Option<String>,
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
    /// RFC 3339, or seconds from now, at most 36,600 days; without it, until lifted.
    until: Option<String>,
    /// The event id as of which the act was chosen: what it would replace and is newer stays, and the answer is 409.
    #[schema(rename = "asOf")]
    as_of: Option<String>,
}

/// `PUT /groups/{guid}/bans/{uid}`.
#[utoipa::path(put, path = "/groups/{guid}/bans/{uid}", operation_id = "banMember", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "Ban; again: on other terms.", request_body(content((BanForm = "application/json"), (BanForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((Nothing = "application/json"), (String = "text/html")))))]
pub(super) async fn ban(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    let (input, (_, uid)) = ActInput::begin(parts).await?;
    let uid = input.uid(&uid)?;
    let (terms, end) = act_fields::terms(&input.fields, input.app.clock().now())
        .map_err(|problem| input.invalid_form(problem, &uid, ActKind::Ban))?;
    perform_until(input, Act::Ban(terms), uid, end).await
}

/// `DELETE /groups/{guid}/bans/{uid}`.
#[utoipa::path(delete, path = "/groups/{guid}/bans/{uid}", operation_id = "unbanMember", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "Lift a ban; membership does not come back by itself.", responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((Nothing = "application/json"), (String = "text/html")))))]
pub(super) async fn unban(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    let (input, (_, uid)) = ActInput::begin(parts).await?;
    let uid = input.uid(&uid)?;
    perform(input, Act::Unban, uid).await
}

/// A ban, or the end of one, as a form without JavaScript.
#[derive(ToSchema)]
#[schema(example = json!({"_method": "PUT", "reason": "spam"}))]
#[expect(dead_code, reason = "only described")]
struct PlainBan {
    /// The method that it stands for.
    #[schema(rename = "_method", pattern = "^(PUT|DELETE)$")]
    method: String,
    /// For moderators and up.
    #[schema(max_length = 512)]
    reason: Option<String>,
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
    /// RFC 3339, or seconds from now, at most 36,600 days; without it, until lifted.
    until: Option<String>,
    /// The event id as of which the act was chosen: what it would replace and is newer stays, and the answer is 409.
    #[schema(rename = "asOf")]
    as_of: Option<String>,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
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
