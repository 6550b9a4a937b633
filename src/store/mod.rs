//! The database: loads, applies and appends; decides nothing. The only place that says `sqlx`.
//!
//! Acts are handed over whole ([`Store::write`]); reads see one snapshot ([`Store::read`]). From the bottom up: `sql/` sends
//! statements, `transaction/` is what an act writes in, `sqlite/` and `postgres/` hold what only one of them needs and know nothing
//! of [`Store`], `database/` is that. Above it stand the queries by what they are about, each written once in the SQL subset that
//! both understand: `people/`, `groups/`, `sync/`, `log/`, `personal_data/`, `webhooks/`. `inspect/` finds what is wrong; `copy/` moves a
//! SQLite file to PostgreSQL. SQLite is embedded, one file with a write-ahead log and `synchronous=FULL`
//! (`NORMAL` loses answered acts when the power fails); PostgreSQL is shared by many nodes.
//!
//! Statements spell a scope as its number ([`Scope::number`](crate::domain::Scope::number)): `scope = 3` is the owner, and `scope >= 0`
//! is said of members, since a row with a negative scope is hidden until the sync that inserted it is applied (`sync/`).
//!
//! Not here: rules (`domain`), what belongs into one transaction (`membership`), and caches (`roster`, `live`).

mod address;
mod copy;
mod database;
mod error;
mod groups;
mod idempotency;
mod inspect;
mod lane;
mod log;
mod mend;
mod metadata;
mod migrations;
mod parameters;
mod people;
mod personal_data;
mod postgres;
mod pseudonym;
mod sql;
mod sqlite;
mod sync;
mod transaction;
mod url;
mod webhooks;

pub use self::address::{DatabaseAddress, Pooler};
pub use self::copy::{MoveError, MoveProgress, MoveReport, cancel_move, move_to};
pub use database::failure_log::FailureLog;
pub use database::reader::Reader;
pub use database::store::Store;
pub use error::{AsStoreError, StoreError};
pub use groups::directory::{Beyond, DirectoryQuery, GroupSummary, JoinedGroup, Listing, SortBy};
pub use groups::group::{GroupDetails, StoredGroup};
pub use groups::lock::LockedGroup;
pub use groups::lookup::Head;
pub use idempotency::RecordedRequest;
pub use inspect::{Check, Finding, Findings, Inspection, RowCounts};
pub use lane::Lane;
pub use log::catchup::Catchup;
pub use log::epoch::LogPosition;
pub use log::feed_event::{Feed, FeedActor, FeedCounts, FeedEvent, FeedGroup, MAX_PEOPLE, MembersAfter};
pub use log::feed_person::FeedPerson;
pub use log::past_act::PastAct;
pub use log::snapshot::Snapshot;
pub use mend::{Repair, repairs};
pub(crate) use metadata::random_id;
pub use people::list_restrictions::{RestrictionKind, RestrictionsFrom};
pub use people::logouts::Logout;
pub use people::person::{Person, Profile};
pub use people::uid_range::UidRange;
pub use people::users::{User, UserDetails};
pub use people::write_restrictions::{EndedRestrictions, GroupsWithEnded};
pub use personal_data::erasures::Erasure;
pub use personal_data::export::{
    ExportPage, ExportTable, ExportedEvent, ExportedKey, ExportedMembership, ExportedNote, ExportedOutboxEvent,
    ExportedRestriction, ExportedTouch,
};
pub use postgres::{DELETED_USER, HOST_NODE, Heartbeat, NodePresence, PgNotifications, PresenceTable, is_later_report};
pub use pseudonym::Pseudonyms;
#[cfg(feature = "testing")]
pub use sql::query_count::counted;
pub use sqlite::MoveState;
pub use sync::apply::SyncReport;
pub use sync::prepare::PreparedFrom;
pub use sync::staging::{SYNC_ABANDONED_AFTER, StagingId, SyncRow};
pub use transaction::commit::Appended;
pub(crate) use transaction::delivery_id::new_delivery_id;
pub use transaction::job::Decision;
pub use transaction::tx::{LogAccess, Tx};
pub use webhooks::{
    Backlog, ClaimedLane, DELIVERY_LIFETIME, EndpointState, LaneFailure, LaneProgress, OutboxEvent, PresenceLease,
    ReplayPart, StatusChange, StoredEndpoint,
};
