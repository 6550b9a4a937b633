//! Lists who is banned or muted in a group, and says whether any limit has ended.

use std::sync::LazyLock;

use super::person_rows::{ProfileRow, RestrictedRow, RestrictionRow};
use crate::domain::{Guid, Restriction, RestrictionPlace, Search};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::sql::in_force::in_force;
use crate::store::sql::query::{fetch, fetch_scalar};

/// The two kinds of restrictions, which are listed alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestrictionKind {
    /// Bans: people who may not come in.
    Ban,
    /// Mutes: people who may not speak.
    Mute,
}

/// Where a page of bans or mutes begins.
#[derive(Debug, Clone, Copy)]
pub enum RestrictionsFrom<'a> {
    /// After so many.
    Offset(usize),
    /// Behind a place, which stays where it is when others end.
    Behind(&'a RestrictionPlace),
}

impl RestrictionsFrom<'_> {
    /// The number of those that are skipped behind the place.
    fn offset(self) -> usize {
        match self {
            RestrictionsFrom::Offset(offset) => offset,
            RestrictionsFrom::Behind(_) => 0,
        }
    }

    /// The moment and the uid of the place; without one, of a place before everybody.
    fn place(&self) -> (i64, &str) {
        match self {
            RestrictionsFrom::Offset(_) => (i64::MAX, ""),
            RestrictionsFrom::Behind(place) => (place.at, place.uid.as_str()),
        }
    }

    /// Whether the place is before this ban or mute.
    fn is_before(self, one: &Restriction) -> bool {
        match self {
            RestrictionsFrom::Offset(_) => true,
            RestrictionsFrom::Behind(place) => one.is_behind(place),
        }
    }
}

impl Reader {
    /// Whether any ban, mute or scope has ended and is not taken back yet.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn any_ended(&mut self) -> Result<bool, StoreError> {
        let ended: i64 = fetch_scalar!(
            fetch_one,
            self.tx,
            "SELECT CASE WHEN EXISTS (SELECT 1 FROM bans WHERE until_at <= $1)
                      OR EXISTS (SELECT 1 FROM mutes WHERE until_at <= $1)
                      OR EXISTS (SELECT 1 FROM temporary_scopes WHERE until_at <= $1)
               THEN CAST(1 AS BIGINT) ELSE 0 END",
            self.now
        )?;
        Ok(ended != 0)
    }

    /// The number of bans or mutes in force that a search finds, and `limit` of them from there on, newest first.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn restrictions(
        &mut self,
        kind: RestrictionKind,
        guid: &Guid,
        search: &Search,
        from: RestrictionsFrom<'_>,
        limit: usize,
    ) -> Result<(usize, Vec<Restriction>), StoreError> {
        if search.is_empty() {
            let count: i64 = fetch_scalar!(
                fetch_one,
                self.tx,
                match kind {
                    RestrictionKind::Ban => {
                        concat!("SELECT count(*) FROM bans WHERE guid = $1 AND ", in_force!("until_at", "$2"))
                    }
                    RestrictionKind::Mute => "SELECT count(*) FROM mutes WHERE guid = $1 AND until_at > $2",
                },
                guid.as_str(),
                self.now
            )?;
            return Ok((count as usize, self.restrictions_in_force(kind, guid, from, limit).await?));
        }
        // Names are compared as people search, which no database does.
        let found: Vec<Restriction> =
            self.restrictions_in_force(kind, guid, RestrictionsFrom::Offset(0), usize::MAX).await?;
        let found: Vec<Restriction> = found.into_iter().filter(|one| one.is_found(search)).collect();
        let count = found.len();
        let behind = found.into_iter().filter(|one| from.is_before(one));
        Ok((count, behind.skip(from.offset()).take(limit).collect()))
    }

    /// `limit` bans or mutes in force from there on, newest first.
    ///
    /// # Errors
    /// See [`Reader`].
    pub(in crate::store) async fn restrictions_in_force(
        &mut self,
        kind: RestrictionKind,
        guid: &Guid,
        from: RestrictionsFrom<'_>,
        limit: usize,
    ) -> Result<Vec<Restriction>, StoreError> {
        static BANS: LazyLock<String> = LazyLock::new(|| select_restrictions("bans"));
        static MUTES: LazyLock<String> = LazyLock::new(|| select_restrictions("mutes"));
        let sql = match kind {
            RestrictionKind::Ban => BANS.as_str(),
            RestrictionKind::Mute => MUTES.as_str(),
        };
        let most = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let (limit, offset, (at, uid)) = (most(limit), most(from.offset()), from.place());
        let rows: Vec<RestrictedRow> =
            fetch!(fetch_all, self.tx, sql, guid.as_str(), self.now, limit, offset, at, uid)?;
        rows.into_iter().map(RestrictedRow::decode).collect()
    }
}

/// The statement that selects [`RestrictedRow`]s in force. A mute always ends.
fn select_restrictions(table: &str) -> String {
    format!(
        "SELECT r.uid, {}, {} FROM {table} r LEFT JOIN users u ON u.uid = r.uid
         WHERE r.guid = $1 AND {} AND (r.at < $5 OR (r.at = $5 AND r.uid > $6))
         ORDER BY r.at DESC, r.uid LIMIT $3 OFFSET $4",
        ProfileRow::columns("u"),
        RestrictionRow::columns("r"),
        in_force!("r.until_at", "$2")
    )
}
