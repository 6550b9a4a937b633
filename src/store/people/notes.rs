//! Notes of staff about people of a group.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::domain::{Guid, MAX_NOTES, PersonNote, Uid};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::sql::decode::parse_uid;
use crate::store::sql::insert::insert;
use crate::store::sql::query::{MOST_AT_ONCE, dynamic, execute, fetch, fetch_scalar, placeholders};
use crate::store::sql::tables::{NOTES, NoteValues};
use crate::store::transaction::tx::Tx;

impl Tx<'_> {
    /// Adds a note about this person; its number is that of the event that adds it.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn insert_note(&mut self, guid: &Guid, uid: &Uid, note: &PersonNote) -> Result<(), StoreError> {
        static INSERT: LazyLock<String> = LazyLock::new(|| NOTES.insert(1));
        let row = NoteValues {
            guid: guid.as_str(),
            uid: uid.as_str(),
            seq: note.id as i64,
            text: &note.text,
            by_uid: note.by.as_str(),
            at: note.at,
        };
        insert(self.connection.reborrow(), &INSERT, [row]).await
    }

    /// Deletes a note.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn delete_note(&mut self, guid: &Guid, uid: &Uid, id: u64) -> Result<(), StoreError> {
        let sql = "DELETE FROM notes WHERE guid = $1 AND uid = $2 AND seq = $3";
        execute!(self.connection, sql, guid.as_str(), uid.as_str(), id as i64)?;
        Ok(())
    }

    /// The author of this note; `None` when there is no such note about this person.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn author_of_note(&mut self, guid: &Guid, uid: &Uid, id: u64) -> Result<Option<Uid>, StoreError> {
        let sql = "SELECT by_uid FROM notes WHERE guid = $1 AND uid = $2 AND seq = $3";
        let by: Option<String> =
            fetch_scalar!(fetch_optional, self.connection, sql, guid.as_str(), uid.as_str(), id as i64)?;
        by.as_deref().map(parse_uid).transpose()
    }

    /// The number of notes about this person.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn notes_count(&mut self, guid: &Guid, uid: &Uid) -> Result<usize, StoreError> {
        let sql = "SELECT count(*) FROM notes WHERE guid = $1 AND uid = $2";
        let count: i64 = fetch_scalar!(fetch_one, self.connection, sql, guid.as_str(), uid.as_str())?;
        Ok(count as usize)
    }

    /// The number of notes about each of these people; people without notes are left out.
    ///
    /// # Errors
    /// See [`Tx`].
    pub async fn notes_counts(&mut self, guid: &Guid, uids: &[Uid]) -> Result<HashMap<Uid, usize>, StoreError> {
        let mut counts = HashMap::new();
        for uids in uids.chunks(MOST_AT_ONCE) {
            let places = placeholders(1, uids.len());
            let sql = format!("SELECT uid, count(*) FROM notes WHERE guid = ? AND uid IN {places} GROUP BY uid");
            let rows: Vec<(String, i64)> = dynamic!(fetch_all, self.connection, sql, query, {
                query = query.bind(guid.as_str());
                for uid in uids {
                    query = query.bind(uid.as_str());
                }
            })?;
            for (uid, count) in rows {
                counts.insert(parse_uid(&uid)?, count as usize);
            }
        }
        Ok(counts)
    }
}

impl Reader {
    /// The notes about this person, newest first: all of them, since they are few.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn notes(&mut self, guid: &Guid, uid: &Uid) -> Result<Vec<PersonNote>, StoreError> {
        let rows: Vec<NoteRow> = fetch!(
            fetch_all,
            self.tx,
            "SELECT n.seq, n.text, n.by_uid, u.name, n.at FROM notes n LEFT JOIN users u ON u.uid = n.by_uid
             WHERE n.guid = $1 AND n.uid = $2 ORDER BY n.seq DESC LIMIT $3",
            guid.as_str(),
            uid.as_str(),
            MAX_NOTES as i64
        )?;
        rows.into_iter().map(NoteRow::decode).collect()
    }
}

#[derive(sqlx::FromRow)]
struct NoteRow {
    seq: i64,
    text: String,
    by_uid: String,
    name: Option<String>,
    at: i64,
}

impl NoteRow {
    fn decode(self) -> Result<PersonNote, StoreError> {
        let NoteRow { seq, text, by_uid, name, at } = self;
        Ok(PersonNote { id: seq as u64, text, by: parse_uid(&by_uid)?, by_name: name, at })
    }
}
