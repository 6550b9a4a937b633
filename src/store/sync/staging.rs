//! People of a sync on their way: staged in small transactions, so that nobody waits for the upload, prepared in small
//! ones (`prepare.rs`), and applied from there in one (`apply.rs`).

use std::sync::LazyLock;

use super::outcome::sync_version;
use crate::domain::{Guid, Name, Scope, Uid, sort_key};
use crate::random;
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::people::uid_range::UidRange;
use crate::store::people::users::prepared_users;
use crate::store::sql::connection::Connection;
use crate::store::sql::decode::parse_uid;
use crate::store::sql::insert::insert;
use crate::store::sql::query::{execute, fetch, fetch_scalar};
use crate::store::sql::sync_states::{erased_line, phase, state};
use crate::store::sql::tables::{SYNC_ROWS, SyncRowValues};
use crate::store::transaction::tx::Tx;

/// Most rows of one statement: SQLite takes at most 32,766 parameters.
pub(super) const CHUNK: usize = 400;
/// Rows deleted in one transaction.
const DISCARDED_ROWS: i64 = 10_000;
/// Rows that PostgreSQL may compare with all others, one by one.
const MAX_COMPARED_ROWS: i64 = 200;
/// A sync without a sign for this long is abandoned, in milliseconds: one that is alive gives a sign every 30 seconds while it waits
/// for rows, and with each step afterwards. Whoever finds it so gives it up ([`Tx::discard`]), after which no step of it succeeds.
pub const SYNC_ABANDONED_AFTER: i64 = 3 * 60 * 1000;
/// How far behind its primary a standby ends lists by a cursor, in milliseconds: it does not see syncs.
const STANDBY_MARGIN: i64 = 10 * 60 * 1000;
/// Where a PostgreSQL is a standby, the time of the last commit that it has, Unix milliseconds, or its own if there was
/// none since it started; else NULL.
const REPLAYED_UNTIL: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN
    CAST(extract(epoch FROM COALESCE(pg_last_xact_replay_timestamp(), clock_timestamp())) * 1000 AS BIGINT) END";
/// Random bits of an id, below the time.
const RANDOM_BITS: u32 = 20;

/// Names the rows of one sync among those of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StagingId(pub(in crate::store) i64);

impl StagingId {
    /// A new one; `now` in Unix milliseconds.
    pub fn new(now: i64) -> StagingId {
        let [a, b, c] = random::bytes::<3>();
        StagingId((now << RANDOM_BITS) | i64::from(u32::from_be_bytes([0, a, b, c]) & ((1 << RANDOM_BITS) - 1)))
    }
}

/// One person of a sync.
#[derive(Debug, Clone)]
pub struct SyncRow {
    /// The person.
    pub uid: Uid,
    /// Their name; `None` keeps the stored one.
    pub name: Option<Name>,
    /// Their picture, a URL; `None` keeps the stored one.
    pub avatar: Option<String>,
    /// Their scope afterwards; `None` keeps the one that they have, and makes somebody new a participant.
    pub scope: Option<Scope>,
    /// When they joined, Unix seconds; `None` keeps the stored time, or means now for somebody new.
    pub joined_at: Option<i64>,
}

/// The statement that stages this many people. Nobody is listed twice: an existing row belongs to somebody who was
/// erased meanwhile.
fn staged(rows: usize) -> String {
    SYNC_ROWS.insert(rows) + " ON CONFLICT (sync, uid) DO NOTHING"
}

