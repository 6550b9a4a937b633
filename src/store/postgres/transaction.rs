//! A transaction on a pooled connection to PostgreSQL.

use std::time::Duration;

use sqlx::PgConnection;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::connections::{Connections, Lent};
use crate::store::address::Pooler;

/// Time that a rollback in the background has before its connection is closed instead.
const ROLLBACK_TIMEOUT: Duration = Duration::from_secs(2);

/// Begins every transaction that writes: the defaults of a role, which may be serializable or read-only, do not matter.
pub(in crate::store) const BEGIN_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

/// Lifts `transaction_timeout`, for this transaction (`true`) or for the session (`false`). Servers know it from PostgreSQL 17 on,
/// and refuse to set what they do not know.
macro_rules! no_transaction_timeout {
    ($is_local:literal) => {
        concat!(
            "CASE WHEN current_setting('transaction_timeout', true) <> '0'
             THEN set_config('transaction_timeout', '0', ",
            $is_local,
            ") END"
        )
    };
}
pub(super) use no_transaction_timeout;

/// Lifts in a transaction the limits of time that a role may have: they are right for requests, and too short for work that
/// takes as long as there are rows.
pub(in crate::store) const NO_TIME_LIMITS: &str = concat!(
    "SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true), ",
    no_transaction_timeout!(true)
);

/// The limits of transactions that write, for the one that has begun (`true`) or for the session (`false`).
/// No `statement_timeout`: cancelling a commit that waits for a standby makes the server report it as done, although a
/// failover would lose it. The node stops waiting by itself and answers that the outcome is unknown. A transaction that is
/// idle keeps its group locked for five seconds at most.
macro_rules! write_limits {
    ($is_local:literal) => {
        concat!(
            "set_config('statement_timeout', '0', ",
            $is_local,
            "), set_config('lock_timeout', '5s', ",
            $is_local,
            "), set_config('idle_in_transaction_session_timeout', '5s', ",
            $is_local,
            "), ",
            no_transaction_timeout!($is_local)
        )
    };
}

/// The same of transactions that read. They hold no locks that others wait for, so that they may take longer.
macro_rules! read_limits {
    ($is_local:literal) => {
        concat!(
            "set_config('statement_timeout', '10s', ",
            $is_local,
            "), set_config('lock_timeout', '5s', ",
            $is_local,
            "), set_config('idle_in_transaction_session_timeout', '60s', ",
            $is_local,
            "), ",
            no_transaction_timeout!($is_local)
        )
    };
}

/// A [`Begin`] of this statement, this query and the limits of this macro.
macro_rules! begin {
    ($begin:literal, $query:literal, $limits:ident) => {
        Begin {
            limited: concat!($begin, "; ", $query),
            // The role's limit may be shorter than the time that the query takes which sets the limits.
            unlimited: concat!($begin, "; SET LOCAL statement_timeout = 0; ", $query, ", ", $limits!(true)),
        }
    };
}

/// How transactions of one kind begin. A connection of a pool is given the limits of its session when it is made: the settings
/// are a good part of what it costs to begin. Behind a pooler in transaction mode each transaction sets its own, and so
/// does one on a connection that both reads and writes.
pub(super) struct Begin {
    /// Begins it on a connection that has the limits.
    limited: &'static str,
    /// Begins it, and sets the limits for it.
    unlimited: &'static str,
}

/// Begins a [`PgTx`] that writes.
pub(super) const WRITE: Begin = begin!(
    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
    "SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only') = 'on'",
    write_limits
);
/// Begins a [`PgTx`] that reads one snapshot of the primary.
pub(super) const READ: Begin =
    begin!("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", "SELECT pg_is_in_recovery(), false", read_limits);
/// Like [`READ`], of a standby that is read on purpose.
pub(super) const READ_STANDBY: Begin =
    begin!("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", "SELECT false, false", read_limits);

/// Gives a session the limits of transactions that write.
pub(super) const LIMIT_WRITES: &str = concat!("SELECT ", write_limits!(false));
/// Gives a session the limits of transactions that read.
pub(super) const LIMIT_READS: &str = concat!("SELECT ", read_limits!(false));

/// Whether an administrator made the server or the database read-only (`default_transaction_read_only`), as some do
/// when a disk is nearly full. A default of the role alone does not count.
macro_rules! is_frozen {
    () => {
        "(current_setting('default_transaction_read_only') = 'on' AND EXISTS (SELECT 1 FROM pg_settings
          WHERE name = 'default_transaction_read_only' AND source NOT IN ('user', 'database user')))"
    };
}
pub(super) use is_frozen;

