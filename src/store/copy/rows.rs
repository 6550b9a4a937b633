//! Rows of the file in the text format of PostgreSQL's COPY: a line each, fields separated by tabs.

use std::hash::{DefaultHasher, Hasher};

use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row, SqliteConnection, TypeInfo, ValueRef};
use tokio_stream::StreamExt;

use crate::store::error::StoreError;
use crate::store::sql::table::Table;
use crate::store::sql::tables::MEMBERS;

/// A checksum of the rows of a table, in order.
#[derive(Default)]
pub(super) struct Checksum {
    pub(super) rows: u64,
    hasher: DefaultHasher,
}

impl Checksum {
    /// Adds a row's line.
    pub(super) fn add(&mut self, line: &[u8]) {
        self.rows += 1;
        self.hasher.write(line);
    }

    /// The number of rows and their hash.
    pub(super) fn value(&self) -> (u64, u64) {
        (self.rows, self.hasher.finish())
    }
}

/// A statement that reads all rows of a table, in the order of the key; without the hidden members of syncs on their way.
pub(super) fn select_all(table: &Table) -> String {
    let shown = if table.name == MEMBERS.name { " WHERE scope >= 0" } else { "" };
    format!("SELECT {} FROM {}{shown} ORDER BY {}", table.column_list(), table.name, table.key_list())
}

/// Calls `each` with every row of a table of the file, as a line. One row at a time is in memory.
///
/// # Errors
/// [`StoreError::Unavailable`] when the file cannot be read, or what `each` answers.
pub(super) async fn read(
    file: &mut SqliteConnection,
    table: &Table,
    mut each: impl AsyncFnMut(&[u8]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut rows = sqlx::query(AssertSqlSafe(select_all(table))).fetch(file);
    let mut line = Vec::new();
    while let Some(row) = rows.next().await {
        line.clear();
        write(&row?, &mut line)?;
        each(&line).await?;
    }
    Ok(())
}

/// The checksum of a table of the file. `on_rows` is called with the number of rows read since its last call.
///
/// # Errors
/// [`StoreError::Unavailable`] when the file cannot be read.
pub(super) async fn checksum(
    file: &mut SqliteConnection,
    table: &Table,
    on_rows: &mut (dyn FnMut(u64) + Send),
) -> Result<Checksum, StoreError> {
    let mut checksum = Checksum::default();
    let each = async |line: &[u8]| {
        checksum.add(line);
        on_rows(1);
        Ok(())
    };
    read(file, table, each).await?;
    Ok(checksum)
}

/// Writes a row of texts and integers as a line.
fn write(row: &SqliteRow, line: &mut Vec<u8>) -> Result<(), StoreError> {
    for column in 0..row.len() {
        if column > 0 {
            line.push(b'\t');
        }
        let value = row.try_get_raw(column)?;
        if value.is_null() {
            line.extend(b"\\N");
        } else if value.type_info().name() == "INTEGER" {
            line.extend(row.try_get::<i64, _>(column)?.to_string().bytes());
        } else {
            escape(row.try_get::<&str, _>(column)?, line);
        }
    }
    line.push(b'\n');
    Ok(())
}

/// Escapes a text exactly as COPY does when it writes, so that lines sent and lines read back are equal
/// (PostgreSQL, "COPY", section "Text Format").
fn escape(text: &str, line: &mut Vec<u8>) {
    for byte in text.bytes() {
        let letter = match byte {
            b'\\' => b'\\',
            b'\t' => b't',
            b'\n' => b'n',
            b'\r' => b'r',
            0x08 => b'b',
            0x0b => b'v',
            0x0c => b'f',
            plain => {
                line.push(plain);
                continue;
            }
        };
        line.extend([b'\\', letter]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sql::tables::{FACTS, TABLES};

    #[test]
    fn what_separates_lines_and_fields_is_escaped() {
        let mut line = Vec::new();
        escape("Ann \\N\tЛи\r\n\u{8}\u{b}\u{c}\u{1}", &mut line);
        assert_eq!(String::from_utf8(line).unwrap(), "Ann \\\\N\\tЛи\\r\\n\\b\\v\\f\u{1}");
    }

    /// Tables that are not copied: the schema's version, and rows that matter only for the moment.
    const STAY: [&str; 4] = ["_sqlx_migrations", "sync_rows", "syncs", "presence_reporter"];

    #[tokio::test]
    async fn every_column_of_every_table_moves_or_is_named_as_one_that_stays() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("test.db").display());
        let options = crate::store::sqlite::options(&url).unwrap();
        let (mut file, _) = crate::store::sqlite::prepare(&options).await.unwrap();
        let found: Vec<(String, String)> = sqlx::query_as(
            "SELECT t.name, group_concat(c.name, ', ') FROM pragma_table_list t, pragma_table_info(t.name) c
             WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' GROUP BY t.name",
        )
        .fetch_all(&mut file)
        .await
        .unwrap();
        let mut found: Vec<_> = found.into_iter().filter(|(name, _)| !STAY.contains(&name.as_str())).collect();
        let moved =
            TABLES.iter().map(|table| (table.name, table.column_list())).chain([(FACTS, "name, value".to_owned())]);
        let mut moved: Vec<_> = moved.map(|(name, columns)| (name.to_owned(), columns)).collect();
        found.sort();
        moved.sort();
        assert_eq!(found, moved);
    }

    #[test]
    fn a_sum_is_another_one_when_a_byte_or_the_order_is() {
        let sum = |lines: [&str; 2]| {
            let mut checksum = Checksum::default();
            lines.iter().for_each(|line| checksum.add(line.as_bytes()));
            checksum.value()
        };
        assert_eq!(sum(["a\n", "b\n"]), sum(["a\n", "b\n"]));
        assert_ne!(sum(["a\n", "b\n"]), sum(["b\n", "a\n"]));
        assert_ne!(sum(["a\n", "b\n"]), sum(["a\n", "c\n"]));
    }
}
