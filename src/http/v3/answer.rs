//! The shapes of answers.

use serde::Serialize;
use utoipa::ToSchema;

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
}

/// Where in the list the page is.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Meta {
    pub pagination: Pagination,
}

/// Which page of how many.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"total": 5, "count": 5, "per_page": 100, "current_page": 1, "total_pages": 1}))]
pub(super) struct Pagination {
    /// Entries on all pages.
    pub total: usize,
    /// Entries on this one.
    pub count: usize,
    pub per_page: usize,
    pub current_page: usize,
    pub total_pages: usize,
}

/// It is done.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"success": true, "message": "User dee was deleted."}))]
pub(super) struct Success {
    pub success: bool,
    pub message: String,
}