/// Why nothing is written to such a server.
pub(super) const FROZEN: &str = "it is read-only (default_transaction_read_only is on)";
/// Why nothing is written while no primary was found.
pub(super) const STANDBY: &str = "it is a standby, and no host is the primary";

/// A transaction. Dropped without a commit, it is rolled back in the background.
pub(in crate::store) struct PgTx {
    connections: Connections,
    /// `Some` until it is dropped.
    lent: Option<Lent>,
    open: bool,
    persistent: bool,
}

impl PgTx {
    /// Begins a transaction, by [`READ`], [`READ_STANDBY`] or [`WRITE`], on one of these connections, whose sessions have its
    /// limits.
    ///
    /// # Errors
    /// When the connection is dead, the server is a standby and must not be, or it takes no writes and `begin` is for them.
    pub(super) async fn begin(connections: &Connections, begin: &Begin, pooler: Pooler) -> sqlx::Result<PgTx> {
        let persistent = pooler == Pooler::Session;
        let lent = Some(connections.lend().await?);
        let mut tx = PgTx { connections: connections.clone(), lent, open: true, persistent };
        run_begin(tx.connection(), if persistent { begin.limited } else { begin.unlimited }).await?;
        Ok(tx)
    }

    /// The connection inside the transaction, and whether its statements may be prepared under a name.
    pub(in crate::store) fn parts(&mut self) -> (&mut PgConnection, bool) {
        let persistent = self.persistent;
        (self.connection(), persistent)
    }

    /// The connection inside the transaction.
    pub(super) fn connection(&mut self) -> &mut PgConnection {
        &mut self.lent.as_mut().expect("a transaction has its connection until it is dropped").connection
    }

    /// Commits. For a caller that stops waiting, the outcome is unknown.
    ///
    /// # Errors
    /// The server's error, or the end of the connection, in which case the outcome is unknown.
    pub(in crate::store) async fn commit(mut self) -> sqlx::Result<()> {
        sqlx::raw_sql("COMMIT").execute(self.connection()).await?;
        self.open = false;
        Ok(())
    }
}

/// Begins a transaction by [`READ`], [`READ_STANDBY`] or [`WRITE`], on a connection of any kind.
///
/// # Errors
/// As [`PgTx::begin`].
pub(super) async fn begin_on(connection: &mut PgConnection, begin: &Begin) -> sqlx::Result<()> {
    run_begin(connection, begin.unlimited).await
}

/// Runs a text of a [`Begin`]. It answers one row as well: whether the server is a standby and must not be, since a pooled
/// connection may have lost its server or lead to one that is the primary no longer; and whether it may have been made read-only.
async fn run_begin(connection: &mut PgConnection, begin: &'static str) -> sqlx::Result<()> {
    let (standby, read_only): (bool, bool) =
        sqlx::FromRow::from_row(&sqlx::raw_sql(begin).fetch_one(&mut *connection).await?)?;
    if standby {
        return Err(sqlx::Error::Protocol("this server is a standby".into()));
    }
    if read_only {
        let question = sqlx::raw_sql(concat!("SELECT ", is_frozen!()));
        let (frozen,): (bool,) = sqlx::FromRow::from_row(&question.fetch_one(connection).await?)?;
        if frozen {
            return Err(sqlx::Error::Protocol(FROZEN.into()));
        }
    }
    Ok(())
}

impl Drop for PgTx {
    fn drop(&mut self) {
        let Some(mut lent) = self.lent.take() else { return };
        if !self.open {
            return self.connections.give_back(lent);
        }
        let Ok(runtime) = Handle::try_current() else { return drop(lent.connection.detach()) };
        let connections = self.connections.clone();
        runtime.spawn(async move {
            let rolled_back = timeout(ROLLBACK_TIMEOUT, sqlx::raw_sql("ROLLBACK").execute(&mut *lent.connection)).await;
            if matches!(rolled_back, Ok(Ok(_))) {
                connections.give_back(lent);
            } else {
                // Detached: returned to the pool, it would be waited for and take the place of a live one.
                drop(lent.connection.detach());
            }
        });
    }
}
