//! Rewriting the rows of a group that name somebody who is being erased: they get the pseudonym, and what describes the person is deleted.

use super::erasures::Erasure;
use crate::domain::Guid;
use crate::store::error::StoreError;
use crate::store::sql::query::{execute, fetch_scalar};
use crate::store::sql::restrictions_text::{author_text, set_by};
use crate::store::transaction::tx::Tx;

/// Rows of a group that are rewritten in one transaction, to bound the time that others wait.
const ROWS: i64 = 2_000;

impl Tx<'_> {
    /// Rewrites a bounded number of a group's rows that name this person, unless the erasure is not current. Call it until
    /// [`Reader::groups_to_rewrite`] no longer returns the group. Later rows name the next person with this uid, and stay.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn rewrite_group(&mut self, guid: &Guid, erasure: &Erasure) -> Result<(), StoreError> {
        if !self.is_current(erasure).await? {
            return Ok(());
        }
        // Locks the group: no event is appended meanwhile. A stream that has seen less than this resyncs.
        execute!(self.connection, "UPDATE groups SET rewritten_seq = seq WHERE guid = $1", guid.as_str())?;
        // Events since the erasure was recorded may name them too: a mute that they set has ended. With another user of this
        // uid, they may name that one.
        execute!(
            self.connection,
            "UPDATE erasure_positions SET seq = (SELECT seq FROM groups WHERE guid = $2)
             WHERE uid = $1 AND guid = $2 AND NOT EXISTS (SELECT 1 FROM users WHERE uid = $1)",
            erasure.uid.as_str(),
            guid.as_str()
        )?;
        let sql = "SELECT seq FROM erasure_positions WHERE uid = $1 AND guid = $2";
        let last: Option<i64> =
            fetch_scalar!(fetch_optional, self.connection, sql, erasure.uid.as_str(), guid.as_str())?;
        self.rewrite_log(guid, erasure, last.unwrap_or(0)).await?;
        self.rewrite_bans(guid, erasure).await?;
        self.rewrite_mutes_and_notes(guid, erasure).await
    }

    /// Rewrites some of the events up to `last`, and whom they touched.
    async fn rewrite_log(&mut self, guid: &Guid, erasure: &Erasure, last: i64) -> Result<(), StoreError> {
        let (guid, uid, pseudonym) = (guid.as_str(), erasure.uid.as_str(), erasure.pseudonym.as_str());
        // A reason or message is about the person acted on, so it is deleted for them, not for its author.
        execute!(
            self.connection,
            "UPDATE events SET reason = NULL, message = NULL
             WHERE guid = $1 AND (reason IS NOT NULL OR message IS NOT NULL)
               AND seq IN (SELECT seq FROM touched WHERE guid = $1 AND uid = $2 AND seq <= $4 ORDER BY seq LIMIT $3)",
            guid,
            uid,
            ROWS,
            last
        )?;
        execute!(
            self.connection,
            "UPDATE touched SET uid = $3, name = CASE WHEN name IS NULL THEN NULL ELSE $3 END, avatar = NULL,
               old_restrictions = NULL, new_restrictions = NULL
             WHERE guid = $1 AND uid = $2
               AND seq IN (SELECT seq FROM touched WHERE guid = $1 AND uid = $2 AND seq <= $5 ORDER BY seq LIMIT $4)",
            guid,
            uid,
            pseudonym,
            ROWS,
            last
        )?;
        execute!(
            self.connection,
            "UPDATE events SET by_uid = $3, by_name = $3 WHERE guid = $1 AND by_uid = $2
               AND seq IN (SELECT seq FROM events WHERE guid = $1 AND by_uid = $2 AND seq <= $5 ORDER BY seq LIMIT $4)",
            guid,
            uid,
            pseudonym,
            ROWS,
            last
        )?;
        execute!(
            self.connection,
            concat!(
                "UPDATE touched SET old_restrictions = replace(old_restrictions, $2, $3), new_restrictions = replace(new_restrictions, $2, $3)
                 WHERE guid = $1 AND seq <= $4 AND ",
                set_by!("touched", "$2")
            ),
            guid,
            author_text(uid),
            author_text(pseudonym),
            last
        )?;
        Ok(())
    }

    /// Rewrites the bans of a person, and those that they set. A ban keeps them out by their pseudonym.
    async fn rewrite_bans(&mut self, guid: &Guid, erasure: &Erasure) -> Result<(), StoreError> {
        let (guid, uid, pseudonym) = (guid.as_str(), erasure.uid.as_str(), erasure.pseudonym.as_str());
        let left_at = erasure.left_at.unwrap_or(i64::MAX);
        // If there are two bans, from before and after another erasure of the same person, the later one stays.
        execute!(
            self.connection,
            "DELETE FROM bans WHERE guid = $1 AND uid = $3
               AND EXISTS (SELECT 1 FROM bans other WHERE other.guid = $1 AND other.uid = $2 AND other.at <= $4)",
            guid,
            uid,
            pseudonym,
            left_at
        )?;
        for sql in [
            "UPDATE bans SET uid = $3, reason = NULL, message = NULL WHERE guid = $1 AND uid = $2 AND at <= $4",
            "UPDATE bans SET by_uid = $3 WHERE guid = $1 AND by_uid = $2 AND at <= $4",
        ] {
            execute!(self.connection, sql, guid, uid, pseudonym, left_at)?;
        }
        Ok(())
    }

    /// Deletes the mute of a person and the notes about them; those that they set or wrote stay, under their pseudonym.
    async fn rewrite_mutes_and_notes(&mut self, guid: &Guid, erasure: &Erasure) -> Result<(), StoreError> {
        let (guid, uid, pseudonym) = (guid.as_str(), erasure.uid.as_str(), erasure.pseudonym.as_str());
        let left_at = erasure.left_at.unwrap_or(i64::MAX);
        let sql = "DELETE FROM mutes WHERE guid = $1 AND uid = $2 AND at <= $3";
        execute!(self.connection, sql, guid, uid, left_at)?;
        let sql = "UPDATE mutes SET by_uid = $3 WHERE guid = $1 AND by_uid = $2 AND at <= $4";
        execute!(self.connection, sql, guid, uid, pseudonym, left_at)?;
        let sql = "DELETE FROM notes WHERE guid = $1 AND uid = $2 AND at <= $3";
        execute!(self.connection, sql, guid, uid, left_at)?;
        let sql = "UPDATE notes SET by_uid = $3 WHERE guid = $1 AND by_uid = $2 AND at <= $4";
        execute!(self.connection, sql, guid, uid, pseudonym, left_at)?;
        Ok(())
    }
}
