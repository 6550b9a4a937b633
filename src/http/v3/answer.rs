//! The shapes of answers.

use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::error::V3Error;
use crate::http::respond::reply;

/// What was asked for.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Data<T> {
    pub data: T,
}

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Page<T> {
    pub data: Vec<T>,
    pub meta: Meta,
    /// The same as in `meta`, where the original has it for some lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
}

/// Where a list goes on by last changes: send both back.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"updatedAt": 1700000500, "affix": "append"}))]
pub(super) struct Cursor {
    /// Unix time, in seconds; microseconds (16 digits) where the page ends within a second.
    pub updated_at: i64,
    /// `append` or `prepend`.
    pub affix: &'static str,
}

/// Where in the list the page is.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Meta {
    pub pagination: Pagination,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
}

/// Which page of how many.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"total": 5, "count": 5, "per_page": 100, "current_page": 1, "total_pages": 1}))]
pub(super) struct Pagination {
    /// Entries on all pages; by a cursor, on this page and those that come after it.
    pub total: usize,
    /// Entries on this one.
    pub count: usize,
    pub per_page: usize,
    pub current_page: usize,
    /// Pages of the `total`.
    pub total_pages: usize,
}

/// It is done.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"success": true, "message": "User with dee has been deleted."}))]
pub(super) struct Success {
    pub success: bool,
    pub message: String,
}

/// Data as an answer.
///
/// # Errors
/// When the value cannot be serialised.
pub(super) fn data(value: impl Serialize) -> Result<Response, V3Error> {
    Ok(reply::json(&Data { data: value })?)
}

/// Yes, in the original's words.
///
/// # Errors
/// As [`data`].
pub(super) fn success(message: impl Into<String>) -> Result<Response, V3Error> {
    data(Success { success: true, message: message.into() })
}
