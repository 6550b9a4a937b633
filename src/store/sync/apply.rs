//! Applying a sync that is prepared (`prepare.rs`): a few statements for each range of thousands of people who change or leave. New
//! members are inserted here on PostgreSQL. On SQLite the preparation has inserted most of them already, hidden, and `adopt.rs` shows
//! those.

use super::prepare::renamed;
use super::staging::StagingId;
use crate::domain::{Guid, Uid};
use crate::store::error::StoreError;
use crate::store::people::uid_range::UidRange;
use crate::store::sql::decode::parse_uid;
use crate::store::sql::in_force::in_force;
use crate::store::sql::query::{execute, fetch_scalar};
use crate::store::sql::sync_states::state;
use crate::store::transaction::tx::Tx;

/// The result of a sync.
#[derive(Debug, Default)]
pub struct SyncReport {
    /// Rows whose person is now a member as the row says, unchanged ones included.
    pub written: u64,
    /// The members that this sync changed.
    pub changed: u64,
    /// Members who were removed since they are not listed.
    pub removed: u64,
    /// Members of the group afterwards.
    pub members: u64,
    /// People who are banned and so were left out.
    pub banned: Vec<Uid>,
}

/// The people of a range who are to be applied (`s`). Statements repeat the range for each joined table, since PostgreSQL does
/// not derive it from the join. `$1` is the sync, `$2` and `$3` the range.
macro_rules! to_apply {
    () => {
        concat!("s.sync = $1 AND s.state = ", state!(ToApply), " AND s.uid > $2 AND s.uid <= $3 AND s.scope >= 0")
    };
}

pub(super) use to_apply;

/// Writes the users of a range (`$2`, `$3`) who are new, or have another name or picture, at `$4`; a row without a name has the stored
/// one. `ON CONFLICT DO UPDATE` locks existing users in the order of uids, also when its WHERE is false: on PostgreSQL other syncs write
/// them meanwhile.
macro_rules! write_users {
    ($to_known:literal) => {
        concat!(
            "INSERT INTO users (uid, name, avatar, sort_key, created_at, updated_at)
             SELECT s.uid, COALESCE(s.name, u.name), s.avatar, COALESCE(s.sort_key, u.sort_key),
               CAST($4 AS BIGINT), CAST($4 AS BIGINT)
             FROM sync_rows s LEFT JOIN users u ON u.uid = s.uid AND u.uid > $2 AND u.uid <= $3
             WHERE ",
            to_apply!(),
            " AND CASE WHEN u.uid IS NULL THEN s.name IS NOT NULL ELSE ",
            renamed!(),
            " END ORDER BY s.uid ON CONFLICT (uid) DO UPDATE SET ",
            $to_known
        )
    };
}