impl Tx<'_> {
    /// Records that a sync has begun.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn begin_sync(&mut self, id: StagingId) -> Result<(), StoreError> {
        let sql = concat!("INSERT INTO syncs (sync, guid, alive_at, phase) VALUES ($1, '', $2, ", phase!(Staged), ")");
        Ok(execute!(self.connection, sql, id.0, self.now)?)
    }

    /// Records that a sync is on its way still.
    ///
    /// # Errors
    /// See [`Tx`]; [`StoreError::Unavailable`] as well when it was given up: what it staged and prepared may be gone.
    pub async fn keep_alive(&mut self, id: StagingId) -> Result<(), StoreError> {
        let sql =
            concat!("UPDATE syncs SET alive_at = $2 WHERE sync = $1 AND phase = ", phase!(Staged), " RETURNING sync");
        let kept: Option<i64> = fetch_scalar!(fetch_optional, self.connection, sql, id.0, self.now)?;
        kept.map(drop).ok_or_else(|| StoreError::Unavailable("a sync took too long and was given up".into()))
    }

    /// Records that a sync was applied: its prepared rows stay.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn record_applied(&mut self, id: StagingId) -> Result<(), StoreError> {
        let sql = concat!("UPDATE syncs SET phase = ", phase!(Applied), " WHERE sync = $1");
        Ok(execute!(self.connection, sql, id.0)?)
    }

    /// Stages people, each with the line of the upload that names them. Nobody is staged twice.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn stage(&mut self, id: StagingId, rows: &[(u64, SyncRow)]) -> Result<(), StoreError> {
        static FULL: LazyLock<String> = LazyLock::new(|| staged(CHUNK));
        self.keep_alive(id).await?;
        for rows in rows.chunks(CHUNK) {
            let sort_keys: Vec<Option<String>> =
                rows.iter().map(|(_, row)| row.name.as_ref().map(|name| sort_key(name.as_str()))).collect();
            let values = rows.iter().zip(&sort_keys).map(|((line, row), sort_key)| SyncRowValues {
                sync: id.0,
                uid: row.uid.as_str(),
                line: *line as i64,
                name: row.name.as_ref().map(|name| name.as_str()),
                avatar: row.avatar.as_deref(),
                sort_key: sort_key.as_deref(),
                scope: row.scope.unwrap_or(Scope::Participant).number(),
                joined_at: row.joined_at,
                state: state!(Staged),
                keeps_scope: i64::from(row.scope.is_none()),
                // Written by earlier versions alone.
                scope_until: None,
            });
            match rows.len() {
                CHUNK => insert(self.connection.reborrow(), &FULL, values).await?,
                fewer => insert(self.connection.reborrow(), &staged(fewer), values).await?,
            }
        }
        Ok(())
    }

    /// The next range of people who are staged.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn next_staged(&mut self, id: StagingId, range: &UidRange) -> Result<UidRange, StoreError> {
        next_staged(self.connection.reborrow(), id, range).await
    }

    /// The next range of people who are to be applied.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn next_to_apply(&mut self, id: StagingId, range: &UidRange) -> Result<UidRange, StoreError> {
        let last: Option<String> = fetch_scalar!(
            fetch_optional,
            self.connection,
            concat!(
                "SELECT uid FROM sync_rows WHERE sync = $1 AND state = ",
                state!(ToApply),
                " AND uid > $2 ORDER BY uid LIMIT 1 OFFSET $3"
            ),
            id.0,
            range.bounds().1,
            UidRange::SIZE as i64 - 1
        )?;
        Ok(range.next(last))
    }

    /// Whether the number of rows to apply calls for joining them as ranges: see [`Tx::begin_ranges`].
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn are_many_to_apply(&mut self, id: StagingId) -> Result<bool, StoreError> {
        let sql = concat!(
            "SELECT uid FROM sync_rows WHERE sync = $1 AND state = ",
            state!(ToApply),
            " ORDER BY uid LIMIT 1 OFFSET $2"
        );
        let one: Option<String> = fetch_scalar!(fetch_optional, self.connection, sql, id.0, MAX_COMPARED_ROWS)?;
        Ok(one.is_some())
    }

    /// The first person who is to be applied, by line, who has neither a stored name nor one in their row.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn first_nameless_to_apply(&mut self, id: StagingId) -> Result<Option<(u64, Uid)>, StoreError> {
        first_nameless(self.connection.reborrow(), id, &UidRange::everybody()).await
    }

    /// Deletes some of the rows of a sync, and its prepared rows unless it was applied; `false` when none are left.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn discard(&mut self, id: StagingId) -> Result<bool, StoreError> {
        // A concurrent sync that applies it holds this row, or finds that it was given up. The row is locked in any phase: two that
        // delete the same rows could wait for each other.
        let give_up = concat!(
            "UPDATE syncs SET phase = CASE phase WHEN ",
            phase!(Staged),
            " THEN ",
            phase!(GivenUp),
            " ELSE phase END WHERE sync = $1 RETURNING guid, phase"
        );
        let sync: Option<(String, i64)> = fetch!(fetch_optional, self.connection, give_up, id.0)?;
        let Some((guid, phase)) = sync else { return Ok(false) };
        let last: Option<String> = fetch_scalar!(
            fetch_optional,
            self.connection,
            "SELECT uid FROM sync_rows WHERE sync = $1 ORDER BY uid LIMIT 1 OFFSET $2",
            id.0,
            DISCARDED_ROWS
        )?;
        let more = last.is_some();
        let (_, until) = UidRange::start().next(last).into_bounds();
        if phase != phase!(Applied) {
            self.undo_preparation(&guid, id, &until).await?;
        }
        // A row that keeps the place of somebody who was erased has their uid: the file keeps its bytes until it is written anew.
        let of_erased: i64 = fetch_scalar!(
            fetch_one,
            self.connection,
            concat!("SELECT count(*) FROM sync_rows WHERE sync = $1 AND uid <= $2 AND line = ", erased_line!()),
            id.0,
            &until
        )?;
        if of_erased > 0 {
            self.record_scrub_due().await?;
        }
        execute!(self.connection, "DELETE FROM sync_rows WHERE sync = $1 AND uid <= $2", id.0, &until)?;
        if !more {
            execute!(self.connection, "DELETE FROM syncs WHERE sync = $1", id.0)?;
            self.remove_placeholder(&guid).await?;
        }
        Ok(more)
    }
}

