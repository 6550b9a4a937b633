//! The database as the rest of the program holds it: opened, read by snapshots, written by jobs, and watched for whether acts can be
//! done and lists be read.
//!
//! Not here: what only one of the databases needs (`sqlite/`, `postgres/`), and queries.

pub(super) mod backend;
pub(super) mod failure_log;
mod open;
mod pool_metrics;
mod read_readiness;
pub(super) mod read_tx;
pub(super) mod reader;
mod readiness;
pub(super) mod store;
