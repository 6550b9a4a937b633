//! The database: loads, applies and appends; decides nothing. The only place that says `sqlx`.
//!
//! Acts are handed over whole ([`Store::write`]); reads see one snapshot ([`Store::read`]). The files of this
//! folder hold what both databases share: queries of the SQL subset that both understand, each written once.
//! `sqlite/` and `postgres/` hold what only one of them needs and know nothing of [`Store`]; `copy/` moves a
//! SQLite file to PostgreSQL. SQLite is embedded, one file with a write-ahead log and `synchronous=FULL`
//! (`NORMAL` loses answered acts when the power fails); PostgreSQL is shared by many nodes.
//!
//! Not here: rules (`domain`), what belongs into one transaction (`membership`), and caches (`roster`, `live`).

mod address;
mod append;
mod backend;
mod bulk;
mod commit;
mod connection;
mod copy;
mod database;
mod decode;
mod directory;
mod ended_group;
mod epoch;
mod erasure;
mod error;
mod event_id;
mod export;
mod failure_log;
mod feed;
mod groups;
mod idempotency;
mod insert;
mod inspect;
mod job;
mod lane;
mod log;
mod logouts;
mod mend;
mod metadata;
mod migrations;
mod notes;
mod open;
mod outbox;
mod past_act;
mod person;
mod pool_metrics;
mod postgres;
mod prepare;
mod pseudonym;
mod query;
mod query_count;
mod read_tx;
mod reader;
mod readiness;
mod renames;
mod restrictions;
mod restrictions_text;
mod snapshot;
mod sqlite;
mod staging;
mod sync_row_state;
mod synced_restrictions;
mod table;
mod tables;
mod tx;
mod url;
mod users;
mod webhooks;

pub use self::address::{DatabaseAddress, Pooler};
pub use self::copy::{MoveError, MoveReport, Progress, cancel_move, move_to};
pub use bulk::BulkReport;
pub use commit::Appended;
pub use database::Store;
pub use directory::{Beyond, DirectoryQuery, GroupSummary, JoinedGroup, SortBy};
pub use epoch::LogPosition;
pub use erasure::Erasure;
pub use error::StoreError;
pub(crate) use event_id::new_event_id;
pub use export::{
    ExportPage, ExportTable, ExportedEvent, ExportedKey, ExportedMembership, ExportedNote, ExportedRestriction,
    ExportedTouch,
};
pub use failure_log::FailureLog;
pub use feed::{Feed, FeedActor, FeedCounts, FeedEvent, FeedGroup, FeedPerson, MAX_PEOPLE};
pub use groups::{GroupDetails, LockedGroup, NewGroup};
pub use idempotency::RecordedRequest;
pub use inspect::{Check, Counts, Finding, Findings, Inspection};
pub use job::Decision;
pub use lane::Lane;
pub use log::Catchup;
pub use logouts::Logout;
pub use mend::{Repair, repairs};
pub(crate) use metadata::random_id;
pub use past_act::PastAct;
pub use person::{Person, Profile};
pub use postgres::{HOST_NODE, Heartbeat, NodePresence, Notify, PresenceTable};
pub use prepare::PreparedFrom;
pub use pseudonym::Pseudonyms;
#[cfg(feature = "testing")]
pub use query_count::counted;
pub use reader::{Head, Reader, RestrictionKind};
pub use restrictions::EndedRestrictions;
pub use snapshot::Snapshot;
pub use sqlite::MoveState;
pub use staging::{BulkRow, StagingId, UidRange};
pub use tx::Tx;
pub use users::{User, UserDetails};
pub use webhooks::{
    Backlog, ClaimedLane, DELIVERY_LIFETIME, EndpointState, LaneProgress, OutboxEvent, PresenceLease, StatusChange,
    StoredEndpoint,
};
