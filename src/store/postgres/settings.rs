//! The timeouts of connections.

use sqlx::postgres::PgConnectOptions;

/// Reads hold no locks that others wait for, so that they may take longer.
pub(super) fn for_reads(options: &PgConnectOptions) -> PgConnectOptions {
    with_timeouts(options, "10s", "60s")
}

/// No `statement_timeout`: cancelling a commit that waits for a standby makes the server report it as done,
/// although a failover would lose it. The node stops waiting by itself and answers that the outcome is
/// unknown. A transaction that is idle keeps its group locked for five seconds at most.
pub(super) fn for_writes(options: &PgConnectOptions) -> PgConnectOptions {
    with_timeouts(options, "0", "5s")
}

fn with_timeouts(options: &PgConnectOptions, statement: &str, idle: &str) -> PgConnectOptions {
    options.clone().options([
        ("statement_timeout", statement),
        ("lock_timeout", "5s"),
        ("idle_in_transaction_session_timeout", idle),
        // The server notices within about ten seconds that a node has vanished.
        ("tcp_keepalives_idle", "5"),
        ("tcp_keepalives_interval", "2"),
        ("tcp_keepalives_count", "3"),
    ])
}
