//! Everything that is stored about one person, table by table, in pages: each page begins after the last row of the
//! previous one.

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::domain::{Scope, Uid, rfc3339};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::idempotency::{KeyRow, NO_GROUP, keys_after};
use crate::store::sql::query::fetch;

/// Rows of a page.
const PAGE: i64 = 500;

/// A membership.
#[derive(Debug, Serialize, sqlx::FromRow, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportedMembership {
    guid: String,
    #[serde(serialize_with = "scope")]
    #[schema(value_type = Option<Scope>)]
    scope: Option<i64>,
    /// Unix time, in seconds.
    joined_at: i64,
    /// When the scope ends; null of one that lasts.
    #[serde(serialize_with = "optional_time")]
    #[schema(value_type = Option<String>)]
    scope_until: Option<i64>,
    /// The scope after that.
    #[serde(serialize_with = "scope")]
    #[schema(value_type = Option<Scope>)]
    lasting_scope: Option<i64>,
}

/// A ban or mute of the person, or by them.
#[derive(Debug, Serialize, sqlx::FromRow, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportedRestriction {
    guid: String,
    uid: String,
    reason: Option<String>,
    message: Option<String>,
    #[serde(rename = "until", serialize_with = "optional_time")]
    #[schema(value_type = Option<String>)]
    until_at: Option<i64>,
    #[serde(rename = "by")]
    by_uid: Option<String>,
    #[serde(serialize_with = "time")]
    #[schema(value_type = String)]
    at: i64,
}

/// A note about the person, or by them.
#[derive(Debug, Serialize, sqlx::FromRow, ToSchema)]
pub struct ExportedNote {
    guid: String,
    uid: String,
    #[serde(rename = "id")]
    seq: i64,
    text: String,
    #[serde(rename = "by")]
    by_uid: String,
    #[serde(serialize_with = "time")]
    #[schema(value_type = String)]
    at: i64,
}

/// An event.
#[derive(Debug, Serialize, sqlx::FromRow, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportedEvent {
    guid: String,
    seq: i64,
    kind: String,
    #[serde(serialize_with = "time")]
    #[schema(value_type = String)]
    at: i64,
    #[serde(rename = "by")]
    by_uid: Option<String>,
    by_name: Option<String>,
    reason: Option<String>,
    message: Option<String>,
    #[serde(rename = "until", serialize_with = "optional_time")]
    #[schema(value_type = Option<String>)]
    until_at: Option<i64>,
    cause: Option<String>,
    undoes: Option<i64>,
    batch: Option<i64>,
}

/// An event that touched the person, with its data about them.
#[derive(Debug, Serialize, sqlx::FromRow, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportedTouch {
    #[serde(flatten)]
    #[sqlx(flatten)]
    event: ExportedEvent,
    #[serde(rename = "old", serialize_with = "scope")]
    #[schema(value_type = Option<Scope>)]
    old_scope: Option<i64>,
    #[serde(rename = "new", serialize_with = "scope")]
    #[schema(value_type = Option<Scope>)]
    new_scope: Option<i64>,
    name: Option<String>,
    avatar: Option<String>,
    joined_at: Option<i64>,
    old_joined_at: Option<i64>,
    #[serde(serialize_with = "json_text")]
    #[schema(value_type = Option<Object>)]
    old_restrictions: Option<String>,
    #[serde(serialize_with = "json_text")]
    #[schema(value_type = Option<Object>)]
    new_restrictions: Option<String>,
}

/// An idempotency key that the person used, or that names them or stands for a request that does.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportedKey<'a> {
    /// Null for calls that belong to no group.
    guid: Option<&'a str>,
    /// Null for the host.
    by: Option<&'a str>,
    key: &'a str,
    act: &'a str,
    #[serde(serialize_with = "time")]
    #[schema(value_type = String)]
    at: i64,
}

/// An event about the person alone that is kept for webhooks until every endpoint has it: their status.
#[derive(Debug, Serialize, sqlx::FromRow, ToSchema)]
pub struct ExportedOutboxEvent {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(serialize_with = "time")]
    #[schema(value_type = String)]
    at: i64,
    #[serde(serialize_with = "json")]
    #[schema(value_type = Object)]
    data: String,
}

