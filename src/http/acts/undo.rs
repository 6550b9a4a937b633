//! Undoing acts: one, or all of one request.

use axum::response::Response;
use utoipa::ToSchema;

use super::batch_response;
use super::input::{ActInput, ActParts};
use super::response::ActResponse;
use crate::domain::parse_printed;
use crate::http::extract::ActField;
use crate::http::openapi::{BatchAnswer, EventPath, IdempotencyHeader};
use crate::http::problem::Problem;
use crate::http::respond::operation::Operation;
use crate::membership::{self, ActError};

/// A path below an event of a group.
pub(in crate::http) type EventAddress = (String, String);

/// What is undone.
#[derive(ToSchema)]
#[schema(example = json!({"batch": true}))]
#[expect(dead_code, reason = "only described")]
struct UndoRequest {
    /// Every act of the request that this one belongs to.
    batch: Option<bool>,
    /// For plain forms.
    #[schema(rename = "_method", pattern = "^POST$", nullable = false)]
    method: Option<String>,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
}

/// `POST /groups/{guid}/events/{seq}/undo`.
#[utoipa::path(post, path = "/groups/{guid}/events/{seq}/undo", operation_id = "undo", tag = "Acts", params(EventPath, IdempotencyHeader),
    summary = "Put back what an act changed, within a short time; with batch=true, every act of its request.",
    request_body(content((UndoRequest = "application/json"), (UndoRequest = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Put back, or already so; as the request wants it. Of a batch, the result of each person. The event that puts back can be undone too, as an act of its kind: whoever is a member again by it stays one.",
        content((BatchAnswer = "application/json"), (String = "text/html"))),
        (status = 303, description = "To a plain form: back to where it was.")))]
pub(in crate::http) async fn undo(parts: ActParts<EventAddress>) -> Result<Response, Problem> {
    let (input, (_, seq)) = ActInput::begin(parts).await?;
    let is_batch = input.flag(ActField::Batch)?;
    // No event has the number 0: what is no number is not there, for those who may undo at all.
    let seq = parse_printed(&seq).map_or(0, i64::unsigned_abs);
    let window = input.app.undo_window();
    if is_batch {
        let result = membership::undo_batch(input.app.store(), input.request(), seq, window).await;
        return batch_response::respond(input, Operation::Undo, result).await;
    }
    match membership::undo(input.app.store(), input.request(), seq, window).await {
        Ok((uid, outcome)) => ActResponse::new(input, Operation::Undo, uid).into_response(Ok(outcome)).await,
        Err(error) => {
            let own = input.viewer.uid();
            let uid = if let ActError::Undo { uid, .. } = &error { uid.clone() } else { own.clone() };
            ActResponse::new(input, Operation::Undo, uid).into_response(Err(error)).await
        }
    }
}
