//! A person of an event, as the feed reads them: what is known of them, the columns it is read from, and the statement
//! that selects these.

use crate::domain::{Scope, Uid};
use crate::store::error::StoreError;
use crate::store::sql::decode::{parse_scope, parse_uid};

/// A person whom an event touched.
#[derive(Debug, Clone)]
pub struct FeedPerson {
    /// The person.
    pub uid: Uid,
    /// Their present name, or the one they had when there is none; the uid of somebody without a name.
    pub name: String,
    /// Their picture, a URL.
    pub avatar: Option<String>,
    /// Their role in the host's application.
    pub role: String,
    /// Their scope before; `None` when they were not a member.
    pub old: Option<Scope>,
    /// Their scope after; `None` when they are not a member.
    pub new: Option<Scope>,
    /// When they became a member, Unix seconds.
    pub joined_at: Option<i64>,
}

/// A touched member as [`people`] selects them.
#[derive(sqlx::FromRow)]
pub(super) struct TouchedRow {
    seq: i64,
    uid: String,
    old_scope: Option<i64>,
    new_scope: Option<i64>,
    name: Option<String>,
    avatar: Option<String>,
    role: String,
    joined_at: Option<i64>,
}

impl TouchedRow {
    /// The person, with the number of the event.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(super) fn decode(self) -> Result<(u64, FeedPerson), StoreError> {
        let scope = |stored: Option<i64>| stored.map(parse_scope).transpose();
        let person = FeedPerson {
            uid: parse_uid(&self.uid)?,
            name: self.name.unwrap_or(self.uid),
            avatar: self.avatar,
            role: self.role,
            old: scope(self.old_scope)?,
            new: scope(self.new_scope)?,
            joined_at: self.joined_at,
        };
        Ok((self.seq as u64, person))
    }
}

/// A statement that selects [`TouchedRow`]s; `rest` follows the alias `t` of touched members.
pub(super) fn people(rest: &str) -> String {
    let (joins, filter) = rest.split_at(rest.find("WHERE").unwrap_or(0));
    format!(
        "SELECT t.seq, t.uid, t.old_scope, t.new_scope, COALESCE(u.name, t.name) AS name,
           CASE WHEN u.uid IS NULL THEN t.avatar ELSE u.avatar END AS avatar,
           COALESCE(u.role, 'default') AS role,
           CASE WHEN t.new_scope IS NULL THEN t.joined_at ELSE COALESCE(t.joined_at, m.joined_at) END AS joined_at
         FROM touched t {joins}
         LEFT JOIN users u ON u.uid = t.uid
         LEFT JOIN members m ON m.guid = t.guid AND m.uid = t.uid AND m.scope >= 0 {filter}"
    )
}
