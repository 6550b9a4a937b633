//! Users, whom the host application reports.

use std::sync::LazyLock;

use sqlx::AssertSqlSafe;

use super::person::{Person, Profile};
use super::person_rows::ProfileRow;
use crate::domain::{Guid, Name, Uid, sort_key};
use crate::store::error::StoreError;
use crate::store::sql::connection::Connection;
use crate::store::sql::decode::{parse_guid, parse_tags, parse_uid, tags_text};
use crate::store::sql::insert::{insert, insert_returning};
use crate::store::sql::query::{execute, fetch, fetch_scalar};
use crate::store::sql::sync_states::{phase, state};
use crate::store::sql::table::{OnConflict, selected};
use crate::store::sql::tables::{USERS, UserValues};
use crate::store::transaction::tx::Tx;

/// A user that the host application has reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Their id.
    pub uid: Uid,
    /// Their name as given.
    pub name: String,
    /// Their picture, a URL.
    pub avatar: Option<String>,
    /// When they were first reported, Unix milliseconds.
    pub created_at: i64,
    /// When they were last changed, Unix milliseconds.
    pub updated_at: i64,
    /// The user's details that the component does not show.
    pub details: UserDetails,
}

/// The details of a user that the component does not show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserDetails {
    /// Their role in the host's application.
    pub role: Option<String>,
    /// The address of their page there.
    pub link: Option<String>,
    /// Their own status message.
    pub status_message: Option<String>,
    /// A JSON object.
    pub metadata: Option<String>,
    /// Words to find them by.
    pub tags: Vec<String>,
}

/// Columns that an upsert of a name and a picture leaves as they are.
const KEPT: [(&str, OnConflict); 6] = [
    ("created_at", OnConflict::Keep),
    ("role", OnConflict::Keep),
    ("link", OnConflict::Keep),
    ("status_message", OnConflict::Keep),
    ("metadata", OnConflict::Keep),
    ("tags", OnConflict::Keep),
];

impl<'r> UserValues<'r> {
    /// A new user without details. `at` in Unix milliseconds.
    fn new(uid: &'r Uid, (name, sort_key): (&'r Name, &'r str), avatar: Option<&'r str>, at: i64) -> UserValues<'r> {
        UserValues {
            uid: uid.as_str(),
            name: name.as_str(),
            avatar,
            sort_key,
            created_at: at,
            updated_at: at,
            role: None,
            link: None,
            status_message: None,
            metadata: None,
            tags: "[]",
        }
    }
}

impl Tx<'_> {
    /// The user, if stored.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn user(&mut self, uid: &Uid) -> Result<Option<User>, StoreError> {
        user(self.connection.reborrow(), uid).await
    }

    /// Waits for acts that are making this person a member of a group, and has later ones wait for this one. Nothing on SQLite, where
    /// one transaction writes at a time. Not for a transaction that locks several people: a sync does so afterwards, for one at a time.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn lock_user(&mut self, uid: &Uid) -> Result<(), StoreError> {
        if let Connection::Postgres(_) = self.connection {
            // Stronger than what the update takes: it also excludes the check of a foreign key.
            execute!(self.connection, "SELECT 1 FROM users WHERE uid = $1 FOR UPDATE", uid.as_str())?;
        }
        Ok(())
    }

    /// Like [`Tx::user`], once the changes of this user that are under way are committed; later ones wait for this one. Takes the lock
    /// of an update, which whoever makes them a member does not wait for. Nothing is locked on SQLite, where one transaction writes at
    /// a time.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn user_to_change(&mut self, uid: &Uid) -> Result<Option<User>, StoreError> {
        if let Connection::Postgres(_) = self.connection {
            execute!(self.connection, "SELECT 1 FROM users WHERE uid = $1 FOR NO KEY UPDATE", uid.as_str())?;
        }
        self.user(uid).await
    }

    /// The name and picture of somebody who was just made a member: another may have been committed since they were read. `None` on
    /// SQLite, where none can.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn profile_committed_since(&mut self, uid: &Uid) -> Result<Option<Profile>, StoreError> {
        let Connection::Postgres(_) = self.connection else { return Ok(None) };
        let row: Option<ProfileRow> = fetch!(
            fetch_optional,
            self.connection,
            "SELECT name, avatar, sort_key FROM users WHERE uid = $1 FOR KEY SHARE",
            uid.as_str()
        )?;
        Ok(row.and_then(ProfileRow::decode))
    }

    /// Inserts a user; `false` when one of this id is stored. Another insert of the same one at the same time waits here for this
    /// transaction.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn insert_user(&mut self, uid: &Uid, name: &Name, avatar: Option<&str>) -> Result<bool, StoreError> {
        static INSERT: LazyLock<String> =
            LazyLock::new(|| USERS.insert(1) + " ON CONFLICT (uid) DO NOTHING RETURNING created_at");
        let sort_key = sort_key(name.as_str());
        let row = UserValues::new(uid, (name, &sort_key), avatar, self.now);
        Ok(insert_returning(self.connection.reborrow(), &INSERT, row).await?.is_some())
    }

    /// Inserts a user, or replaces name and picture of a stored one.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn upsert_user(&mut self, uid: &Uid, name: &Name, avatar: Option<&str>) -> Result<(), StoreError> {
        static UPSERT: LazyLock<String> = LazyLock::new(|| USERS.upsert(1, &KEPT));
        let sort_key = sort_key(name.as_str());
        let row = UserValues::new(uid, (name, &sort_key), avatar, self.now);
        insert(self.connection.reborrow(), &UPSERT, [row]).await
    }

    /// Writes what else the host keeps with a stored user.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn set_user_details(&mut self, uid: &Uid, details: &UserDetails) -> Result<(), StoreError> {
        execute!(
            self.connection,
            "UPDATE users SET role = $2, link = $3, status_message = $4, metadata = $5, tags = $6, updated_at = $7
             WHERE uid = $1",
            uid.as_str(),
            details.role.as_deref(),
            details.link.as_deref(),
            details.status_message.as_deref(),
            details.metadata.as_deref(),
            tags_text(&details.tags),
            self.now
        )?;
        Ok(())
    }

    /// Deletes a user who is a member of no group.
    ///
    /// # Errors
    /// See [`Tx`]; [`StoreError::Unavailable`] as well when they are a member of a group.
    pub async fn remove_user(&mut self, uid: &Uid) -> Result<(), StoreError> {
        self.forget_prepared(uid).await?;
        Ok(execute!(self.connection, "DELETE FROM users WHERE uid = $1", uid.as_str())?)
    }

    /// The groups a user is in, sorted by id so that all acts lock them in the same order.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn groups_of(&mut self, uid: &Uid) -> Result<Vec<Guid>, StoreError> {
        groups_of(self.connection.reborrow(), uid).await
    }

    /// Marks a membership as changed by the event `seq`, so that its row is rendered again.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn touch_member(&mut self, guid: &Guid, uid: &Uid, seq: u64) -> Result<Person, StoreError> {
        execute!(
            self.connection,
            "UPDATE members SET seq = $3 WHERE guid = $1 AND uid = $2 AND scope >= 0",
            guid.as_str(),
            uid.as_str(),
            seq as i64
        )?;
        self.person(guid, uid).await
    }
}

