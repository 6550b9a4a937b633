//! The log as webhooks and the host's back end read it: each event with the people it touched, by their
//! present names, beside the group as it now is.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::feed_event::{Feed, FeedCounts, FeedEvent, FeedGroup, MAX_PEOPLE, MembersAfter, PEOPLE_OF_PART};
use super::feed_person::{FeedPerson, TouchedRow, people};
use super::feed_rows::{FeedGroupRow, FeedRow};
use crate::domain::{EventKind, Guid, Scope};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::groups::group::GroupRow;
use crate::store::sql::decode::parse_uid;
use crate::store::sql::query::fetch;

impl Reader {
    /// Up to `limit` events after `since`, fewer when the log does not keep all of them, and when they touched many people: at least
    /// one, if there is one. `None` when there never was such a group. The members are counted unless they are `known` as of the group's
    /// last event, since all their rows are read for that.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn feed(
        &mut self,
        guid: &Guid,
        since: u64,
        limit: usize,
        known: Option<MembersAfter>,
    ) -> Result<Option<Feed>, StoreError> {
        let epoch = self.epoch().await?;
        let Some((group, head, rewritten)) = self.feed_group(guid, &epoch, known).await? else { return Ok(None) };
        let first: Option<(i64,)> = fetch!(
            fetch_optional,
            self.tx,
            "SELECT seq FROM events WHERE guid = $1 ORDER BY seq LIMIT 1",
            guid.as_str()
        )?;
        let first = first.map_or(head + 1, |(seq,)| seq as u64);
        let rows: Vec<FeedRow> = fetch!(
            fetch_all,
            self.tx,
            "SELECT e.id, e.seq, e.kind, e.at, e.by_uid, COALESCE(u.name, e.by_name) AS by_name, u.avatar AS by_avatar,
               COALESCE(u.role, 'default') AS by_role, e.reason, e.until_at, e.cause,
               e.undoes, e.batch, e.message
             FROM events e LEFT JOIN users u ON u.uid = e.by_uid
             WHERE e.guid = $1 AND e.seq >= $2 ORDER BY e.seq LIMIT $3",
            guid.as_str(),
            since as i64,
            limit as i64 + 1
        )?;
        let mut events = rows.into_iter().map(|row| row.decode(&epoch, guid)).collect::<Result<Vec<_>, _>>()?;
        let previous = events.first().is_some_and(|event| event.seq == since).then(|| events.remove(0).id);
        events.truncate(limit);
        if let (Some(first), Some(last)) = (events.first().map(|event| event.seq), events.last().map(|event| event.seq))
        {
            for (seq, person) in self.people_of_events(guid, first, last).await? {
                if let Some(event) = events.iter_mut().find(|event| event.seq == seq) {
                    event.people.push(person);
                }
            }
        }
        let (mut people, mut end) = (0, events.len());
        for (place, event) in events.iter_mut().enumerate() {
            if people >= PEOPLE_OF_PART {
                end = place;
                break;
            }
            if event.kind == EventKind::MembersSynced {
                self.add_synced(guid, event).await?;
            }
            // The new owner comes first; rows are sorted by uid.
            if event.kind == EventKind::OwnerTransferred {
                event.people.sort_by_key(|person| person.new != Some(Scope::Owner));
            }
            people += event.people.len();
        }
        events.truncate(end);
        Ok(Some(Feed { epoch, group, head, rewritten, first, previous, events }))
    }

    /// Up to `limit` of the people whom an event touched, in the order of uids, those after `after`.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn people_of_event(
        &mut self,
        guid: &Guid,
        seq: u64,
        after: &str,
        limit: usize,
    ) -> Result<Vec<FeedPerson>, StoreError> {
        static PEOPLE: LazyLock<String> =
            LazyLock::new(|| people("WHERE t.guid = $1 AND t.seq = $2 AND t.uid > $3 ORDER BY t.uid LIMIT $4"));
        let rows: Vec<TouchedRow> =
            fetch!(fetch_all, self.tx, PEOPLE.as_str(), guid.as_str(), seq as i64, after, limit as i64)?;
        rows.into_iter().map(|row| Ok(row.decode()?.1)).collect()
    }

    /// The people whom an event touched who owned the group before it or after it, in no order: two at the most.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn owners_of_event(&mut self, guid: &Guid, seq: u64) -> Result<Vec<FeedPerson>, StoreError> {
        static OWNERS: LazyLock<String> =
            LazyLock::new(|| people("WHERE t.guid = $1 AND t.seq = $2 AND (t.old_scope = $3 OR t.new_scope = $3)"));
        let rows: Vec<TouchedRow> =
            fetch!(fetch_all, self.tx, OWNERS.as_str(), guid.as_str(), seq as i64, Scope::Owner.number())?;
        rows.into_iter().map(|row| Ok(row.decode()?.1)).collect()
    }

    /// The number of people whom an event touched.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn counts_of_event(&mut self, guid: &Guid, seq: u64) -> Result<FeedCounts, StoreError> {
        let (touched, joined, left, changed): (i64, i64, i64, i64) = fetch!(
            fetch_one,
            self.tx,
            "SELECT count(*),
               count(CASE WHEN old_scope IS NULL AND new_scope IS NOT NULL THEN 1 END),
               count(CASE WHEN old_scope IS NOT NULL AND new_scope IS NULL THEN 1 END),
               count(CASE WHEN old_scope <> new_scope THEN 1 END)
             FROM touched WHERE guid = $1 AND seq = $2",
            guid.as_str(),
            seq as i64
        )?;
        let [touched, joined, left, changed] = [touched, joined, left, changed].map(|count| count as u64);
        Ok(FeedCounts { touched, joined, left, changed })
    }

    /// The number of members after each of these events, by event number. It is computed back from their number after the event
    /// `head`, the last of these or a later one, and the changes by the events up to it.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn members_after(
        &mut self,
        guid: &Guid,
        events: &[u64],
        (head, members): (u64, u64),
    ) -> Result<BTreeMap<u64, u64>, StoreError> {
        let (Some(first), Some(last)) = (events.iter().min().copied(), events.iter().max().copied()) else {
            return Ok(BTreeMap::new());
        };
        // The change of the number by each event; all events after the last one share one row.
        let changes: Vec<(i64, i64)> = if first >= head {
            Vec::new()
        } else {
            fetch!(
                fetch_all,
                self.tx,
                "SELECT CASE WHEN seq > $3 THEN $3 + 1 ELSE seq END AS of_event,
                   count(CASE WHEN old_scope IS NULL AND new_scope IS NOT NULL THEN 1 END)
                     - count(CASE WHEN old_scope IS NOT NULL AND new_scope IS NULL THEN 1 END)
                 FROM touched WHERE guid = $1 AND seq > $2 AND seq <= $4 GROUP BY 1",
                guid.as_str(),
                first as i64,
                last as i64,
                head as i64
            )?
        };
        let since = |seq: u64| changes.iter().filter(|(of, _)| *of > seq as i64).map(|(_, by)| *by).sum::<i64>();
        Ok(events.iter().map(|seq| (*seq, (members as i64 - since(*seq)).max(0) as u64)).collect())
    }

    async fn feed_group(
        &mut self,
        guid: &Guid,
        epoch: &str,
        known: Option<MembersAfter>,
    ) -> Result<Option<(FeedGroup, u64, u64)>, StoreError> {
        static GROUP: LazyLock<String> = LazyLock::new(|| {
            format!(
                "SELECT {}, g.seq, g.rewritten_seq, g.created_at, g.updated_at,
                   (SELECT m.uid FROM members m WHERE m.guid = g.guid AND m.scope = 3) AS owner
                 FROM groups g WHERE g.guid = $1",
                GroupRow::columns("g")
            )
        });
        let row: Option<FeedGroupRow> = fetch!(fetch_optional, self.tx, GROUP.as_str(), guid.as_str())?;
        let Some(FeedGroupRow { seq, rewritten_seq, created_at, updated_at, owner, group }) = row else {
            return Ok(None);
        };
        let owner = owner.as_deref().map(parse_uid).transpose()?;
        let is_current = |known: &MembersAfter| known.event.seq == seq as u64 && *known.event.epoch == *epoch;
        let members = match known.filter(is_current) {
            Some(known) => known.members,
            None => self.members_count(guid).await?,
        };
        let group = FeedGroup { group: group.decode()?, owner, members, created_at, updated_at };
        Ok(Some((group, seq as u64, rewritten_seq as u64)))
    }

    /// The people touched by these events, except by syncs and by the end of the group.
    async fn people_of_events(
        &mut self,
        guid: &Guid,
        first: u64,
        last: u64,
    ) -> Result<Vec<(u64, FeedPerson)>, StoreError> {
        static PEOPLE: LazyLock<String> = LazyLock::new(|| {
            people(
                "JOIN events e ON e.guid = t.guid AND e.seq = t.seq AND e.kind NOT IN ('members_synced', 'group_deleted')
                 WHERE t.guid = $1 AND t.seq >= $2 AND t.seq <= $3 ORDER BY t.seq, t.uid",
            )
        });
        let rows: Vec<TouchedRow> =
            fetch!(fetch_all, self.tx, PEOPLE.as_str(), guid.as_str(), first as i64, last as i64)?;
        rows.into_iter().map(TouchedRow::decode).collect()
    }

    async fn add_synced(&mut self, guid: &Guid, event: &mut FeedEvent) -> Result<(), StoreError> {
        let counts = self.counts_of_event(guid, event.seq).await?;
        event.counts = Some(counts);
        if counts.touched <= MAX_PEOPLE as u64 {
            event.people = self.people_of_event(guid, event.seq, "", MAX_PEOPLE).await?;
        }
        Ok(())
    }
}
