//! What is read: a group with its members, what changed since, the banned.

use std::sync::Arc;

use super::db::{Connection, Pool, View, ask, many, placeholders, scalar};
use super::groups::GroupRow;
use super::person::PersonRow;
use super::tx::{bad, parse, scope};
use super::{Person, StoreError};
use crate::domain::{Ban, By, Group, Guid, Kind, Logged, Member, Touched, Uid};

/// A bulk sync that touched no more is told member by member.
const FEW: usize = 500;

/// A thousand members after a uid as one text: see [`Reader::snapshot`].
const PACKED_BY_SQLITE: &str = "SELECT group_concat(concat_ws(char(31), uid, name, sort_key, scope, joined_at, seq, COALESCE(avatar, '')), char(30)), max(uid)
 FROM (SELECT m.uid, u.name, u.sort_key, m.scope, m.joined_at, m.seq, u.avatar
       FROM members m JOIN users u ON u.uid = m.uid WHERE m.guid = $1 AND m.uid > $2 ORDER BY m.uid LIMIT 1000) AS page";
const PACKED_BY_POSTGRES: &str = "SELECT string_agg(concat_ws(chr(31), uid, name, sort_key, scope, joined_at, seq, COALESCE(avatar, '')), chr(30)), max(uid)
 FROM (SELECT m.uid, u.name, u.sort_key, m.scope, m.joined_at, m.seq, u.avatar
       FROM members m JOIN users u ON u.uid = m.uid WHERE m.guid = $1 AND m.uid > $2 ORDER BY m.uid LIMIT 1000) AS page";

/// One consistent view of the database; every read of it sees the same moment.
pub struct Reader {
    pub(super) view: View,
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
    pub(super) async fn begin(pool: &Pool, now: i64) -> Result<Reader, StoreError> {
        Ok(Reader { view: View::begin(pool).await?, now })
    }

    /// The group and its last event number; `None` when there is no such group.
    pub async fn group(&mut self, guid: &Guid) -> Result<Option<(Group, u64)>, StoreError> {
        let row: Option<HeadRow> = ask!(
            fetch_optional,
            self.view,
            "SELECT guid, name, type, icon, description, seq, deleted_at FROM groups WHERE guid = $1 AND deleted_at IS NULL",
            guid.as_str()
        )?;
        row.map(|row| Ok((row.group.read()?, row.seq as u64))).transpose()
    }

    /// Hash of the password of a password group (PHC string).
    pub async fn password(&mut self, guid: &Guid) -> Result<Option<String>, StoreError> {
        let stored: Option<Option<String>> = scalar!(
            fetch_optional,
            self.view,
            "SELECT password FROM groups WHERE guid = $1 AND deleted_at IS NULL",
            guid.as_str()
        )?;
        Ok(stored.flatten())
    }

    /// Whether any ban has run out and was not lifted yet.
    pub async fn any_ended_ban(&mut self) -> Result<bool, StoreError> {
        let ended: i64 = scalar!(
            fetch_one,
            self.view,
            "SELECT count(*) FROM (SELECT 1 FROM bans WHERE until_at <= $1 LIMIT 1) AS ended",
            self.now
        )?;
        Ok(ended != 0)
    }

    /// The ids of all groups.
    pub async fn guids(&mut self) -> Result<Vec<Guid>, StoreError> {
        let rows: Vec<String> =
            scalar!(fetch_all, self.view, "SELECT guid FROM groups WHERE deleted_at IS NULL ORDER BY guid")?;
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
        let packing = match self.view.lend() {
            Connection::Sqlite(_) => PACKED_BY_SQLITE,
            Connection::Postgres(_) => PACKED_BY_POSTGRES,
        };
        let mut last = String::new();
        loop {
            let (packed, end): (Option<String>, Option<String>) =
                ask!(fetch_one, self.view, packing, guid.as_str(), &last)?;
            let (Some(packed), Some(end)) = (packed, end) else { return Ok(Some(Snapshot { group, seq, members })) };
            for packed in packed.split('\x1e') {
                members.push(unpacked(packed)?);
            }
            last = end;
        }
    }

    /// The group's owner; `None` when there is no such group.
    pub async fn owner(&mut self, guid: &Guid) -> Result<Option<Uid>, StoreError> {
        let uid: Option<String> =
            scalar!(fetch_optional, self.view, "SELECT uid FROM members WHERE guid = $1 AND scope = 3", guid.as_str())?;
        uid.as_deref().map(parse).transpose()
    }

    /// How many members a group has.
    pub async fn members_count(&mut self, guid: &Guid) -> Result<u64, StoreError> {
        let count: i64 = scalar!(fetch_one, self.view, "SELECT count(*) FROM members WHERE guid = $1", guid.as_str())?;
        Ok(count as u64)
    }

