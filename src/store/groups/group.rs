//! Groups. A group's row is its lock (`lock.rs`), and holds the number of its last event.

use std::sync::LazyLock;

use crate::domain::{Group, GroupType, Guid, Name, Uid};
use crate::store::error::StoreError;
use crate::store::sql::connection::Connection;
use crate::store::sql::decode::{inconsistent, parse_guid, parse_tags, parse_uid, tags_text};
use crate::store::sql::insert::insert_returning;
use crate::store::sql::query::{execute, fetch, fetch_scalar};
use crate::store::sql::table::{OnConflict, selected};
use crate::store::sql::tables::{GROUPS, GroupValues};
use crate::store::transaction::tx::Tx;

/// A group as it is stored, with the hash of its password.
pub struct StoredGroup<'a> {
    /// The group.
    pub group: &'a Group,
    /// Hash of the password of a password group (PHC string).
    pub password_hash: Option<&'a str>,
}

/// The details of a group that the component does not show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupDetails {
    /// A JSON object.
    pub metadata: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// When it was made, Unix milliseconds.
    pub created_at: i64,
    /// When it was last changed, Unix milliseconds.
    pub updated_at: i64,
}

impl Tx<'_> {
    /// The details of a group; `None` when there is no group of that id.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn group_details(&mut self, guid: &Guid) -> Result<Option<GroupDetails>, StoreError> {
        group_details(self.connection.reborrow(), guid).await
    }

    /// Writes the metadata and tags of a group.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn set_group_details(&mut self, guid: &Guid, details: &GroupDetails) -> Result<(), StoreError> {
        execute!(
            self.connection,
            "UPDATE groups SET metadata = $2, tags = $3, updated_at = $4 WHERE guid = $1",
            guid.as_str(),
            details.metadata.as_deref(),
            tags_text(&details.tags),
            self.event_time
        )?;
        Ok(())
    }

    /// Creates a group, or restores a deleted one, whose event numbers continue. Answers the number that its
    /// event will have; `None` when a group of this id exists.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn create_group(
        &mut self,
        new: StoredGroup<'_>,
        details: &GroupDetails,
    ) -> Result<Option<u64>, StoreError> {
        static UPSERT: LazyLock<String> = LazyLock::new(|| {
            GROUPS.upsert(1, &[("seq", OnConflict::Set("groups.seq + 1")), ("rewritten_seq", OnConflict::Keep)])
                + " WHERE groups.deleted_at IS NOT NULL RETURNING seq"
        });
        let (StoredGroup { group, password_hash }, tags) = (new, tags_text(&details.tags));
        let row = GroupValues {
            guid: group.guid.as_str(),
            name: group.name.as_str(),
            r#type: group.group_type.as_str(),
            password: password_hash,
            icon: group.icon.as_deref(),
            description: group.description.as_deref(),
            seq: 1,
            created_at: self.now,
            updated_at: self.now,
            deleted_at: None,
            sync_version: None,
            rewritten_seq: 0,
            metadata: details.metadata.as_deref(),
            tags: &tags,
        };
        let Some(seq) = insert_returning(self.connection.reborrow(), &UPSERT, row).await? else { return Ok(None) };
        // As in [`Tx::lock_group`]: a restored group continues the numbers of the deleted one.
        let last_at = happened_at(self.connection.reborrow(), &group.guid, seq as u64 - 1).await?;
        self.begin_in_group(self.read_clock(), last_at);
        Ok(Some(seq as u64))
    }

    /// Writes the name, type, hash of the password, icon and description of a group.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn update_group(&mut self, new: StoredGroup<'_>) -> Result<(), StoreError> {
        execute!(
            self.connection,
            "UPDATE groups SET name = $2, type = $3, password = $4, icon = $5, description = $6,
             updated_at = $7 WHERE guid = $1",
            new.group.guid.as_str(),
            new.group.name.as_str(),
            new.group.group_type.as_str(),
            new.password_hash,
            new.group.icon.as_deref(),
            new.group.description.as_deref(),
            self.event_time
        )?;
        Ok(())
    }

    /// The owner's uid, if the group has one.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn owner(&mut self, guid: &Guid) -> Result<Option<Uid>, StoreError> {
        owner(self.connection.reborrow(), guid).await
    }

    /// Whether the group has exactly one member.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn has_one_member(&mut self, guid: &Guid) -> Result<bool, StoreError> {
        let members: i64 = fetch_scalar!(
            fetch_one,
            self.connection,
            "SELECT count(*) FROM (SELECT 1 FROM members WHERE guid = $1 AND scope >= 0 LIMIT 2) AS few",
            guid.as_str()
        )?;
        Ok(members == 1)
    }

    /// Sets the number of the last event of a locked group, which appended several.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn advance_seq(&mut self, guid: &Guid, seq: u64) -> Result<(), StoreError> {
        Ok(execute!(self.connection, "UPDATE groups SET seq = $2 WHERE guid = $1", guid.as_str(), seq as i64)?)
    }

    /// Returns the event number that [`Tx::lock_group`] took, when there is no event.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn return_seq(&mut self, guid: &Guid) -> Result<(), StoreError> {
        execute!(self.connection, "UPDATE groups SET seq = seq - 1 WHERE guid = $1", guid.as_str())?;
        Ok(())
    }
}

