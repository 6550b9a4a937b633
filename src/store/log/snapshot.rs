//! Reading a whole group at once.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use crate::domain::{Group, Guid, Member, Membership, Muted, TemporaryScope};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::sql::connection::Connection;
use crate::store::sql::decode::{inconsistent, parse_scope, parse_uid};
use crate::store::sql::query::{fetch, fetch_scalar};
use crate::store::sql::tables::MembershipRow;

/// A group and all of its members, in no order.
pub struct Snapshot {
    /// The group.
    pub group: Group,
    /// The last event it includes.
    pub seq: u64,
    /// Its last event when an erasure rewrote the log; 0 when none did.
    pub rewritten_seq: u64,
    /// When the last event happened, Unix milliseconds; 0 when the log does not hold it.
    pub at: i64,
    /// Its members.
    pub members: Vec<Arc<Member>>,
}

impl Reader {
    /// The group with all of its members; `None` when there is no such group.
    ///
    /// Transferring a row costs more than reading it, so the database packs a thousand members into one:
    /// fields are separated by U+001F, members by U+001E, control characters that no stored id, name, key or
    /// URL contains.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn snapshot(&mut self, guid: &Guid) -> Result<Option<Snapshot>, StoreError> {
        let Some((group, seq)) = self.group(guid).await? else { return Ok(None) };
        let at = self.happened_at(guid, seq).await?.unwrap_or(0);
        let rewritten_seq = self.rewritten_seq(guid).await?;
        let limits = self.limits(guid).await?;
        let mut members = Vec::with_capacity(self.members_count(guid).await? as usize);
        let sql = match self.tx.reborrow() {
            Connection::Sqlite(_) => &*PACKED_BY_SQLITE,
            Connection::Postgres(_) => &*PACKED_BY_POSTGRES,
        };
        let mut last = String::new();
        loop {
            let (packed, end): (Option<String>, Option<String>) =
                fetch!(fetch_one, self.tx, sql.as_str(), guid.as_str(), &last)?;
            let (Some(packed), Some(end)) = (packed, end) else {
                return Ok(Some(Snapshot { group, seq, rewritten_seq, at, members }));
            };
            for packed in packed.split('\x1e') {
                let member = unpack(packed)?;
                members.push(Arc::new(match limits.get(member.uid()) {
                    Some(limits) => limits.of(&member),
                    None => member,
                }));
            }
            last = end;
        }
    }

    /// The limited times of members (mutes and temporary scopes), by uid. Few members have any, so they are read
    /// separately.
    async fn limits(&mut self, guid: &Guid) -> Result<HashMap<String, MemberLimits>, StoreError> {
        let mut limits: HashMap<String, MemberLimits> = HashMap::new();
        let mutes: Vec<(String, i64, Option<String>)> =
            fetch!(fetch_all, self.tx, "SELECT uid, until_at, message FROM mutes WHERE guid = $1", guid.as_str())?;
        for (uid, until, message) in mutes {
            limits.entry(uid).or_default().mute = Some((until, message));
        }
        let ends: Vec<(String, i64, i64)> = fetch!(
            fetch_all,
            self.tx,
            "SELECT t.uid, t.lasting_scope, t.until_at FROM temporary_scopes t
             JOIN members m ON m.guid = t.guid AND m.uid = t.uid AND m.scope = t.scope WHERE t.guid = $1",
            guid.as_str()
        )?;
        for (uid, lasting, until) in ends {
            let end = TemporaryScope { lasting: parse_scope(lasting)?, until };
            limits.entry(uid).or_default().temporary = Some(end);
        }
        Ok(limits)
    }

    async fn rewritten_seq(&mut self, guid: &Guid) -> Result<u64, StoreError> {
        let sql = "SELECT rewritten_seq FROM groups WHERE guid = $1";
        let seq: i64 = fetch_scalar!(fetch_one, self.tx, sql, guid.as_str())?;
        Ok(seq as u64)
    }
}

/// The limited times of a member.
#[derive(Default)]
struct MemberLimits {
    /// The end of a mute, and its message.
    mute: Option<(i64, Option<String>)>,
    temporary: Option<TemporaryScope>,
}

impl MemberLimits {
    fn of(&self, member: &Member) -> Member {
        let membership = Membership { temporary: self.temporary, ..member.membership() };
        let muted = self.mute.as_ref().map(|(until, message)| Muted { until: *until, message: message.as_deref() });
        member.with_membership(membership).with_muted(muted)
    }
}

/// The statement that packs a thousand members after a uid into one text. The two databases name the functions
/// that join texts and make characters differently.
static PACKED_BY_SQLITE: LazyLock<String> = LazyLock::new(|| packed_members("group_concat", "char"));
static PACKED_BY_POSTGRES: LazyLock<String> = LazyLock::new(|| packed_members("string_agg", "chr"));

fn packed_members(join: &str, char: &str) -> String {
    format!(
        "SELECT {join}(concat_ws({char}(31), uid, name, sort_key, {}, COALESCE(avatar, '')), {char}(30)), max(uid)
         FROM (SELECT m.uid, u.name, u.sort_key, {}, u.avatar
               FROM members m JOIN users u ON u.uid = m.uid
               WHERE m.guid = $1 AND m.uid > $2 AND m.scope >= 0 ORDER BY m.uid LIMIT 1000) AS page",
        MembershipRow::columns("page"),
        MembershipRow::columns("m")
    )
}

/// A member as [`packed_members`] packs it.
fn unpack(packed: &str) -> Result<Member, StoreError> {
    let mut fields = packed.split('\x1f');
    let mut field = || fields.next().ok_or_else(|| inconsistent("member", packed));
    let (uid, name, sort_key) = (parse_uid(field()?)?, field()?, field()?);
    let membership = MembershipRow::read(|| {
        let text = field()?;
        text.parse().map_err(|_| inconsistent("number of a member", text))
    });
    let membership = membership?.decode()?.ok_or_else(|| inconsistent("member", packed))?;
    let avatar = Some(field()?).filter(|url| !url.is_empty());
    Ok(Member::new(&uid, name, sort_key, avatar, membership))
}