    /// The last event number of each of these groups that is still there.
    pub async fn heads(&mut self, guids: &[Guid]) -> Result<Vec<(Guid, u64)>, StoreError> {
        let mut heads = Vec::with_capacity(guids.len());
        for guids in guids.chunks(1000) {
            let sql = format!("SELECT guid, seq FROM groups WHERE guid IN {}", placeholders(1, 1, guids.len()));
            let rows: Vec<(String, i64)> = many!(fetch_all, self.view, sql, query, {
                for guid in guids {
                    query = query.bind(guid.as_str());
                }
            })?;
            for (guid, seq) in rows {
                heads.push((guid.parse().map_err(|_| bad("guid", &guid))?, seq as u64));
            }
        }
        Ok(heads)
    }

    /// What is new since event `since`; `None` when that is more than `at_most` touched members or
    /// the log does not reach back that far: then only a fresh [`Snapshot`] helps.
    pub async fn catchup(&mut self, guid: &Guid, since: u64, at_most: usize) -> Result<Option<Catchup>, StoreError> {
        let row: Option<HeadRow> = ask!(
            fetch_optional,
            self.view,
            "SELECT guid, name, type, icon, description, seq, deleted_at FROM groups WHERE guid = $1",
            guid.as_str()
        )?;
        let Some(row) = row else { return Ok(None) };
        let seq = row.seq as u64;
        let group = if row.deleted_at.is_some() { None } else { Some(row.group.read()?) };
        let Some(events) = self.events(guid, since, seq, at_most).await? else { return Ok(None) };
        let mut touched = Vec::new();
        for uid in self.touched_since(guid, since, at_most + 1).await? {
            touched.push((uid.clone(), self.person(guid, &uid).await?.member().map(Arc::new)));
        }
        Ok((touched.len() <= at_most).then_some(Catchup { group, seq, events, touched }))
    }

