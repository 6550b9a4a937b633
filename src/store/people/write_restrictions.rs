//! Writes what limits people in a group: bans, mutes, and scopes that end; and takes back what has ended.

use std::sync::LazyLock;

use super::person_rows::RestrictionRow;
use crate::domain::{Guid, Restriction, Scope, TemporaryScope, Uid};
use crate::store::error::StoreError;
use crate::store::sql::decode::{parse_guid, parse_uid};
use crate::store::sql::insert::insert;
use crate::store::sql::query::{execute, fetch, fetch_scalar};
use crate::store::sql::tables::{BANS, BanValues, MUTES, MuteValues, TEMPORARY_SCOPES, TemporaryScopeValues};
use crate::store::transaction::tx::Tx;

/// Most bans, most mutes and most scopes of a group that are ended in one transaction.
const BATCH_SIZE: i64 = 500;
/// Most groups of one answer of [`Tx::groups_with_ended`].
const GROUPS_AT_ONCE: i64 = 100;

/// The restrictions and scopes of a group whose time ran out and that are not removed yet.
#[derive(Debug, Default)]
pub struct EndedRestrictions {
    /// Bans that were lifted.
    pub bans: Vec<Restriction>,
    /// Mutes that were lifted.
    pub mutes: Vec<Restriction>,
    /// The people whose scope ended; their rows are not changed yet.
    pub scopes: Vec<Uid>,
}

/// Groups in which restrictions or scopes have ended and are not taken back yet.
#[derive(Debug)]
pub struct GroupsWithEnded {
    /// Their ids, in the order in which groups are locked.
    pub guids: Vec<Guid>,
    /// The error of the last stored id that is malformed; the other ids are in `guids`.
    pub unread: Option<StoreError>,
    /// The stored id after which further groups come; `None` when these are the last.
    pub next: Option<String>,
}

/// The statement that lifts the bans or mutes of a group that have ended.
macro_rules! lift_ended {
    ($table:literal) => {
        concat!(
            "DELETE FROM ",
            $table,
            " WHERE guid = $1 AND uid IN (SELECT uid FROM ",
            $table,
            " WHERE guid = $1 AND until_at <= $2 ORDER BY until_at, uid LIMIT $3)
             RETURNING uid, at, reason, until_at, by_uid, message"
        )
    };
}

