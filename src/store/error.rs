//! What is wrong with the database.

/// What a write to a file that moves, or was moved, is refused with.
pub(super) const READ_ONLY: &str = "read-only: this database moves, or was moved, to PostgreSQL";

/// Something is wrong with the database or with what it holds.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be used now: busy, gone, out of space. Nothing was done; trying again later may work.
    #[error("the database cannot be used now: {0}")]
    Unavailable(String),
    /// It is a file that moves, or was moved, to PostgreSQL: it can be read, and not written.
    #[error("the database is read-only, since it moves or was moved (`move --cancel` makes it writable again)")]
    Moving,
    /// The same, where the log has said why already, once for all who are told so meanwhile.
    #[error("the database cannot be used now, as was logged before")]
    Away,
    /// It did not answer whether an act was done. Asked again under the same Idempotency-Key, the act
    /// is done once.
    #[error("the database did not say whether it was done")]
    Unsure,
    /// A stored row breaks the law; `doctor` tells more.
    #[error("the database holds something impossible: {0}")]
    Inconsistent(String),
}

impl StoreError {
    /// Whether the log has it already, said once for all who meet with it.
    pub fn was_said(&self) -> bool {
        matches!(self, StoreError::Away)
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => StoreError::Inconsistent(error.to_string()),
            other if is_read_only(&other) => StoreError::Moving,
            other => StoreError::Unavailable(other.to_string()),
        }
    }
}

/// Whether this is how a file that moves refuses a write.
fn is_read_only(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.message().contains(READ_ONLY))
}