/// The groups that somebody is in, in the order of their ids.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read, [`StoreError::Inconsistent`] when what is stored is not a guid.
pub(in crate::store) async fn groups_of(mut on: Connection<'_>, uid: &Uid) -> Result<Vec<Guid>, StoreError> {
    let sql = "SELECT guid FROM members WHERE uid = $1 AND scope >= 0 ORDER BY guid";
    let rows: Vec<String> = fetch_scalar!(fetch_all, on, sql, uid.as_str())?;
    rows.iter().map(|guid| parse_guid(guid)).collect()
}

/// The user, if stored.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read, [`StoreError::Inconsistent`] when what is stored is not a uid.
pub(in crate::store) async fn user(mut on: Connection<'_>, uid: &Uid) -> Result<Option<User>, StoreError> {
    let sql = UserRow::select(&on, "WHERE uid = $1");
    let row: Option<UserRow> = fetch!(fetch_optional, on, AssertSqlSafe(sql.as_str()), uid.as_str())?;
    row.map(UserRow::decode).transpose()
}

/// The uids of users whom a sync has inserted (`sync/prepare.rs`) that is not applied so far, or never will be. Nobody
/// has changed them or made them a member since: they are no users yet, and `Tx::undo_preparation` deletes them.
macro_rules! prepared_users {
    () => {
        concat!(
            "SELECT p.uid FROM syncs JOIN sync_rows s ON s.sync = syncs.sync JOIN users p ON p.uid = s.uid
             WHERE syncs.phase <> ",
            phase!(Applied),
            " AND s.state = ",
            state!(UserInserted),
            " AND p.created_at = p.updated_at
               AND NOT EXISTS (SELECT 1 FROM members m WHERE m.uid = p.uid AND m.scope >= 0)"
        )
    };
}

pub(in crate::store) use prepared_users;

/// How many users there are.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
pub(in crate::store) async fn count_users(mut on: Connection<'_>) -> Result<u64, StoreError> {
    let sql = match &on {
        Connection::Sqlite(_) => concat!(
            "SELECT (SELECT count(*) FROM users) - (SELECT count(*) FROM (",
            prepared_users!(),
            ") AS prepared)"
        ),
        Connection::Postgres(_) => "SELECT count(*) FROM users",
    };
    let count: i64 = fetch_scalar!(fetch_one, on, sql)?;
    Ok(count as u64)
}

selected! {
    /// A user as stored. Times in Unix milliseconds.
    pub(in crate::store) struct UserRow {
        pub(in crate::store) uid: String,
        pub(in crate::store) name: String,
        avatar: Option<String>,
        created_at: i64,
        updated_at: i64,
        role: Option<String>,
        link: Option<String>,
        status_message: Option<String>,
        metadata: Option<String>,
        tags: String,
    }
}

impl UserRow {
    /// A statement that selects users; `rest` follows the table's name.
    pub(in crate::store) fn select(on: &Connection<'_>, rest: &str) -> String {
        let users = match on {
            Connection::Sqlite(_) => concat!(
                "(SELECT * FROM users WHERE NOT EXISTS (SELECT 1 FROM (",
                prepared_users!(),
                ") AS prepared WHERE prepared.uid = users.uid)) AS users"
            ),
            // A sync inserts nobody before it is applied, and a standby has no rows of syncs.
            Connection::Postgres(_) => "users",
        };
        format!("SELECT {} FROM {users} {rest}", UserRow::columns("users"))
    }

    /// The user.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when what is stored is not a uid.
    pub(in crate::store) fn decode(self) -> Result<User, StoreError> {
        let UserRow { uid, name, avatar, created_at, updated_at, role, link, status_message, metadata, tags } = self;
        let details = UserDetails { role, link, status_message, metadata, tags: parse_tags(&tags) };
        Ok(User { uid: parse_uid(&uid)?, name, avatar, created_at, updated_at, details })
    }
}
