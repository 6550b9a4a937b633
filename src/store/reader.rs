//! What is read: a group with its members, what changed since, the banned.

use std::sync::Arc;

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, Sqlite, SqlitePool, Transaction};

use super::groups::group;
use super::person::person;
use super::tx::{bad, number, parse, scope};
use super::{Person, StoreError};
use crate::domain::{Ban, By, Group, Guid, Kind, Logged, Member, Scope, Touched, Uid};

/// A bulk sync that touched no more is told member by member.
const FEW: usize = 500;

/// One consistent view of the database; every read of it sees the same moment.
pub struct Reader {
    pub(super) tx: Transaction<'static, Sqlite>,
    now: i64,
}

/// A group as it is, with all of its members in no order.
pub struct Snapshot {
    /// The group.
    pub group: Group,
    /// The last event it includes.
    pub seq: u64,
    /// Everybody in it.
    pub members: Vec<Arc<Member>>,
}

/// What brings somebody who knows a group as of one event to the present.
pub struct Catchup {
    /// The group; `None` when it was deleted.
    pub group: Option<Group>,
    /// The last event this includes.
    pub seq: u64,
    /// The events in between, oldest first; a large bulk sync comes without its members.
    pub events: Vec<Logged>,
    /// Everybody touched in between: the member as they are now, or their absence.
    pub touched: Vec<(Uid, Option<Arc<Member>>)>,
}

impl Reader {
    pub(super) async fn begin(pool: &SqlitePool, now: i64) -> Result<Reader, StoreError> {
        Ok(Reader { tx: pool.begin().await?, now })
    }

    /// The group and its last event number; `None` when there is no such group.
    pub async fn group(&mut self, guid: &Guid) -> Result<Option<(Group, u64)>, StoreError> {
        let row = sqlx::query(
            "SELECT guid, name, type, icon, description, seq FROM groups WHERE guid = $1 AND deleted_at IS NULL",
        )
        .bind(guid.as_str())
        .fetch_optional(&mut *self.tx)
        .await?;
        row.map(|row| Ok((group(&row)?, number(&row, "seq")?))).transpose()
    }

    /// Hash of the password of a password group (PHC string).
    pub async fn password(&mut self, guid: &Guid) -> Result<Option<String>, StoreError> {
        let stored: Option<Option<String>> =
            sqlx::query_scalar("SELECT password FROM groups WHERE guid = $1 AND deleted_at IS NULL")
                .bind(guid.as_str())
                .fetch_optional(&mut *self.tx)
                .await?;
        Ok(stored.flatten())
    }