/// The details of a group; `None` when there is no group of that id.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
pub(in crate::store) async fn group_details(
    mut on: Connection<'_>,
    guid: &Guid,
) -> Result<Option<GroupDetails>, StoreError> {
    let row: Option<DetailsRow> = fetch!(
        fetch_optional,
        on,
        "SELECT metadata, tags, created_at, updated_at FROM groups WHERE guid = $1",
        guid.as_str()
    )?;
    Ok(row.map(DetailsRow::decode))
}

/// The owner's uid, if there is such a group and it has one.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read, [`StoreError::Inconsistent`] when what is stored is not a uid.
pub(in crate::store) async fn owner(mut on: Connection<'_>, guid: &Guid) -> Result<Option<Uid>, StoreError> {
    let uid: Option<String> =
        fetch_scalar!(fetch_optional, on, "SELECT uid FROM members WHERE guid = $1 AND scope = 3", guid.as_str())?;
    uid.as_deref().map(parse_uid).transpose()
}

/// The number of members of a group.
///
/// # Errors
/// [`StoreError::Unavailable`] when the database cannot be read.
pub(in crate::store) async fn members_count(mut on: Connection<'_>, guid: &Guid) -> Result<u64, StoreError> {
    let sql = "SELECT count(*) FROM members WHERE guid = $1 AND scope >= 0";
    let count: i64 = fetch_scalar!(fetch_one, on, sql, guid.as_str())?;
    Ok(count as u64)
}

/// When an event happened, Unix milliseconds; `None` when the log does not have it.
///
/// # Errors
/// [`StoreError::Unavailable`] when it cannot be read.
pub(in crate::store) async fn happened_at(
    mut on: Connection<'_>,
    guid: &Guid,
    seq: u64,
) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT at FROM events WHERE guid = $1 AND seq = $2";
    Ok(fetch_scalar!(fetch_optional, on, sql, guid.as_str(), seq as i64)?)
}

selected! {
    /// The details of a group, as stored. Times in Unix milliseconds.
    pub(in crate::store) struct DetailsRow {
        metadata: Option<String>,
        tags: String,
        created_at: i64,
        updated_at: i64,
    }
}

impl DetailsRow {
    /// The details.
    pub(in crate::store) fn decode(self) -> GroupDetails {
        let DetailsRow { metadata, tags, created_at, updated_at } = self;
        GroupDetails { metadata, tags: parse_tags(&tags), created_at, updated_at }
    }
}

selected! {
    /// A group as stored.
    pub(in crate::store) struct GroupRow {
        pub(in crate::store) guid: String,
        pub(in crate::store) name: String,
        r#type: String,
        icon: Option<String>,
        description: Option<String>,
    }
}

impl GroupRow {
    /// The group.
    ///
    /// # Errors
    /// [`StoreError::Inconsistent`] when the domain refuses one of the columns.
    pub(in crate::store) fn decode(self) -> Result<Group, StoreError> {
        Ok(Group {
            guid: parse_guid(&self.guid)?,
            name: Name::parse(&self.name).map_err(|_| inconsistent("name of a group", &self.guid))?,
            group_type: self.r#type.parse::<GroupType>().map_err(|()| inconsistent("type of a group", &self.r#type))?,
            icon: self.icon,
            description: self.description,
        })
    }
}

/// A group's row with the number of its last event.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct HeadRow {
    pub(in crate::store) seq: i64,
    pub(in crate::store) rewritten_seq: i64,
    pub(in crate::store) deleted_at: Option<i64>,
    #[sqlx(flatten)]
    pub(in crate::store) group: GroupRow,
}

impl HeadRow {
    /// A statement that selects groups with their last event; `rest` follows the alias `g`.
    pub(in crate::store) fn select(rest: &str) -> String {
        format!("SELECT {}, g.seq, g.rewritten_seq, g.deleted_at FROM groups g {rest}", GroupRow::columns("g"))
    }
}
