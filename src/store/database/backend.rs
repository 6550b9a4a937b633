//! The database behind a [`crate::store::Store`]: reading connections, and the queue of acts to be written.

use crate::store::postgres::{GroupQueues, Primary};
use crate::store::sqlite::{FileWriter, OpenFile};

/// Connections that read.
#[derive(Clone)]
pub(in crate::store) enum Pool {
    Sqlite(OpenFile),
    Postgres(Primary),
}

/// The queue of acts. Each runs to its end even when its caller has gone, and is answered after its commit.
#[derive(Clone)]
pub(in crate::store) enum Writer {
    /// One task runs all acts.
    Sqlite(FileWriter),
    /// Every group that is acted on has a queue and a task of its own.
    Postgres(GroupQueues),
}
