//! Applying a sync that is prepared: the people who leave, and the owner who gives way to another.

use super::staging::StagingId;
use crate::domain::{Guid, Scope};
use crate::store::error::StoreError;
use crate::store::groups::group::owner;
use crate::store::people::uid_range::UidRange;
use crate::store::sql::query::execute;
use crate::store::sql::sync_states::state;
use crate::store::transaction::tx::Tx;

impl Tx<'_> {
    /// Notes that the event `seq` ends the memberships of the people of a range who are staged as leaving.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn touch_leaving(
        &mut self,
        guid: &Guid,
        seq: u64,
        id: StagingId,
        range: &UidRange,
    ) -> Result<(), StoreError> {
        let ((after, until), guid) = (range.bounds(), guid.as_str());
        Ok(execute!(
            self.connection,
            concat!(
                "INSERT INTO touched (guid, seq, uid, old_scope, new_scope, joined_at, old_joined_at)
                 SELECT m.guid, CAST($5 AS BIGINT), m.uid, m.scope, CAST(NULL AS BIGINT), m.joined_at, m.joined_at
                 FROM sync_rows s JOIN members m
                   ON m.guid = $4 AND m.uid = s.uid AND m.uid > $2 AND m.uid <= $3 AND m.scope >= 0
                 WHERE s.sync = $1 AND s.state = ",
                state!(ToApply),
                " AND s.uid > $2 AND s.uid <= $3 AND s.scope < 0"
            ),
            id.0,
            after,
            until,
            guid,
            seq as i64
        )?)
    }

    /// Deletes the members of a range who are staged as leaving.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn remove_leaving(&mut self, guid: &Guid, id: StagingId, range: &UidRange) -> Result<(), StoreError> {
        let ((after, until), guid) = (range.bounds(), guid.as_str());
        Ok(execute!(
            self.connection,
            concat!(
                "DELETE FROM members WHERE guid = $4 AND uid > $2 AND uid <= $3 AND scope >= 0 AND uid IN
                   (SELECT s.uid FROM sync_rows s WHERE s.sync = $1 AND s.state = ",
                state!(ToApply),
                " AND s.uid > $2 AND s.uid <= $3 AND s.scope < 0)"
            ),
            id.0,
            after,
            until,
            guid
        )?)
    }

    /// Makes the owner an admin under the event number `seq`, unless they are staged.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn demote_unstaged_owner(&mut self, guid: &Guid, seq: u64, id: StagingId) -> Result<(), StoreError> {
        let Some(uid) = owner(self.connection.reborrow(), guid).await? else { return Ok(()) };
        if self.staged_scope(id, &uid).await?.is_some() {
            return Ok(());
        }
        execute!(
            self.connection,
            "INSERT INTO touched (guid, seq, uid, old_scope, new_scope, joined_at, old_joined_at)
             SELECT guid, CAST($2 AS BIGINT), uid, CAST($4 AS BIGINT), CAST($5 AS BIGINT), joined_at, joined_at
             FROM members WHERE guid = $1 AND uid = $3",
            guid.as_str(),
            seq as i64,
            uid.as_str(),
            Scope::Owner.number(),
            Scope::Admin.number()
        )?;
        Ok(execute!(
            self.connection,
            "UPDATE members SET scope = $3, seq = $4 WHERE guid = $1 AND uid = $2",
            guid.as_str(),
            uid.as_str(),
            Scope::Admin.number(),
            seq as i64
        )?)
    }
}
