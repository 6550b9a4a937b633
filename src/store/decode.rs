//! Stored values as domain types. A value that the domain refuses is a named inconsistency, not a panic.

use super::error::StoreError;
use crate::domain::{Guid, Scope, Uid};

/// A stored group id.
///
/// # Errors
/// [`StoreError::Inconsistent`] when it is not one.
pub(super) fn parse_guid(stored: &str) -> Result<Guid, StoreError> {
    stored.parse().map_err(|_| inconsistent("guid", stored))
}

/// A stored user id.
///
/// # Errors
/// [`StoreError::Inconsistent`] when it is not one.
pub(super) fn parse_uid(stored: &str) -> Result<Uid, StoreError> {
    stored.parse().map_err(|_| inconsistent("uid", stored))
}

/// A stored scope.
///
/// # Errors
/// [`StoreError::Inconsistent`] when no scope has this number.
pub(super) fn parse_scope(stored: i64) -> Result<Scope, StoreError> {
    Scope::from_number(stored).ok_or_else(|| inconsistent("scope", &stored.to_string()))
}

/// The error for a stored value that cannot be.
pub(super) fn inconsistent(what: &str, value: &str) -> StoreError {
    StoreError::Inconsistent(format!("{what}: {value:?}"))
}
