//! The scopes of people on their way into a group: said by the list, kept, or ended meanwhile.

use super::staging::StagingId;
use crate::domain::{Scope, Uid};
use crate::store::error::StoreError;
use crate::store::sql::decode::parse_scope;
use crate::store::sql::query::{execute, fetch_scalar};
use crate::store::sql::sync_states::state;
use crate::store::transaction::tx::Tx;

/// The scope of a row of `sync_rows` (`$row`) whose member keeps their scope, in the group `$guid`.
macro_rules! kept_scope {
    ($row:literal, $guid:literal) => {
        concat!(
            "COALESCE((SELECT k.scope FROM members k WHERE k.guid = ",
            $guid,
            " AND k.uid = ",
            $row,
            ".uid AND k.scope >= 0), 0)"
        )
    };
}

pub(super) use kept_scope;

impl Tx<'_> {
    /// The scope that somebody is listed with; `None` also for somebody who keeps theirs.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn staged_scope(&mut self, id: StagingId, uid: &Uid) -> Result<Option<Scope>, StoreError> {
        let sql = "SELECT scope FROM sync_rows WHERE sync = $1 AND uid = $2 AND keeps_scope = 0";
        let scope: Option<i64> = fetch_scalar!(fetch_optional, self.connection, sql, id.0, uid.as_str())?;
        scope.map(parse_scope).transpose()
    }

    /// Gives somebody who is staged another scope, and has them applied.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn restage(&mut self, id: StagingId, uid: &Uid, scope: Scope) -> Result<(), StoreError> {
        let sql = concat!(
            "UPDATE sync_rows SET scope = $3, keeps_scope = 0, state = ",
            state!(ToApply),
            " WHERE sync = $1 AND uid = $2"
        );
        Ok(execute!(self.connection, sql, id.0, uid.as_str(), scope.number())?)
    }

    /// Whether somebody is listed without a scope.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn keeps_scope(&mut self, id: StagingId, uid: &Uid) -> Result<bool, StoreError> {
        let sql = "SELECT count(*) FROM sync_rows WHERE sync = $1 AND uid = $2 AND keeps_scope = 1 AND scope >= 0";
        let kept: i64 = fetch_scalar!(fetch_one, self.connection, sql, id.0, uid.as_str())?;
        Ok(kept != 0)
    }
}
