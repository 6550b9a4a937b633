//! Which erasures have begun, and which groups name whoever is erased.

use crate::domain::{Guid, Uid};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::metadata::metadata;
use crate::store::people::users::groups_of;
use crate::store::sql::connection::Connection;
use crate::store::sql::decode::{parse_guid, parse_uid};
use crate::store::sql::query::{fetch, fetch_scalar};
use crate::store::sql::restrictions_text::{author_text, set_by};

/// Name of the fact that the file may still hold deleted content. Each erasure gives it another value.
pub(super) const SCRUB_DUE: &str = "scrub_due";

/// An erasure that has begun and not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The person to erase.
    pub uid: Uid,
    /// The uid that replaces theirs in what is kept.
    pub pseudonym: Uid,
    /// When it began, milliseconds since the epoch.
    pub at: i64,
    /// When they had left every group, milliseconds since the epoch; `None` before.
    pub left_at: Option<i64>,
}

/// Group and time of the bans, mutes and notes about the person `$1`, or by them.
macro_rules! dated_rows_naming {
    () => {
        "SELECT guid, at FROM bans WHERE uid = $1 OR by_uid = $1
         UNION ALL SELECT guid, at FROM mutes WHERE uid = $1 OR by_uid = $1
         UNION ALL SELECT guid, at FROM notes WHERE uid = $1 OR by_uid = $1"
    };
}

pub(super) use dated_rows_naming;

impl Reader {
    /// The groups that somebody is in.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn guids_of(&mut self, uid: &Uid) -> Result<Vec<Guid>, StoreError> {
        groups_of(self.tx.reborrow(), uid).await
    }

    /// The groups, deleted ones included, whose bans, mutes, notes or log name somebody who is being erased; none when the erasure is
    /// not the current one any more.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn groups_to_rewrite(&mut self, erasure: &Erasure) -> Result<Vec<Guid>, StoreError> {
        let rows: Vec<String> = fetch_scalar!(
            fetch_all,
            self.tx,
            concat!(
                "SELECT named.guid FROM erasures x JOIN
                   (SELECT p.guid FROM erasure_positions p WHERE p.uid = $1
                      AND (EXISTS (SELECT 1 FROM touched t WHERE t.uid = $1 AND t.guid = p.guid AND t.seq <= p.seq)
                        OR EXISTS (SELECT 1 FROM events e WHERE e.by_uid = $1 AND e.guid = p.guid AND e.seq <= p.seq)
                        OR EXISTS (SELECT 1 FROM touched t WHERE t.guid = p.guid AND t.seq <= p.seq AND ",
                set_by!("t", "$4"),
                "))
                    UNION SELECT guid FROM (",
                dated_rows_naming!(),
                ") AS dated WHERE at <= $3) named ON TRUE
                 WHERE x.uid = $1 AND x.at = $2 AND x.left_at = $3 ORDER BY named.guid"
            ),
            erasure.uid.as_str(),
            erasure.at,
            erasure.left_at.unwrap_or(i64::MAX),
            author_text(erasure.uid.as_str())
        )?;
        rows.iter().map(|guid| parse_guid(guid)).collect()
    }

    /// The mark that deleted content may still be in the file.
    ///
    /// # Errors
    /// See [`Reader`].
    pub(in crate::store) async fn scrub_due(&mut self) -> Result<Option<String>, StoreError> {
        metadata(self.tx.reborrow(), SCRUB_DUE).await
    }

    /// The erasures that have begun and not ended.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn erasures(&mut self) -> Result<Vec<Erasure>, StoreError> {
        let rows: Vec<(String, String, i64, Option<i64>)> =
            fetch!(fetch_all, self.tx, "SELECT uid, pseudonym, at, left_at FROM erasures ORDER BY at LIMIT 1000")?;
        let erasure = |(uid, pseudonym, at, left_at): (String, String, i64, Option<i64>)| {
            Ok(Erasure { uid: parse_uid(&uid)?, pseudonym: parse_uid(&pseudonym)?, at, left_at })
        };
        rows.into_iter().map(erasure).collect()
    }
}

/// The groups, deleted ones included, whose bans, mutes, notes or log name this person.
///
/// # Errors
/// When the database cannot be read, or holds a `guid` that is none.
pub(super) async fn groups_naming(mut on: Connection<'_>, uid: &Uid) -> Result<Vec<Guid>, StoreError> {
    let rows: Vec<String> = fetch_scalar!(
        fetch_all,
        on,
        concat!(
            "SELECT guid FROM touched WHERE uid = $1 UNION SELECT guid FROM events WHERE by_uid = $1
             UNION SELECT guid FROM touched WHERE ",
            set_by!("touched", "$2"),
            " UNION SELECT guid FROM (",
            dated_rows_naming!(),
            ") AS dated ORDER BY guid"
        ),
        uid.as_str(),
        author_text(uid.as_str())
    )?;
    rows.iter().map(|guid| parse_guid(guid)).collect()
}