/// The tables of an export, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum ExportTable {
    /// The groups that the person is in.
    Memberships,
    /// Bans of the person, and by them.
    Bans,
    /// Mutes of the person, and by them.
    Mutes,
    /// Notes about the person, and by them.
    Notes,
    /// Events that touched the person.
    Events,
    /// Events that the person did.
    Acts,
    /// Idempotency keys that the person used, or that name them or stand for a request that does.
    IdempotencyKeys,
    /// Events about the person alone that are kept for webhooks.
    Outbox,
}

impl ExportTable {
    /// The name of its field in the export.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The columns by which the rows of a table are ordered, as many of them as it has.
pub(in crate::store) type ExportPlace = [String; 3];

/// A page of a table: its rows as JSON, and the place after which the next page begins; no rows at the end.
#[derive(Debug, Default)]
pub struct ExportPage {
    /// The rows, each an object.
    pub rows: Vec<String>,
    /// The place of the last row.
    pub last: ExportPlace,
}

impl Reader {
    /// The rows of a table about this person after a place; the first place is empty texts.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn exported(
        &mut self,
        table: ExportTable,
        person: &Uid,
        after: &ExportPlace,
    ) -> Result<ExportPage, StoreError> {
        let [guid, second, third] = after;
        let (uid, seq) = (person.as_str(), second.parse().unwrap_or(-1_i64));
        match table {
            ExportTable::Memberships => {
                let sql =
                    "SELECT m.guid, m.scope, m.joined_at, t.until_at AS scope_until, t.lasting_scope FROM members m
                           LEFT JOIN temporary_scopes t ON t.guid = m.guid AND t.uid = m.uid AND t.scope = m.scope
                           WHERE m.uid = $1 AND m.scope >= 0 AND m.guid > $2 ORDER BY m.guid LIMIT $3";
                let rows: Vec<ExportedMembership> = fetch!(fetch_all, self.tx, sql, uid, guid, PAGE)?;
                page(&rows, |row| [row.guid.clone(), String::new(), String::new()])
            }
            ExportTable::Bans => {
                let sql = "SELECT guid, uid, reason, message, until_at, by_uid, at FROM bans
                           WHERE (uid = $1 OR uid = $5 OR by_uid = $1) AND (guid, uid) > ($2, $3)
                           ORDER BY guid, uid LIMIT $4";
                // For somebody who was banned, erased, and is back.
                let pseudonym = self.pseudonyms.of(person);
                let rows: Vec<ExportedRestriction> =
                    fetch!(fetch_all, self.tx, sql, uid, guid, second, PAGE, pseudonym.as_str())?;
                page(&rows, |row| [row.guid.clone(), row.uid.clone(), String::new()])
            }
            ExportTable::Mutes => {
                let sql = "SELECT guid, uid, reason, message, until_at, by_uid, at FROM mutes
                           WHERE (uid = $1 OR by_uid = $1) AND (guid, uid) > ($2, $3) ORDER BY guid, uid LIMIT $4";
                let rows: Vec<ExportedRestriction> = fetch!(fetch_all, self.tx, sql, uid, guid, second, PAGE)?;
                page(&rows, |row| [row.guid.clone(), row.uid.clone(), String::new()])
            }
            ExportTable::Notes => {
                let sql = "SELECT guid, uid, seq, text, by_uid, at FROM notes
                           WHERE (uid = $1 OR by_uid = $1) AND (guid, uid, seq) > ($2, $3, $4)
                           ORDER BY guid, uid, seq LIMIT $5";
                let seq = third.parse().unwrap_or(-1_i64);
                let rows: Vec<ExportedNote> = fetch!(fetch_all, self.tx, sql, uid, guid, second, seq, PAGE)?;
                page(&rows, |row| [row.guid.clone(), row.uid.clone(), row.seq.to_string()])
            }
            ExportTable::Events => {
                let sql =
                    "SELECT e.guid, e.seq, e.kind, e.at, e.by_uid, e.by_name, e.reason, e.message, e.until_at, e.cause,
                             e.undoes, e.batch, t.old_scope, t.new_scope, t.name, t.avatar, t.joined_at,
                             t.old_joined_at, t.old_restrictions, t.new_restrictions
                           FROM touched t JOIN events e ON e.guid = t.guid AND e.seq = t.seq
                           WHERE t.uid = $1 AND (t.guid, t.seq) > ($2, $3) ORDER BY t.guid, t.seq LIMIT $4";
                let rows: Vec<ExportedTouch> = fetch!(fetch_all, self.tx, sql, uid, guid, seq, PAGE)?;
                page(&rows, |row| [row.event.guid.clone(), row.event.seq.to_string(), String::new()])
            }
            ExportTable::Acts => {
                let sql = "SELECT guid, seq, kind, at, by_uid, by_name, reason, message, until_at, cause, undoes, batch FROM events
                           WHERE by_uid = $1 AND (guid, seq) > ($2, $3) ORDER BY guid, seq LIMIT $4";
                let rows: Vec<ExportedEvent> = fetch!(fetch_all, self.tx, sql, uid, guid, seq, PAGE)?;
                page(&rows, |row| [row.guid.clone(), row.seq.to_string(), String::new()])
            }
            ExportTable::IdempotencyKeys => self.exported_keys(person, after).await,
            ExportTable::Outbox => {
                let sql = "SELECT id, kind, at, data FROM outbox WHERE person = $1 AND id > $2 ORDER BY id LIMIT $3";
                let [id, _, _] = after;
                let rows: Vec<ExportedOutboxEvent> = fetch!(fetch_all, self.tx, sql, uid, id, PAGE)?;
                page(&rows, |row| [row.id.clone(), String::new(), String::new()])
            }
        }
    }