    /// Everybody touched after event `since`, each once.
    pub async fn touched_since(&mut self, guid: &Guid, since: u64, at_most: usize) -> Result<Vec<Uid>, StoreError> {
        let rows: Vec<String> = scalar!(
            fetch_all,
            self.view,
            "SELECT DISTINCT uid FROM touched WHERE guid = $1 AND seq > $2 LIMIT $3",
            guid.as_str(),
            since as i64,
            at_most as i64
        )?;
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
        let rows: Vec<EventRow> = ask!(fetch_all, self.view, "SELECT e.seq, e.kind, e.at, e.by_uid, e.by_name, e.reason, e.until_at, t.uid, t.old_scope, t.new_scope, t.name, t.avatar, t.joined_at
             FROM events e LEFT JOIN touched t ON t.guid = e.guid AND t.seq = e.seq AND e.kind <> 'members_synced'
             WHERE e.guid = $1 AND e.seq > $2 AND e.seq <= $3 ORDER BY e.seq", guid.as_str(), since as i64, until as i64)?;
        let mut events: Vec<Logged> = Vec::new();
        for row in &rows {
            if events.last().is_none_or(|last| last.seq as i64 != row.seq) {
                events.push(row.event(guid)?);
            }
            if let (Some(touched), Some(event)) = (row.touched()?, events.last_mut()) {
                event.touched.push(touched);
            }
        }
        for event in events.iter_mut().filter(|event| event.kind == Kind::MembersSynced) {
            event.touched = self.synced(guid, event.seq).await?;
        }
        Ok((events.len() as u64 == until - since).then_some(events))
    }

    /// Whom a bulk sync touched, when that is few enough to be told one by one; else nobody.
    async fn synced(&mut self, guid: &Guid, seq: u64) -> Result<Vec<Touched>, StoreError> {
        let rows: Vec<(String, Option<i64>, Option<i64>)> = ask!(
            fetch_all,
            self.view,
            "SELECT uid, old_scope, new_scope FROM touched WHERE guid = $1 AND seq = $2 LIMIT $3",
            guid.as_str(),
            seq as i64,
            FEW as i64 + 1
        )?;
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
        let row: PersonRow = ask!(fetch_one, self.view, "SELECT p.uid, u.name, u.avatar, u.sort_key, m.scope, m.joined_at, m.seq, b.at AS banned_at, b.reason, b.until_at, b.by_uid
             FROM (SELECT CAST($2 AS TEXT) AS uid) p
             LEFT JOIN users u ON u.uid = p.uid
             LEFT JOIN members m ON m.guid = $1 AND m.uid = p.uid
             LEFT JOIN bans b ON b.guid = $1 AND b.uid = p.uid AND (b.until_at IS NULL OR b.until_at > $3)", guid.as_str(), uid.as_str(), self.now)?;
        row.read()
    }

    /// Everybody banned now, newest first.
    pub async fn bans(&mut self, guid: &Guid) -> Result<Vec<Ban>, StoreError> {
        let rows: Vec<PersonRow> = ask!(fetch_all, self.view, "SELECT b.uid, u.name, u.avatar, u.sort_key, CAST(NULL AS BIGINT) AS scope, CAST(NULL AS BIGINT) AS joined_at, CAST(NULL AS BIGINT) AS seq, b.at AS banned_at, b.reason, b.until_at, b.by_uid
             FROM bans b LEFT JOIN users u ON u.uid = b.uid
             WHERE b.guid = $1 AND (b.until_at IS NULL OR b.until_at > $2) ORDER BY b.at DESC, b.uid", guid.as_str(), self.now)?;
        rows.into_iter().map(|row| row.read()?.ban.ok_or_else(|| bad("ban", "without a time"))).collect()
    }

    /// The last event that touched this member, for saying who changed what when.
    pub async fn last_event_of(&mut self, guid: &Guid, uid: &Uid) -> Result<Option<Logged>, StoreError> {
        let row: Option<EventRow> = ask!(fetch_optional, self.view, "SELECT e.seq, e.kind, e.at, e.by_uid, e.by_name, e.reason, e.until_at, t.uid, t.old_scope, t.new_scope, t.name, t.avatar, t.joined_at
             FROM touched t JOIN events e ON e.guid = t.guid AND e.seq = t.seq
             WHERE t.guid = $1 AND t.uid = $2 ORDER BY t.seq DESC LIMIT 1", guid.as_str(), uid.as_str())?;
        row.map(|row| {
            let mut event = row.event(guid)?;
            event.touched.extend(row.touched()?);
            Ok(event)
        })
        .transpose()
    }

    /// What is wrong with this group's stored rows, in words; empty when nothing is.
    pub async fn faults(&mut self, guid: &Guid) -> Result<Vec<String>, StoreError> {
        let mut faults = Vec::new();
        let owners: i64 =
            scalar!(fetch_one, self.view, "SELECT count(*) FROM members WHERE guid = $1 AND scope = 3", guid.as_str())?;
        if owners != 1 {
            faults.push(format!("it has {owners} owners instead of one"));
        }
        let (events, first, last): (i64, Option<i64>, Option<i64>) = ask!(
            fetch_one,
            self.view,
            "SELECT count(*), min(seq), max(seq) FROM events WHERE guid = $1",
            guid.as_str()
        )?;
        let head: i64 = scalar!(fetch_one, self.view, "SELECT seq FROM groups WHERE guid = $1", guid.as_str())?;
        if last.unwrap_or(0) != head || first.zip(last).is_some_and(|(first, last)| last - first + 1 != events) {
            faults.push(format!("its log has {events} events from {first:?} to {last:?}, and its number is {head}"));
        }
        let both: i64 = scalar!(
            fetch_one,
            self.view,
            "SELECT count(*) FROM members m JOIN bans b ON b.guid = m.guid AND b.uid = m.uid WHERE m.guid = $1 AND (b.until_at IS NULL OR b.until_at > $2)",
            guid.as_str(),
            self.now
        )?;
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

/// A group's row with its place in the log.
#[derive(sqlx::FromRow)]
struct HeadRow {
    seq: i64,
    deleted_at: Option<i64>,
    #[sqlx(flatten)]
    group: GroupRow,
}

/// An event, with one of the members it touched.
#[derive(sqlx::FromRow)]
struct EventRow {
    seq: i64,
    kind: String,
    at: i64,
    by_uid: Option<String>,
    by_name: Option<String>,
    reason: Option<String>,
    until_at: Option<i64>,
    uid: Option<String>,
    old_scope: Option<i64>,
    new_scope: Option<i64>,
    name: Option<String>,
    avatar: Option<String>,
    joined_at: Option<i64>,
}

impl EventRow {
    fn event(&self, guid: &Guid) -> Result<Logged, StoreError> {
        let by = match &self.by_uid {
            Some(uid) => Some(By { uid: parse(uid)?, name: self.by_name.clone().unwrap_or_else(|| uid.clone()) }),
            None => None,
        };
        Ok(Logged {
            guid: guid.clone(),
            seq: self.seq as u64,
            at: self.at,
            kind: Kind::from_word(&self.kind).ok_or_else(|| bad("kind of event", &self.kind))?,
            by,
            touched: Vec::new(),
            reason: self.reason.clone(),
            until: self.until_at,
        })
    }

    fn touched(&self) -> Result<Option<Touched>, StoreError> {
        let Some(uid) = &self.uid else { return Ok(None) };
        let uid = parse(uid)?;
        let (old, new) = (self.old_scope.map(scope).transpose()?, self.new_scope.map(scope).transpose()?);
        let member = match (new.or(old), &self.name, self.joined_at) {
            (Some(scope), Some(name), Some(joined_at)) => {
                let avatar = self.avatar.as_deref();
                Some(Arc::new(Member::new(&uid, name, "", avatar, scope, joined_at, self.seq as u64)))
            }
            _ => None,
        };
        Ok(Some(Touched { uid, name: self.name.clone(), old, new, member }))
    }
}
