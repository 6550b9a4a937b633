//! How a membership is written and read as the columns of `members`.

use std::sync::LazyLock;

use crate::domain::{Guid, Member, Membership};
use crate::store::error::StoreError;
use crate::store::sql::decode::parse_scope;
use crate::store::sql::table::OnConflict;
use crate::store::sql::tables::{MEMBERS, MemberValues, MembershipRow};

/// A stored row with a negative scope is hidden: a sync has prepared it, and the person has not joined yet.
const JOINED_AT: &str = "CASE WHEN members.scope < 0 THEN excluded.joined_at ELSE members.joined_at END";

/// The statement that inserts a membership, or changes it; only when it began stays as it is.
pub(super) static UPSERT: LazyLock<String> =
    LazyLock::new(|| MEMBERS.upsert(1, &[("joined_at", OnConflict::Set(JOINED_AT))]));

impl<'r> MemberValues<'r> {
    /// A member as they are stored.
    pub(super) fn encode(guid: &'r Guid, member: &'r Member) -> MemberValues<'r> {
        let Membership { scope, joined_at, seq, temporary: _ } = member.membership();
        MemberValues { guid: guid.as_str(), uid: member.uid(), scope: scope.number(), joined_at, seq: seq as i64 }
    }
}

impl MembershipRow {
    /// The stored membership; `None` for somebody who is no member.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when no scope has the stored number.
    pub(in crate::store) fn decode(self) -> Result<Option<Membership>, StoreError> {
        let MembershipRow { scope: Some(scope), joined_at: Some(joined_at), seq: Some(seq) } = self else {
            return Ok(None);
        };
        Ok(Some(Membership { scope: parse_scope(scope)?, joined_at, seq: seq as u64, temporary: None }))
    }
}
