//! Stored values as domain types. A value that the domain refuses is a named inconsistency, not a panic.

use crate::domain::{Cause, Guid, Scope, Uid};
use crate::store::error::StoreError;

/// A stored group id.
///
/// # Errors
/// [`StoreError::Inconsistent`] when it is not one.
pub(in crate::store) fn parse_guid(stored: &str) -> Result<Guid, StoreError> {
    stored.parse().map_err(|_| inconsistent("guid", stored))
}

/// A stored user id.
///
/// # Errors
/// [`StoreError::Inconsistent`] when it is not one.
pub(in crate::store) fn parse_uid(stored: &str) -> Result<Uid, StoreError> {
    stored.parse().map_err(|_| inconsistent("uid", stored))
}

/// The stored word for how an event came about.
///
/// # Errors
/// [`StoreError::Inconsistent`] when it is not one.
pub(in crate::store) fn parse_cause(stored: &str) -> Result<Cause, StoreError> {
    stored.parse().map_err(|_| inconsistent("cause of an event", stored))
}

/// A stored scope.
///
/// # Errors
/// [`StoreError::Inconsistent`] when no scope has this number.
pub(in crate::store) fn parse_scope(stored: i64) -> Result<Scope, StoreError> {
    Scope::from_number(stored).ok_or_else(|| inconsistent("scope", &stored.to_string()))
}

/// The error for a stored value that cannot be.
pub(in crate::store) fn inconsistent(what: &str, value: &str) -> StoreError {
    StoreError::Inconsistent(format!("{what}: {value:?}"))
}

/// The tags in a column, a JSON list of texts. Anything else reads as no tags, as `doctor` reports: an error would keep the host from putting
/// the right ones there, and from all lists with this row.
pub(in crate::store) fn parse_tags(text: &str) -> Vec<String> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Tags as a column holds them.
pub(in crate::store) fn tags_text(tags: &[String]) -> String {
    serde_json::json!(tags).to_string()
}