    /// Whether any ban has run out and was not lifted yet.
    pub async fn any_ended_ban(&mut self) -> Result<bool, StoreError> {
        let ended: i64 = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM bans WHERE until_at <= $1)")
            .bind(self.now)
            .fetch_one(&mut *self.tx)
            .await?;
        Ok(ended != 0)
    }

    /// The ids of all groups.
    pub async fn guids(&mut self) -> Result<Vec<Guid>, StoreError> {
        let rows: Vec<String> = sqlx::query_scalar("SELECT guid FROM groups WHERE deleted_at IS NULL ORDER BY guid")
            .fetch_all(&mut *self.tx)
            .await?;
        rows.iter().map(|guid| guid.parse().map_err(|_| bad("guid", guid))).collect()
    }

    /// The group with everybody in it.
    ///
    /// A row that is handed over costs more than reading it, so that the database packs a thousand
    /// members into one: fields end with unit separators, members with record separators, which
    /// are control characters and so in no id, name, key or URL of ours.
    pub async fn snapshot(&mut self, guid: &Guid) -> Result<Option<Snapshot>, StoreError> {
        let Some((group, seq)) = self.group(guid).await? else { return Ok(None) };
        let mut members = Vec::with_capacity(self.members_count(guid).await? as usize);
        let mut last = String::new();
        loop {
            let (packed, end): (Option<String>, Option<String>) = sqlx::query_as(
                "SELECT group_concat(concat_ws(char(31), uid, name, sort_key, scope, joined_at, seq, COALESCE(avatar, '')), char(30)), max(uid)
                 FROM (SELECT m.uid, u.name, u.sort_key, m.scope, m.joined_at, m.seq, u.avatar
                       FROM members m JOIN users u ON u.uid = m.uid WHERE m.guid = $1 AND m.uid > $2 ORDER BY m.uid LIMIT 1000)",
            )
            .bind(guid.as_str())
            .bind(&last)
            .fetch_one(&mut *self.tx)
            .await?;
            let (Some(packed), Some(end)) = (packed, end) else { return Ok(Some(Snapshot { group, seq, members })) };
            for packed in packed.split('\x1e') {
                members.push(unpacked(packed)?);
            }
            last = end;
        }
    }

    /// The group's owner; `None` when there is no such group.
    pub async fn owner(&mut self, guid: &Guid) -> Result<Option<Uid>, StoreError> {
        let uid: Option<String> = sqlx::query_scalar("SELECT uid FROM members WHERE guid = $1 AND scope = 3")
            .bind(guid.as_str())
            .fetch_optional(&mut *self.tx)
            .await?;
        uid.as_deref().map(parse).transpose()
    }

    /// How many members a group has.
    pub async fn members_count(&mut self, guid: &Guid) -> Result<u64, StoreError> {
        let count: i64 = sqlx::query_scalar("SELECT count(*) FROM members WHERE guid = $1")
            .bind(guid.as_str())
            .fetch_one(&mut *self.tx)
            .await?;
        Ok(count as u64)
    }

    /// The last event number of each of these groups that is still there.
    pub async fn heads(&mut self, guids: &[Guid]) -> Result<Vec<(Guid, u64)>, StoreError> {
        let mut heads = Vec::with_capacity(guids.len());
        for guid in guids {
            let seq: Option<i64> = sqlx::query_scalar("SELECT seq FROM groups WHERE guid = $1")
                .bind(guid.as_str())
                .fetch_optional(&mut *self.tx)
                .await?;
            heads.extend(seq.map(|seq| (guid.clone(), seq as u64)));
        }
        Ok(heads)
    }

    /// What is new since event `since`; `None` when that is more than `at_most` touched members or
    /// the log does not reach back that far: then only a fresh [`Snapshot`] helps.
    pub async fn catchup(&mut self, guid: &Guid, since: u64, at_most: usize) -> Result<Option<Catchup>, StoreError> {
        let row =
            sqlx::query("SELECT guid, name, type, icon, description, seq, deleted_at FROM groups WHERE guid = $1")
                .bind(guid.as_str())
                .fetch_optional(&mut *self.tx)
                .await?;
        let Some(row) = row else { return Ok(None) };
        let seq = number(&row, "seq")?;
        let group = if row.try_get::<Option<i64>, _>("deleted_at")?.is_some() { None } else { Some(group(&row)?) };
        let Some(events) = self.events(guid, since, seq, at_most).await? else { return Ok(None) };
        let mut touched = Vec::new();
        for uid in self.touched_since(guid, since, at_most + 1).await? {
            touched.push((uid.clone(), self.person(guid, &uid).await?.member().map(Arc::new)));
        }
        Ok((touched.len() <= at_most).then_some(Catchup { group, seq, events, touched }))
    }

    /// Everybody touched after event `since`, each once.
    pub async fn touched_since(&mut self, guid: &Guid, since: u64, at_most: usize) -> Result<Vec<Uid>, StoreError> {
        let rows: Vec<String> =
            sqlx::query_scalar("SELECT DISTINCT uid FROM touched WHERE guid = $1 AND seq > $2 LIMIT $3")
                .bind(guid.as_str())
                .bind(since as i64)
                .bind(at_most as i64)
                .fetch_all(&mut *self.tx)
                .await?;
        rows.iter().map(|uid| parse(uid)).collect()
    }

    /// The events after `since` up to `until`, gapless and in order; `None` when the log does not
    /// hold all of them (any more), or they are more than `at_most`.
    pub async fn events(
        &mut self,
        guid: &Guid,
        since: u64,
        until: u64,
        at_most: usize,
    ) -> Result<Option<Vec<Logged>>, StoreError> {
        if until < since || until - since > at_most as u64 {
            return Ok(None);
        }
        let rows = sqlx::query(
            "SELECT e.seq, e.kind, e.at, e.by_uid, e.by_name, e.reason, e.until_at, t.uid, t.old_scope, t.new_scope, t.name, t.avatar, t.joined_at
             FROM events e LEFT JOIN touched t ON t.guid = e.guid AND t.seq = e.seq AND e.kind <> 'members_synced'
             WHERE e.guid = $1 AND e.seq > $2 AND e.seq <= $3 ORDER BY e.seq",
        )
        .bind(guid.as_str())
        .bind(since as i64)
        .bind(until as i64)
        .fetch_all(&mut *self.tx)
        .await?;
        let mut events = folded(guid, &rows)?;
        for event in events.iter_mut().filter(|event| event.kind == Kind::MembersSynced) {
            event.touched = self.synced(guid, event.seq).await?;
        }
        Ok((events.len() as u64 == until - since).then_some(events))
    }

    /// The group's newest events, newest first; a bulk sync comes without its members. With `unbans`
    /// those are among them that only moderators and up may see.
    pub async fn newest_events(
        &mut self,
        guid: &Guid,
        at_most: usize,
        unbans: bool,
    ) -> Result<Vec<Logged>, StoreError> {
        let rows = sqlx::query(
            "SELECT e.seq, e.kind, e.at, e.by_uid, e.by_name, e.reason, e.until_at, t.uid, t.old_scope, t.new_scope, t.name, t.avatar, t.joined_at
             FROM (SELECT * FROM events WHERE guid = $1 AND ($3 OR kind <> 'member_unbanned') ORDER BY seq DESC LIMIT $2) e
             LEFT JOIN touched t ON t.guid = e.guid AND t.seq = e.seq AND e.kind <> 'members_synced'
             ORDER BY e.seq DESC",
        )
        .bind(guid.as_str())
        .bind(at_most as i64)
        .bind(unbans)
        .fetch_all(&mut *self.tx)
        .await?;
        folded(guid, &rows)
    }

    /// Whom a bulk sync touched, when that is few enough to be told one by one; else nobody.
    async fn synced(&mut self, guid: &Guid, seq: u64) -> Result<Vec<Touched>, StoreError> {
        let rows: Vec<(String, Option<i64>, Option<i64>)> =
            sqlx::query_as("SELECT uid, old_scope, new_scope FROM touched WHERE guid = $1 AND seq = $2 LIMIT $3")
                .bind(guid.as_str())
                .bind(seq as i64)
                .bind(FEW as i64 + 1)
                .fetch_all(&mut *self.tx)
                .await?;
        if rows.len() > FEW {
            return Ok(Vec::new());
        }
        let touched = |(uid, old, new): &(String, Option<i64>, Option<i64>)| {
            let (old, new) = (old.map(scope).transpose()?, new.map(scope).transpose()?);
            Ok(Touched { uid: parse(uid)?, name: None, old, new, member: None })
        };
        rows.iter().map(touched).collect()
    }

    /// One person and what they are to the group.
    pub async fn person(&mut self, guid: &Guid, uid: &Uid) -> Result<Person, StoreError> {
        let row = sqlx::query(
            "SELECT p.uid, u.name, u.avatar, u.sort_key, m.scope, m.joined_at, m.seq, b.at AS banned_at, b.reason, b.until_at, b.by_uid
             FROM (SELECT $2 AS uid) p
             LEFT JOIN users u ON u.uid = p.uid
             LEFT JOIN members m ON m.guid = $1 AND m.uid = p.uid
             LEFT JOIN bans b ON b.guid = $1 AND b.uid = p.uid AND (b.until_at IS NULL OR b.until_at > $3)",
        )
        .bind(guid.as_str())
        .bind(uid.as_str())
        .bind(self.now)
        .fetch_one(&mut *self.tx)
        .await?;
        person(&row)
    }

    /// Everybody banned now, newest first.
    pub async fn bans(&mut self, guid: &Guid) -> Result<Vec<Ban>, StoreError> {
        let rows = sqlx::query(
            "SELECT b.uid, u.name, u.avatar, u.sort_key, NULL AS scope, b.at AS banned_at, b.reason, b.until_at, b.by_uid
             FROM bans b LEFT JOIN users u ON u.uid = b.uid
             WHERE b.guid = $1 AND (b.until_at IS NULL OR b.until_at > $2) ORDER BY b.at DESC, b.uid",
        )
        .bind(guid.as_str())
        .bind(self.now)
        .fetch_all(&mut *self.tx)
        .await?;
        rows.iter().map(|row| person(row)?.ban.ok_or_else(|| bad("ban", "without a time"))).collect()
    }

    /// The last event that touched this member, for saying who changed what when.
    pub async fn last_event_of(&mut self, guid: &Guid, uid: &Uid) -> Result<Option<Logged>, StoreError> {
        let row = sqlx::query(
            "SELECT e.seq, e.kind, e.at, e.by_uid, e.by_name, e.reason, e.until_at, t.uid, t.old_scope, t.new_scope, t.name, t.avatar, t.joined_at
             FROM touched t JOIN events e ON e.guid = t.guid AND e.seq = t.seq
             WHERE t.guid = $1 AND t.uid = $2 ORDER BY t.seq DESC LIMIT 1",
        )
        .bind(guid.as_str())
        .bind(uid.as_str())
        .fetch_optional(&mut *self.tx)
        .await?;
        row.map(|row| {
            let mut event = event(guid, &row)?;
            event.touched.extend(touched(&row)?);
            Ok(event)
        })
        .transpose()
    }

    /// What is wrong with this group's stored rows, in words; empty when nothing is.
    pub async fn faults(&mut self, guid: &Guid) -> Result<Vec<String>, StoreError> {
        let mut faults = Vec::new();
        let owners: i64 = sqlx::query_scalar("SELECT count(*) FROM members WHERE guid = $1 AND scope = 3")
            .bind(guid.as_str())
            .fetch_one(&mut *self.tx)
            .await?;
        if owners != 1 {
            faults.push(format!("it has {owners} owners instead of one"));
        }
        let (events, first, last): (i64, Option<i64>, Option<i64>) =
            sqlx::query_as("SELECT count(*), min(seq), max(seq) FROM events WHERE guid = $1")
                .bind(guid.as_str())
                .fetch_one(&mut *self.tx)
                .await?;
        let head: i64 = sqlx::query_scalar("SELECT seq FROM groups WHERE guid = $1")
            .bind(guid.as_str())
            .fetch_one(&mut *self.tx)
            .await?;
        if last.unwrap_or(0) != head || first.zip(last).is_some_and(|(first, last)| last - first + 1 != events) {
            faults.push(format!("its log has {events} events from {first:?} to {last:?}, and its number is {head}"));
        }
        let both: i64 = sqlx::query_scalar("SELECT count(*) FROM members m JOIN bans b ON b.guid = m.guid AND b.uid = m.uid WHERE m.guid = $1 AND (b.until_at IS NULL OR b.until_at > $2)")
            .bind(guid.as_str())
            .bind(self.now)
            .fetch_one(&mut *self.tx)
            .await?;
        if both != 0 {
            faults.push(format!("{both} people are members and banned at once"));
        }
        Ok(faults)
    }
}

