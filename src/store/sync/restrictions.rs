//! The restrictions of people touched by a sync, before and after it: the log holds them for everybody.

use std::sync::LazyLock;

use crate::domain::{Guid, Restrictions};
use crate::store::error::StoreError;
use crate::store::people::person_rows::{EndRow, MuteRow};
use crate::store::people::uid_range::UidRange;
use crate::store::sql::decode::parse_uid;
use crate::store::sql::query::{execute, fetch};
use crate::store::sql::restrictions_text::restrictions_text;
use crate::store::transaction::tx::Tx;

/// People who are read at once.
const PAGE: i64 = 500;

/// The treatment of a stored restriction that the domain refuses.
#[derive(Clone, Copy)]
enum Malformed {
    /// The event is not written.
    Refused,
    /// The event is written without it.
    LeftOut,
}

/// A person who is muted or had a temporary scope.
#[derive(sqlx::FromRow)]
struct RestrictedPersonRow {
    uid: String,
    old_scope: Option<i64>,
    new_scope: Option<i64>,
    #[sqlx(flatten)]
    end: EndRow,
    #[sqlx(flatten)]
    mute: MuteRow,
}

impl Tx<'_> {
    /// Adds mutes and the ends of scopes to the log's rows of the people of a range whom the sync with this event number touched,
    /// before the ends are deleted: with their members, or by [`Tx::forget_ends_of_other_scopes`]. A sync lifts no mute. It leaves
    /// banned people out, so that no bans are added.
    ///
    /// # Errors
    /// See [`Tx`]; [`StoreError::Inconsistent`] when the domain refuses a stored row.
    pub async fn record_synced_restrictions(
        &mut self,
        guid: &Guid,
        seq: u64,
        range: &UidRange,
    ) -> Result<(), StoreError> {
        self.record_restrictions(guid, seq, range, Malformed::Refused).await
    }

    /// Like [`Tx::record_synced_restrictions`], for a group that is being mended: a person whose stored row the domain refuses gets
    /// no restrictions in the log, and keeps nobody from being mended.
    ///
    /// # Errors
    /// See [`Tx`].
    pub(in crate::store) async fn record_readable_restrictions(
        &mut self,
        guid: &Guid,
        seq: u64,
    ) -> Result<(), StoreError> {
        self.record_restrictions(guid, seq, &UidRange::everybody(), Malformed::LeftOut).await
    }

    async fn record_restrictions(
        &mut self,
        guid: &Guid,
        seq: u64,
        range: &UidRange,
        malformed: Malformed,
    ) -> Result<(), StoreError> {
        static SELECT: LazyLock<String> = LazyLock::new(|| {
            format!(
                "SELECT t.uid, t.old_scope, t.new_scope, {}, {}
                 FROM (SELECT uid FROM mutes WHERE guid = $1 UNION SELECT uid FROM temporary_scopes WHERE guid = $1) AS l
                 JOIN touched t ON t.guid = $1 AND t.seq = $2 AND t.uid = l.uid
                 LEFT JOIN temporary_scopes e ON e.guid = $1 AND e.uid = t.uid AND e.scope = t.old_scope
                 LEFT JOIN mutes mu ON mu.guid = $1 AND mu.uid = t.uid AND mu.until_at > $3
                 WHERE l.uid > $4 AND l.uid <= $5 ORDER BY l.uid LIMIT $6",
                EndRow::select_list("e"),
                MuteRow::select_list("mu")
            )
        });
        let (guid, seq) = (guid.as_str(), seq as i64);
        let (after, until) = range.bounds();
        let mut last = after.to_owned();
        loop {
            let rows: Vec<RestrictedPersonRow> =
                fetch!(fetch_all, self.connection, SELECT.as_str(), guid, seq, self.now, &last, until, PAGE)?;
            let Some(end) = rows.last() else { return Ok(()) };
            last.clone_from(&end.uid);
            for row in rows {
                let uid = row.uid.clone();
                let held = match (row.restrictions(), malformed) {
                    (Err(StoreError::Inconsistent(_)), Malformed::LeftOut) => continue,
                    (held, _) => held?,
                };
                let [old, new] = held.map(|held| (!held.is_empty()).then(|| restrictions_text(&held)));
                execute!(
                    self.connection,
                    "UPDATE touched SET old_restrictions = $4, new_restrictions = $5 WHERE guid = $1 AND seq = $2 AND uid = $3",
                    guid,
                    seq,
                    &uid,
                    old,
                    new
                )?;
            }
        }
    }
}

impl RestrictedPersonRow {
    /// Their restrictions before and after.
    fn restrictions(self) -> Result<[Restrictions; 2], StoreError> {
        let mute = self.mute.decode(&parse_uid(&self.uid)?)?;
        let end = self.end.decode()?;
        let keeps_scope = self.new_scope == self.old_scope;
        let held = |temporary| Restrictions { ban: None, mute: mute.clone(), temporary };
        Ok([held(end), held(end.filter(|_| keeps_scope))])
    }
}
