//! The database behind a [`super::Store`]: reading connections, and the queue of acts to be written.

use tokio::sync::mpsc;

use super::job::Job;
use super::postgres::{GroupQueues, Primary};
use super::sqlite::OpenFile;

/// Connections that read.
#[derive(Clone)]
pub(super) enum Pool {
    Sqlite(OpenFile),
    Postgres(Primary),
}

/// The queue of acts. Each runs to its end even when its caller has gone, and is answered after its commit.
#[derive(Clone)]
pub(super) enum Writer {
    /// One task runs all acts.
    Sqlite(mpsc::Sender<Job>),
    /// Every group that is acted on has a queue and a task of its own.
    Postgres(GroupQueues),
}