/// Reads a member as [`Reader::snapshot`] packs it.
fn unpacked(packed: &str) -> Result<Arc<Member>, StoreError> {
    let mut fields = packed.splitn(7, '\x1f');
    let mut field = || fields.next().ok_or_else(|| bad("member", packed));
    let integer = |text: &str| text.parse::<i64>().map_err(|_| bad("number of a member", text));
    let (uid, name, sort_key) = (parse(field()?)?, field()?, field()?);
    let (stored, joined_at, seq) = (integer(field()?)?, integer(field()?)?, integer(field()?)?);
    let avatar = Some(field()?).filter(|url| !url.is_empty());
    Ok(Arc::new(Member::new(&uid, name, sort_key, avatar, scope(stored)?, joined_at, seq as u64)))
}

/// Rows of events, each with one of the members it touched, as events.
fn folded(guid: &Guid, rows: &[SqliteRow]) -> Result<Vec<Logged>, StoreError> {
    let mut events: Vec<Logged> = Vec::new();
    for row in rows {
        let seq = number(row, "seq")?;
        if events.last().is_none_or(|last| last.seq != seq) {
            events.push(event(guid, row)?);
        }
        if let (Some(touched), Some(event)) = (touched(row)?, events.last_mut()) {
            event.touched.push(touched);
        }
    }
    // The new owner comes first, as when it happened: the database keeps them by uid.
    for event in events.iter_mut().filter(|event| event.kind == Kind::OwnerTransferred) {
        event.touched.sort_by_key(|touched| touched.new != Some(Scope::Owner));
    }
    Ok(events)
}

