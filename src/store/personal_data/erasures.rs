//! Which erasures have begun, and which groups name whoever is erased.

use std::collections::BTreeSet;

use crate::domain::{Guid, Uid};
use crate::store::database::reader::Reader;
use crate::store::database::store::Store;
use crate::store::error::StoreError;
use crate::store::metadata::metadata;
use crate::store::people::users::groups_of;
use crate::store::sql::decode::{parse_guid, parse_uid};
use crate::store::sql::query::{fetch, fetch_scalar};
use crate::store::sql::restrictions_text::{author_text, set_by};

/// Rows of the log that are read at a time.
const PAGE: i64 = 2_000;
/// Name of the fact that the file may still hold deleted content. Each erasure gives it another value.
pub(super) const SCRUB_DUE: &str = "scrub_due";

/// An erasure that has begun and not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The person to erase.
    pub uid: Uid,
    /// The uid that replaces theirs in what is kept.
    pub pseudonym: Uid,
    /// When it began, Unix milliseconds.
    pub at: i64,
    /// When they had left every group, Unix milliseconds; `None` before.
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

/// The rows that name somebody who is erased.
#[derive(Debug, Clone, Default)]
pub struct RowsNaming {
    /// The groups, deleted ones included, whose bans, mutes, notes or log name them.
    pub groups: BTreeSet<Guid>,
    /// The time of the latest of these bans, mutes and notes, Unix milliseconds.
    pub latest: Option<i64>,
}

/// A row of the log that holds restrictions: group, event and person.
type Place = (String, i64, String);

impl Store {
    /// The rows that name this person now. Authors of restrictions stand within texts, which no index finds: those are read page by
    /// page, outside of any act's transaction, since a log may hold millions.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn rows_naming(&self, uid: &Uid) -> Result<RowsNaming, StoreError> {
        let mut named = self.read().await?.rows_naming(uid).await?;
        let mut place = Some(Place::default());
        while let Some(after) = place {
            place = self.read().await?.authored(uid, after, &mut named.groups).await?;
        }
        Ok(named)
    }
}

impl Reader {
    /// The rows whose columns name this person.
    async fn rows_naming(&mut self, uid: &Uid) -> Result<RowsNaming, StoreError> {
        let logged: Vec<String> = fetch_scalar!(
            fetch_all,
            self.tx,
            "SELECT guid FROM touched WHERE uid = $1 UNION SELECT guid FROM events WHERE by_uid = $1",
            uid.as_str()
        )?;
        let dated: Vec<(String, i64)> = fetch!(fetch_all, self.tx, dated_rows_naming!(), uid.as_str())?;
        let groups = logged.iter().chain(dated.iter().map(|(guid, _)| guid)).map(|guid| parse_guid(guid));
        Ok(RowsNaming { groups: groups.collect::<Result<_, _>>()?, latest: dated.iter().map(|(_, at)| *at).max() })
    }

    /// Adds the groups whose log holds restrictions that this person set, from a page of those after a place. Answers where the next
    /// page begins.
    async fn authored(
        &mut self,
        uid: &Uid,
        (guid, seq, person): Place,
        groups: &mut BTreeSet<Guid>,
    ) -> Result<Option<Place>, StoreError> {
        let rows: Vec<(String, i64, String, i64)> = fetch!(
            fetch_all,
            self.tx,
            concat!(
                "SELECT guid, seq, uid, CAST(CASE WHEN ",
                set_by!("touched", "$4"),
                " THEN 1 ELSE 0 END AS BIGINT)
                 FROM touched WHERE (old_restrictions IS NOT NULL OR new_restrictions IS NOT NULL) AND (guid, seq, uid) > ($1, $2, $3)
                 ORDER BY guid, seq, uid LIMIT $5"
            ),
            &guid,
            seq,
            &person,
            author_text(uid.as_str()),
            PAGE
        )?;
        let is_last = (rows.len() as i64) < PAGE;
        let end = rows.last().map(|(guid, seq, uid, _)| (guid.clone(), *seq, uid.clone()));
        for (guid, ..) in rows.iter().filter(|(.., is_author)| *is_author != 0) {
            groups.insert(parse_guid(guid)?);
        }
        Ok(end.filter(|_| !is_last).map(|(guid, seq, uid)| match groups.iter().any(|known| known.as_str() == guid) {
            // One is enough.
            true => (guid, i64::MAX, String::new()),
            false => (guid, seq, uid),
        }))
    }
}
