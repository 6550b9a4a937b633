//! A whole group at once.

use std::sync::Arc;

use super::db::{Connection, ask};
use super::error::StoreError;
use super::reader::Reader;
use super::tx::{bad, parse, scope};
use crate::domain::{Group, Guid, Member};

/// A thousand members after a uid as one text, see [`Reader::snapshot`]; the two databases have
/// other names for what joins texts and for what makes a character.
macro_rules! packing {
    ($join:literal, $char:literal) => {
        concat!(
            "SELECT ",
            $join,
            "(concat_ws(",
            $char,
            "(31), uid, name, sort_key, scope, joined_at, seq,
               COALESCE(avatar, '')), ",
            $char,
            "(30)), max(uid)
             FROM (SELECT m.uid, u.name, u.sort_key, m.scope, m.joined_at, m.seq, u.avatar
                   FROM members m JOIN users u ON u.uid = m.uid
                   WHERE m.guid = $1 AND m.uid > $2 ORDER BY m.uid LIMIT 1000) AS page"
        )
    };
}

/// A group as it is, with all of its members in no order.
pub struct Snapshot {
    /// The group.
    pub group: Group,
    /// The last event it includes.
    pub seq: u64,
    /// When that happened, milliseconds since the epoch; 0 when the log does not know (any more).
    pub at: i64,
    /// Everybody in it.
    pub members: Vec<Arc<Member>>,
}

impl Reader {
    /// The group with everybody in it.
    ///
    /// A row that is handed over costs more than reading it, so that the database packs a thousand
    /// members into one: fields end with unit separators, members with record separators, which
    /// are control characters and so in no id, name, key or URL of ours.
    pub async fn snapshot(&mut self, guid: &Guid) -> Result<Option<Snapshot>, StoreError> {
        let Some((group, seq)) = self.group(guid).await? else { return Ok(None) };
        let at = self.happened_at(guid, seq).await?.unwrap_or(0);
        let mut members = Vec::with_capacity(self.members_count(guid).await? as usize);
        let packing = match self.view.lend() {
            Connection::Sqlite(_) => packing!("group_concat", "char"),
            Connection::Postgres(_) => packing!("string_agg", "chr"),
        };
        let mut last = String::new();
        loop {
            let (packed, end): (Option<String>, Option<String>) =
                ask!(fetch_one, self.view, packing, guid.as_str(), &last)?;
            let (Some(packed), Some(end)) = (packed, end) else {
                return Ok(Some(Snapshot { group, seq, at, members }));
            };
            for packed in packed.split('\x1e') {
                members.push(unpacked(packed)?);
            }
            last = end;
        }
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
