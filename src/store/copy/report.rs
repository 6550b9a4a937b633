//! The report of a move: its progress, its result, or the reason of its failure.

use std::time::Duration;

/// Progress of a move, in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveProgress {
    /// The file is read-only now; this many rows are to be copied and compared.
    ReadOnly(u64),
    /// This many more rows of this table were read and copied.
    Read(&'static str, u64),
    /// This many more rows of this table were compared.
    Compared(&'static str, u64),
}

/// The result of a move.
#[derive(Debug)]
pub struct MoveReport {
    /// Hosts and name of the database that the file was moved to.
    pub location: String,
    /// Each table with its number of rows.
    pub tables: Vec<(&'static str, u64)>,
    /// How many groups there are.
    pub groups: u64,
    /// The groups that have several owners, in the file as in the copy.
    pub wrong_owners: Vec<String>,
    /// Whether an earlier move had copied everything, and this one confirmed it.
    pub confirmed: bool,
    /// The time since the file became read-only.
    pub elapsed: Duration,
}

/// Why a file was not moved.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The move was not begun.
    #[error("{0}. Nothing was changed: the file is as it was")]
    Refused(String),
    /// The move was undone.
    #[error("{0}. Nothing was copied, and the file is writable again")]
    Undone(String),
    /// The move was undone, and the file is read-only, as an earlier move left it.
    #[error("{0}. Nothing was copied; the file is read-only as before: move again, or `move --cancel`")]
    StillReadOnly(String),
    /// The file was moved there before, and nodes have written to the copy since.
    #[error("{0} holds this history already and goes on by itself since: {1}. The file stays read-only")]
    Diverged(String, String),
    /// The commit of the copy was not answered.
    #[error("{0}. Whether the copy is there is not known, so the file stays read-only: move again, which finds out")]
    OutcomeUnknown(String),
}
