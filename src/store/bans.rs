//! Bans.

use std::sync::LazyLock;

use super::decode::{parse_guid, parse_uid};
use super::error::StoreError;
use super::insert::insert;
use super::person::BanRow;
use super::query::{execute, fetch};
use super::tables::{BANS, BanValues};
use super::tx::Tx;
use crate::domain::{Ban, Guid, Uid};

impl Tx<'_> {
    /// Inserts a ban, or replaces the one of this person, also one from before they were erased.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn upsert_ban(&mut self, guid: &Guid, ban: &Ban) -> Result<(), StoreError> {
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

    /// Deletes a ban that has expired, and answers it; `None` when there is none.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn lift_ended_ban(&mut self, guid: &Guid, uid: &Uid) -> Result<Option<Ban>, StoreError> {
        let lifted: Option<BanRow> = fetch!(
            fetch_optional,
            self.connection,
            "DELETE FROM bans WHERE guid = $1 AND uid = $2 AND until_at <= $3
             RETURNING at, reason, until_at, by_uid, message",
            guid.as_str(),
            uid.as_str(),
            self.now
        )?;
        Ok(lifted.map(|row| row.decode(uid, None)).transpose()?.flatten())
    }

    /// Expired bans that are not lifted yet, the oldest `at_most` of them.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn ended_bans(&mut self, at_most: i64) -> Result<Vec<(Guid, Uid)>, StoreError> {
        let rows: Vec<(String, String)> = fetch!(
            fetch_all,
            self.connection,
            "SELECT guid, uid FROM bans WHERE until_at <= $1 ORDER BY until_at LIMIT $2",
            self.now,
            at_most
        )?;
        rows.iter().map(|(guid, uid)| Ok((parse_guid(guid)?, parse_uid(uid)?))).collect()
    }
}