impl Reader {
    /// The next range of people who are staged.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn next_staged(&mut self, id: StagingId, range: &UidRange) -> Result<UidRange, StoreError> {
        next_staged(self.tx.reborrow(), id, range).await
    }

    /// The first person of a range, by line, who has neither a stored name nor one in their row.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn first_nameless(&mut self, id: StagingId, range: &UidRange) -> Result<Option<(u64, Uid)>, StoreError> {
        first_nameless(self.tx.reborrow(), id, range).await
    }

    /// The version of the host's data that the group was last brought into step with.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn sync_version(&mut self, guid: &Guid) -> Result<Option<i64>, StoreError> {
        sync_version(self.tx.reborrow(), guid).await
    }

    /// When the oldest sync began that may still be applied, Unix milliseconds; `None` when there is none. That nothing has been heard
    /// of one does not tell: it may go on until it is given up. A standby does not know: it has no rows of unlogged tables, and one may
    /// be on its way on its primary.
    ///
    /// # Errors
    /// See [`Reader`].
    pub(in crate::store) async fn oldest_sync_begun(&mut self) -> Result<Option<i64>, StoreError> {
        if matches!(self.tx.reborrow(), Connection::Postgres(_)) {
            let replayed_until: Option<i64> = fetch_scalar!(fetch_one, self.tx, REPLAYED_UNTIL)?;
            if let Some(replayed_until) = replayed_until {
                return Ok(Some(replayed_until - STANDBY_MARGIN));
            }
        }
        let sql = concat!("SELECT min(sync) FROM syncs WHERE phase = ", phase!(Staged));
        let oldest: Option<i64> = fetch_scalar!(fetch_one, self.tx, sql)?;
        Ok(oldest.map(|sync| sync >> RANDOM_BITS))
    }

    /// A sync that has not written anything since this moment (Unix milliseconds), and was not removed.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn abandoned_sync(&mut self, since: i64) -> Result<Option<StagingId>, StoreError> {
        let sql = "SELECT min(sync) FROM syncs WHERE alive_at < $1";
        let oldest: Option<i64> = fetch_scalar!(fetch_one, self.tx, sql, since)?;
        Ok(oldest.map(StagingId))
    }
}

/// The next range of people who are staged.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
async fn next_staged(mut on: Connection<'_>, id: StagingId, range: &UidRange) -> Result<UidRange, StoreError> {
    let last: Option<String> = fetch_scalar!(
        fetch_optional,
        on,
        "SELECT uid FROM sync_rows WHERE sync = $1 AND uid > $2 ORDER BY uid LIMIT 1 OFFSET $3",
        id.0,
        range.bounds().1,
        UidRange::SIZE as i64 - 1
    )?;
    Ok(range.next(last))
}

/// The first person of a range, by line, who has neither a stored name nor one in their row. The name in another list that is not applied
/// does not count. People found to be users already are not looked at again, nor those who were erased since.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
async fn first_nameless(
    mut on: Connection<'_>,
    id: StagingId,
    range: &UidRange,
) -> Result<Option<(u64, Uid)>, StoreError> {
    macro_rules! nameless {
        ($and_of_user:expr) => {
            concat!(
                "SELECT s.line, s.uid FROM sync_rows s
                 WHERE s.sync = $1 AND s.uid > $2 AND s.uid <= $3 AND s.name IS NULL AND s.scope >= 0 AND s.state <= ",
                state!(ToApply),
                " AND NOT EXISTS (SELECT 1 FROM users u WHERE u.uid = s.uid",
                $and_of_user,
                ") ORDER BY s.line LIMIT 1"
            )
        };
    }
    let sql = match &on {
        Connection::Sqlite(_) => nameless!(concat!(
            " AND NOT EXISTS (SELECT 1 FROM (",
            prepared_users!(),
            ") AS prepared WHERE prepared.uid = u.uid)"
        )),
        // No list inserts users there before it is applied.
        Connection::Postgres(_) => nameless!(""),
    };
    let (after, until) = range.bounds();
    let row: Option<(i64, String)> = fetch!(fetch_optional, on, sql, id.0, after, until)?;
    row.map(|(line, uid)| Ok((line as u64, parse_uid(&uid)?))).transpose()
}
