//! Writing: an act is handed over whole, runs to its end whatever becomes of the caller, and is
//! answered after its commit. How acts share the database differs: see [`super::batch`] and
//! [`super::lanes`].

use tokio::sync::mpsc;

use super::job::Job;
use super::lanes::Lanes;

/// Who runs the acts.
#[derive(Clone)]
pub(super) enum Writer {
    /// One task for all of them (SQLite).
    Batch(mpsc::Sender<Job>),
    /// A lane for every group that is acted on (PostgreSQL).
    Lanes(Lanes),
}