fn event(guid: &Guid, row: &SqliteRow) -> Result<Logged, StoreError> {
    let word: &str = row.try_get("kind")?;
    let by_uid: Option<&str> = row.try_get("by_uid")?;
    let by = match by_uid {
        Some(uid) => Some(By {
            uid: parse(uid)?,
            name: row.try_get::<Option<String>, _>("by_name")?.unwrap_or_else(|| uid.to_owned()),
        }),
        None => None,
    };
    Ok(Logged {
        guid: guid.clone(),
        seq: number(row, "seq")?,
        at: row.try_get("at")?,
        kind: Kind::from_word(word).ok_or_else(|| bad("kind of event", word))?,
        by,
        touched: Vec::new(),
        reason: row.try_get("reason")?,
        until: row.try_get("until_at")?,
    })
}

fn touched(row: &SqliteRow) -> Result<Option<Touched>, StoreError> {
    let Some(uid) = row.try_get::<Option<&str>, _>("uid")? else { return Ok(None) };
    let uid = parse(uid)?;
    let old = row.try_get::<Option<i64>, _>("old_scope")?.map(scope).transpose()?;
    let new = row.try_get::<Option<i64>, _>("new_scope")?.map(scope).transpose()?;
    let name: Option<String> = row.try_get("name")?;
    let joined_at: Option<i64> = row.try_get("joined_at")?;
    let member = match (new.or(old), &name, joined_at) {
        (Some(scope), Some(name), Some(joined_at)) => {
            Some(Arc::new(Member::new(&uid, name, "", row.try_get("avatar")?, scope, joined_at, number(row, "seq")?)))
        }
        _ => None,
    };
    Ok(Some(Touched { uid, name, old, new, member }))
}