    async fn exported_keys(&mut self, person: &Uid, after: &ExportPlace) -> Result<ExportPage, StoreError> {
        let mut after = after.clone();
        loop {
            let keys = keys_after(self.tx.reborrow(), &after).await?;
            let Some(last) = keys.last() else { return Ok(ExportPage::default()) };
            after = last.place();
            let rows: Vec<ExportedKey<'_>> =
                keys.iter().filter(|key| key.is_about(person)).map(ExportedKey::from).collect();
            if !rows.is_empty() {
                return page(&rows, |_| after.clone());
            }
        }
    }
}

impl<'a> From<&'a KeyRow> for ExportedKey<'a> {
    fn from(row: &'a KeyRow) -> ExportedKey<'a> {
        let guid = Some(row.guid.as_str()).filter(|guid| *guid != NO_GROUP);
        let by = Some(row.caller.as_str()).filter(|caller| caller.parse::<Uid>().is_ok());
        ExportedKey { guid, by, key: &row.key, act: &row.act, at: row.at }
    }
}

fn page<T: Serialize>(rows: &[T], place: impl Fn(&T) -> ExportPlace) -> Result<ExportPage, StoreError> {
    let json = |row: &T| serde_json::to_string(row).map_err(|error| StoreError::Inconsistent(error.to_string()));
    let last = rows.last().map(place).unwrap_or_default();
    Ok(ExportPage { rows: rows.iter().map(json).collect::<Result<_, _>>()?, last })
}

fn scope<S: Serializer>(number: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
    number.and_then(Scope::from_number).map(Scope::as_str).serialize(serializer)
}

/// Serializes a stored JSON text as its value.
fn json_text<S: Serializer>(text: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    text.as_deref().and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok()).serialize(serializer)
}

/// The same for a text that is always there.
fn json<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serde_json::from_str::<serde_json::Value>(text).ok().serialize(serializer)
}

fn time<S: Serializer>(milliseconds: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    optional_time(&Some(*milliseconds), serializer)
}

fn optional_time<S: Serializer>(milliseconds: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
    milliseconds.map(rfc3339).filter(|time| !time.is_empty()).serialize(serializer)
}
