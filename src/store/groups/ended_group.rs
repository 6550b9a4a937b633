//! Ending a group: the rows that go with it, and the state of everybody it touches.

use std::sync::Arc;

use crate::domain::{Cause, EventKind, Guid, LoggedEvent, Restrictions, RestrictionsChange, TouchedMember, Uid};
use crate::store::error::StoreError;
use crate::store::people::uid_range::UidRange;
use crate::store::sql::decode::parse_uid;
use crate::store::sql::query::{execute, fetch_scalar};
use crate::store::transaction::append::insert_touched;
use crate::store::transaction::tx::Tx;

/// People who are read at once.
const PAGE: i64 = 500;

impl Tx<'_> {
    /// Deletes the members, bans, mutes and notes of a group and marks it as deleted. Its log stays; the event `seq` records
    /// everybody's state before.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn delete_group(&mut self, guid: &Guid, seq: u64) -> Result<(), StoreError> {
        self.touch_limited(guid, seq).await?;
        let mut range = UidRange::start();
        while !range.is_last() {
            range = self.next_members(guid, &range).await?;
            self.touch_members(guid, seq, &range).await?;
            // In ranges: of a million members one statement would take longer than a statement may.
            let (after, until) = range.bounds();
            let sql = "DELETE FROM members WHERE guid = $1 AND uid > $2 AND uid <= $3";
            execute!(self.connection, sql, guid.as_str(), after, until)?;
        }
        for sql in [
            "DELETE FROM members WHERE guid = $1",
            "DELETE FROM bans WHERE guid = $1",
            "DELETE FROM mutes WHERE guid = $1",
            "DELETE FROM notes WHERE guid = $1",
        ] {
            execute!(self.connection, sql, guid.as_str())?;
        }
        execute!(self.connection, "UPDATE groups SET deleted_at = $2 WHERE guid = $1", guid.as_str(), self.event_time)?;
        Ok(())
    }

    /// Records the state of everybody who was banned, muted or had a temporary scope, member or not; mostly few.
    async fn touch_limited(&mut self, guid: &Guid, seq: u64) -> Result<(), StoreError> {
        let mut last = String::new();
        loop {
            let uids: Vec<String> = fetch_scalar!(
                fetch_all,
                self.connection,
                "SELECT uid FROM (SELECT uid FROM bans WHERE guid = $1 UNION SELECT uid FROM mutes WHERE guid = $1
                   UNION SELECT uid FROM temporary_scopes WHERE guid = $1) AS limited
                 WHERE uid > $2 ORDER BY uid LIMIT $3",
                guid.as_str(),
                &last,
                PAGE
            )?;
            let Some(end) = uids.last() else { return Ok(()) };
            last.clone_from(end);
            let uids = uids.iter().map(|uid| parse_uid(uid)).collect::<Result<Vec<Uid>, _>>()?;
            let limited = self.people_of(guid, &uids).await?.into_iter().filter_map(|person| {
                let before = person.restrictions();
                let member = person.member();
                (!before.is_empty()).then(|| TouchedMember {
                    uid: person.uid,
                    name: None,
                    old: member.as_ref().map(|member| member.scope),
                    new: None,
                    member: member.map(Into::into),
                    restrictions: RestrictionsChange::new(before, Restrictions::default()),
                })
            });
            let touched = limited.collect();
            let event =
                LoggedEvent::new(guid.clone(), seq, self.event_time, EventKind::GroupDeleted, Cause::Host, touched);
            insert_touched(self.connection.reborrow(), &[Arc::new(event)]).await?;
        }
    }

    /// Records the state of the other members of a range. The columns that describe a person stay NULL, as of a sync.
    async fn touch_members(&mut self, guid: &Guid, seq: u64, range: &UidRange) -> Result<(), StoreError> {
        let (after, until) = range.bounds();
        Ok(execute!(
            self.connection,
            "INSERT INTO touched (guid, seq, uid, old_scope, new_scope, joined_at, old_joined_at)
             SELECT m.guid, CAST($2 AS BIGINT), m.uid, m.scope, CAST(NULL AS BIGINT), m.joined_at, m.joined_at FROM members m
             WHERE m.guid = $1 AND m.uid > $3 AND m.uid <= $4 AND m.scope >= 0
               AND NOT EXISTS (SELECT 1 FROM touched t WHERE t.guid = m.guid AND t.seq = $2 AND t.uid = m.uid)",
            guid.as_str(),
            seq as i64,
            after,
            until
        )?)
    }
}