impl Tx<'_> {
    /// Inserts a ban, or replaces the one of this person, also one from before they were erased.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn upsert_ban(&mut self, guid: &Guid, ban: &Restriction) -> Result<(), StoreError> {
        static UPSERT: LazyLock<String> = LazyLock::new(|| BANS.upsert(1, &[]));
        self.lift_ban_of(guid, &self.pseudonyms.of(&ban.uid)).await?;
        let row = BanValues {
            guid: guid.as_str(),
            uid: ban.uid.as_str(),
            reason: ban.reason.as_deref(),
            until_at: ban.until,
            by_uid: ban.by.as_ref().map(Uid::as_str),
            at: ban.at,
            message: ban.message.as_deref(),
        };
        insert(self.connection.reborrow(), &UPSERT, [row]).await
    }

    /// Deletes the ban of this person, also one from before they were erased.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn lift_ban(&mut self, guid: &Guid, uid: &Uid) -> Result<(), StoreError> {
        self.lift_ban_of(guid, &self.pseudonyms.of(uid)).await?;
        self.lift_ban_of(guid, uid).await
    }

    async fn lift_ban_of(&mut self, guid: &Guid, uid: &Uid) -> Result<(), StoreError> {
        execute!(self.connection, "DELETE FROM bans WHERE guid = $1 AND uid = $2", guid.as_str(), uid.as_str())?;
        Ok(())
    }

    /// Inserts a mute, or replaces the one of this person.
    ///
    /// # Errors
    /// See [`Tx`]; [`StoreError::Inconsistent`] when it has no end.
    pub async fn upsert_mute(&mut self, guid: &Guid, mute: &Restriction) -> Result<(), StoreError> {
        static UPSERT: LazyLock<String> = LazyLock::new(|| MUTES.upsert(1, &[]));
        let endless = || StoreError::Inconsistent(format!("the mute of {} has no end", mute.uid));
        let row = MuteValues {
            guid: guid.as_str(),
            uid: mute.uid.as_str(),
            reason: mute.reason.as_deref(),
            until_at: mute.until.ok_or_else(endless)?,
            by_uid: mute.by.as_ref().map(Uid::as_str),
            at: mute.at,
            message: mute.message.as_deref(),
        };
        insert(self.connection.reborrow(), &UPSERT, [row]).await
    }

    /// Deletes the mute of this person.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn lift_mute(&mut self, guid: &Guid, uid: &Uid) -> Result<(), StoreError> {
        execute!(self.connection, "DELETE FROM mutes WHERE guid = $1 AND uid = $2", guid.as_str(), uid.as_str())?;
        Ok(())
    }

    /// Records when the scope of a member ends, or that it lasts.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn set_end_of_scope(
        &mut self,
        guid: &Guid,
        uid: &Uid,
        scope: Scope,
        end: Option<TemporaryScope>,
    ) -> Result<(), StoreError> {
        static UPSERT: LazyLock<String> = LazyLock::new(|| TEMPORARY_SCOPES.upsert(1, &[]));
        let Some(TemporaryScope { lasting, until }) = end else {
            let sql = "DELETE FROM temporary_scopes WHERE guid = $1 AND uid = $2";
            return Ok(execute!(self.connection, sql, guid.as_str(), uid.as_str())?);
        };
        let row = TemporaryScopeValues {
            guid: guid.as_str(),
            uid: uid.as_str(),
            scope: scope.number(),
            lasting_scope: lasting.number(),
            until_at: until,
        };
        insert(self.connection.reborrow(), &UPSERT, [row]).await
    }

    /// Forgets the ends of scopes that members have no more, since a sync gave them others.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn forget_ends_of_other_scopes(&mut self, guid: &Guid) -> Result<(), StoreError> {
        Ok(execute!(
            self.connection,
            "DELETE FROM temporary_scopes WHERE guid = $1 AND NOT EXISTS (SELECT 1 FROM members m
               WHERE m.guid = temporary_scopes.guid AND m.uid = temporary_scopes.uid AND m.scope = temporary_scopes.scope)",
            guid.as_str()
        )?)
    }

    /// The first groups, or those after the stored id `after`, in which something has ended and is not taken back yet.
    ///
    /// # Errors
    /// See [`Tx`]. A malformed stored id is an error inside the result, so that the other groups are returned.
    pub async fn groups_with_ended(&mut self, after: Option<&str>) -> Result<GroupsWithEnded, StoreError> {
        let stored: Vec<String> = fetch_scalar!(
            fetch_all,
            self.connection,
            "SELECT guid FROM bans WHERE until_at <= $1 AND (CAST($2 AS TEXT) IS NULL OR guid > $2)
             UNION SELECT guid FROM mutes WHERE until_at <= $1 AND (CAST($2 AS TEXT) IS NULL OR guid > $2)
             UNION SELECT guid FROM temporary_scopes WHERE until_at <= $1 AND (CAST($2 AS TEXT) IS NULL OR guid > $2)
             ORDER BY guid LIMIT $3",
            self.now,
            after,
            GROUPS_AT_ONCE
        )?;
        let (mut guids, mut unread) = (Vec::with_capacity(stored.len()), None);
        for guid in &stored {
            match parse_guid(guid) {
                Ok(guid) => guids.push(guid),
                Err(error) => unread = Some(error),
            }
        }
        let next = stored.into_iter().nth(GROUPS_AT_ONCE as usize - 1);
        Ok(GroupsWithEnded { guids, unread, next })
    }

    /// Lifts the bans and mutes of a group that have ended, the oldest first, and answers them beside the scopes that have.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn lift_ended(&mut self, guid: &Guid) -> Result<EndedRestrictions, StoreError> {
        let bans: Vec<LiftedRow> =
            fetch!(fetch_all, self.connection, lift_ended!("bans"), guid.as_str(), self.now, BATCH_SIZE)?;
        let mutes: Vec<LiftedRow> =
            fetch!(fetch_all, self.connection, lift_ended!("mutes"), guid.as_str(), self.now, BATCH_SIZE)?;
        let scopes: Vec<(String,)> = fetch!(
            fetch_all,
            self.connection,
            "SELECT uid FROM temporary_scopes WHERE guid = $1 AND until_at <= $2 ORDER BY until_at, uid LIMIT $3",
            guid.as_str(),
            self.now,
            BATCH_SIZE
        )?;
        let scopes = scopes.iter().map(|(uid,)| parse_uid(uid)).collect::<Result<_, _>>()?;
        Ok(EndedRestrictions { bans: decode(bans)?, mutes: decode(mutes)?, scopes })
    }
}

/// The lifted restrictions, ordered by their end.
fn decode(rows: Vec<LiftedRow>) -> Result<Vec<Restriction>, StoreError> {
    let lifted = rows.into_iter().filter_map(|row| row.decode().transpose());
    let mut lifted = lifted.collect::<Result<Vec<_>, _>>()?;
    lifted.sort_by(|one, other| (one.until, &one.uid).cmp(&(other.until, &other.uid)));
    Ok(lifted)
}

/// A ban or mute that was lifted.
#[derive(sqlx::FromRow)]
struct LiftedRow {
    uid: String,
    #[sqlx(flatten)]
    restriction: RestrictionRow,
}

impl LiftedRow {
    fn decode(self) -> Result<Option<Restriction>, StoreError> {
        self.restriction.decode(&parse_uid(&self.uid)?, None)
    }
}
