//! The owner of a group.

use axum::response::Response;
use utoipa::ToSchema;

use super::input::{ActInput, ActParts, unknown_method};
use super::response::perform;
use crate::domain::{Act, Uid};
use crate::http::extract::ActField;
use crate::http::openapi::{GroupPath, IdempotencyHeader, MemberAnswer, Nothing};
use crate::http::problem::Problem;

/// Another owner.
#[derive(ToSchema)]
#[schema(example = json!({"uid": "ben"}))]
#[expect(dead_code, reason = "only described: handlers read them")]
struct OwnerForm {
    /// A member.
    uid: Uid,
}

/// `PUT /groups/{guid}/owner`.
#[utoipa::path(put, path = "/groups/{guid}/owner", operation_id = "handOver", tag = "Acts", params(GroupPath, IdempotencyHeader),
    summary = "Hand the group over; the old owner becomes admin.", request_body(content((OwnerForm = "application/json"), (OwnerForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((MemberAnswer = "application/json"), (String = "text/html")))))]
pub(super) async fn transfer(parts: ActParts<String>) -> Result<Response, Problem> {
    let (input, _) = ActInput::begin(parts).await?;
    let uid = input.uid(input.fields.get(ActField::Uid).unwrap_or_default())?;
    perform(input, Act::Transfer, uid).await
}

/// A transfer as a form without JavaScript.
#[derive(ToSchema)]
#[schema(example = json!({"_method": "PUT", "uid": "ben"}))]
#[expect(dead_code, reason = "only described")]
struct PlainTransfer {
    /// The method that it stands for.
    #[schema(rename = "_method", pattern = "^PUT$")]
    method: String,
    /// A member.
    uid: Uid,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
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