impl Tx<'_> {
    /// Chooses how PostgreSQL joins until [`Tx::end_ranges`]: it knows nothing yet of the rows of this transaction,
    /// takes each range for a few, and would compare all of them with all others in nested loops. Plans that the connection has
    /// cached join as was chosen when they were made.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn begin_ranges(&mut self) -> Result<(), StoreError> {
        self.set_on_postgres("SET LOCAL enable_nestloop = off; DISCARD PLANS").await
    }

    /// [`Tx::begin_ranges`], if a sync has so many rows to apply that it pays; answers whether.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn begin_ranges_of_many(&mut self, id: StagingId) -> Result<bool, StoreError> {
        let are_many = self.are_many_to_apply(id).await?;
        if are_many {
            self.begin_ranges().await?;
        }
        Ok(are_many)
    }

    /// Joins as usual again: the transaction may go on with other acts.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn end_ranges(&mut self) -> Result<(), StoreError> {
        self.set_on_postgres("SET LOCAL enable_nestloop = DEFAULT; DISCARD PLANS").await
    }

    /// Runs ANALYZE on tables that a large sync has filled. PostgreSQL does it by itself about a minute later; until then it plans as if
    /// they were small, and loading the group takes minutes.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn analyze(&mut self) -> Result<(), StoreError> {
        for sql in ["ANALYZE users", "ANALYZE members", "ANALYZE touched"] {
            self.set_on_postgres(sql).await?;
        }
        Ok(())
    }

    /// Leaves out who is banned, and answers who that is. Expired bans of people who are staged are deleted, as when
    /// somebody joins: lifted later, their event would say that a member is outside.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn unstage_banned(&mut self, guid: &Guid, id: StagingId) -> Result<Vec<Uid>, StoreError> {
        let banned: Vec<String> = fetch_scalar!(
            fetch_all,
            self.connection,
            concat!(
                "SELECT b.uid FROM bans b JOIN sync_rows s ON s.sync = $1 AND s.state = ",
                state!(ToApply),
                " AND s.uid = b.uid WHERE b.guid = $2 AND ",
                in_force!("b.until_at", "$3"),
                " ORDER BY b.uid"
            ),
            id.0,
            guid.as_str(),
            self.now
        )?;
        if !banned.is_empty() {
            execute!(
                self.connection,
                concat!(
                    "DELETE FROM sync_rows WHERE sync = $1 AND state = ",
                    state!(ToApply),
                    " AND uid IN (SELECT uid FROM bans WHERE guid = $2 AND ",
                    in_force!("until_at", "$3"),
                    ")"
                ),
                id.0,
                guid.as_str(),
                self.now
            )?;
        }
        execute!(
            self.connection,
            concat!(
                "DELETE FROM bans WHERE guid = $2 AND until_at <= $3
                   AND EXISTS (SELECT 1 FROM sync_rows s WHERE s.sync = $1 AND s.state = ",
                state!(ToApply),
                " AND s.uid = bans.uid)"
            ),
            id.0,
            guid.as_str(),
            self.now
        )?;
        banned.iter().map(|uid| parse_uid(uid)).collect()
    }

    /// The next range of members.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn next_members(&mut self, guid: &Guid, range: &UidRange) -> Result<UidRange, StoreError> {
        let last: Option<String> = fetch_scalar!(
            fetch_optional,
            self.connection,
            "SELECT uid FROM members WHERE guid = $1 AND uid > $2 ORDER BY uid LIMIT 1 OFFSET $3",
            guid.as_str(),
            range.bounds().1,
            UidRange::SIZE as i64 - 1
        )?;
        Ok(range.next(last))
    }

    /// Makes the people of a range members as they are staged, under the event number `seq`. The owner gets name and picture, and
    /// becomes a member by [`Tx::apply_staged_owner`].
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn apply_staged(
        &mut self,
        guid: &Guid,
        seq: u64,
        id: StagingId,
        range: &UidRange,
    ) -> Result<(), StoreError> {
        self.add_users(id, range).await?;
        self.record_renames(guid, id, range).await?;
        self.touch_staged(guid, seq, id, range).await?;
        self.rename_users(id, range).await?;
        // The check that each member is a user has a plan that the connection has cached. One from before these users were
        // inserted, when there were few, reads all of them for each member.
        self.set_on_postgres("DISCARD PLANS").await?;
        self.add_staged(guid, seq, id, range, false).await
    }

    /// Inserts the users who are new, and locks those who have another name or picture, the owner too in the order of all. Only these
    /// are locked.
    async fn add_users(&mut self, id: StagingId, range: &UidRange) -> Result<(), StoreError> {
        self.write_users(write_users!("name = users.name WHERE FALSE"), id, range).await
    }

    /// Records whose new name or picture also applies to other groups of theirs. Users are locked first: so this sees the groups that they
    /// came into while it waited, and no two syncs hold records and wait for users.
    async fn record_renames(&mut self, guid: &Guid, id: StagingId, range: &UidRange) -> Result<(), StoreError> {
        let (after, until) = range.bounds();
        Ok(execute!(
            self.connection,
            concat!(
                "INSERT INTO sync_renames (guid, uid) SELECT m.guid, m.uid
                 FROM sync_rows s JOIN users u ON u.uid = s.uid AND u.uid > $2 AND u.uid <= $3
                 JOIN members m ON m.uid = s.uid AND m.uid > $2 AND m.uid <= $3 AND m.scope >= 0
                 WHERE ",
                to_apply!(),
                " AND m.guid <> $4 AND ",
                renamed!(),
                // The row is locked also when it is there: an announcement that runs waits, or is waited for. All in one order.
                " ORDER BY m.uid, m.guid ON CONFLICT (guid, uid) DO UPDATE SET uid = excluded.uid"
            ),
            id.0,
            after,
            until,
            guid.as_str()
        )?)
    }

    /// Records the people whom the event touches. The columns that describe a person stay NULL: a sync is read without them.
    async fn touch_staged(&mut self, guid: &Guid, seq: u64, id: StagingId, range: &UidRange) -> Result<(), StoreError> {
        let (after, until) = range.bounds();
        Ok(execute!(
            self.connection,
            concat!(
                "INSERT INTO touched (guid, seq, uid, old_scope, new_scope, joined_at, old_joined_at)
                 SELECT CAST($4 AS TEXT), CAST($5 AS BIGINT), s.uid, m.scope, s.scope,
                   CASE WHEN m.joined_at <= s.joined_at OR s.joined_at IS NULL THEN COALESCE(m.joined_at, $6)
                     ELSE s.joined_at END, m.joined_at
                 FROM sync_rows s LEFT JOIN users u ON u.uid = s.uid AND u.uid > $2 AND u.uid <= $3
                 LEFT JOIN members m ON m.guid = $4 AND m.uid = s.uid AND m.uid > $2 AND m.uid <= $3 AND m.scope >= 0
                 WHERE ",
                to_apply!(),
                " AND (m.uid IS NULL OR m.scope <> s.scope OR s.joined_at < m.joined_at OR ",
                renamed!(),
                ")"
            ),
            id.0,
            after,
            until,
            guid.as_str(),
            seq as i64,
            self.now / 1000
        )?)
    }

    /// Writes the other names and pictures.
    async fn rename_users(&mut self, id: StagingId, range: &UidRange) -> Result<(), StoreError> {
        const RENAME: &str = write_users!(
            "name = excluded.name, sort_key = excluded.sort_key,
               avatar = COALESCE(excluded.avatar, users.avatar), updated_at = excluded.updated_at
             WHERE users.name <> excluded.name
               OR (excluded.avatar IS NOT NULL AND excluded.avatar IS DISTINCT FROM users.avatar)"
        );
        self.write_users(RENAME, id, range).await
    }

    async fn write_users(&mut self, sql: &'static str, id: StagingId, range: &UidRange) -> Result<(), StoreError> {
        let (after, until) = range.bounds();
        Ok(execute!(self.connection, sql, id.0, after, until, self.now)?)
    }

    /// Makes the staged owner the owner. The previous one has another scope already.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn apply_staged_owner(&mut self, guid: &Guid, seq: u64, id: StagingId) -> Result<(), StoreError> {
        self.add_staged(guid, seq, id, &UidRange::everybody(), true).await
    }

    /// Writes the members whom the event touches: the owner, or everybody else.
    async fn add_staged(
        &mut self,
        guid: &Guid,
        seq: u64,
        id: StagingId,
        range: &UidRange,
        the_owner: bool,
    ) -> Result<(), StoreError> {
        let ((after, until), is_owner) = (range.bounds(), i64::from(the_owner));
        Ok(execute!(
            self.connection,
            concat!(
                "INSERT INTO members (guid, uid, scope, joined_at, seq)
                 SELECT t.guid, s.uid, s.scope, COALESCE(s.joined_at, $7), t.seq
                 FROM sync_rows s JOIN touched t
                   ON t.guid = $5 AND t.seq = $6 AND t.uid = s.uid AND t.uid > $2 AND t.uid <= $3
                 WHERE ",
                to_apply!(),
                " AND CASE WHEN s.scope = 3 THEN 1 ELSE 0 END = $4
                 ON CONFLICT (guid, uid) DO UPDATE SET scope = excluded.scope, seq = excluded.seq,
                   joined_at = CASE WHEN excluded.joined_at < members.joined_at OR members.scope < 0
                                    THEN excluded.joined_at ELSE members.joined_at END"
            ),
            id.0,
            after,
            until,
            is_owner,
            guid.as_str(),
            seq as i64,
            self.now / 1000
        )?)
    }
}
