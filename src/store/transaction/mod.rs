//! An act on its way into the database: the job that is queued, its part of a transaction ([`tx::Tx`]), the events and outbox entries
//! it appends, and what follows the commit.
//!
//! Not here: the tasks that run the jobs (`sqlite/`, `postgres/`), and what an act reads and writes (`people/`, `groups/`, `sync/`).

pub(super) mod append;
pub(super) mod commit;
pub(super) mod delivery_id;
pub(super) mod job;
pub(super) mod outbox;
pub(super) mod tx;
