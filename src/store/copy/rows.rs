//! The tables that move, and their rows as PostgreSQL's COPY takes and gives them: a line each, fields
//! with tabs between them.

use std::hash::{DefaultHasher, Hasher};

use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row, SqliteConnection, TypeInfo, ValueRef};
use tokio_stream::StreamExt;

use crate::store::error::StoreError;
use crate::store::tables::Table;

/// What tells one content of a table from another.
#[derive(Default)]
pub(super) struct Sum {
    pub(super) rows: u64,
    hasher: DefaultHasher,
}

impl Sum {
    /// Adds a row's line.
    pub(super) fn add(&mut self, line: &[u8]) {
        self.rows += 1;
        self.hasher.write(line);
    }

    /// How many rows, and a number that is another one when a byte of them is.
    pub(super) fn value(&self) -> (u64, u64) {
        (self.rows, self.hasher.finish())
    }
}

/// Gives every row of a table of the file to `each`, as a line. One row at a time is in memory.
pub(super) async fn read(
    file: &mut SqliteConnection,
    table: &Table,
    mut each: impl AsyncFnMut(&[u8]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut rows = sqlx::query(AssertSqlSafe(table.select())).fetch(file);
    let mut line = Vec::new();
    while let Some(row) = rows.next().await {
        line.clear();
        write(&row?, &mut line)?;
        each(&line).await?;
    }
    Ok(())
}

/// What a table of the file has; `told` hears how many rows were read since it last heard.
pub(super) async fn sum(
    file: &mut SqliteConnection,
    table: &Table,
    told: &mut (dyn FnMut(u64) + Send),
) -> Result<Sum, StoreError> {
    let mut sum = Sum::default();
    let each = async |line: &[u8]| {
        sum.add(line);
        told(1);
        Ok(())
    };
    read(file, table, each).await?;
    Ok(sum)
}

/// A row of text and whole numbers as a line.
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

/// A text as COPY writes it itself, so that lines that were written and lines that are read compare:
/// PostgreSQL, "COPY", section "Text Format".
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
    use crate::store::tables::TABLES;

    #[test]
    fn what_separates_lines_and_fields_is_escaped() {
        let mut line = Vec::new();
        escape("Ann \\N\tЛи\r\n\u{8}\u{b}\u{c}\u{1}", &mut line);
        assert_eq!(String::from_utf8(line).unwrap(), "Ann \\\\N\\tЛи\\r\\n\\b\\v\\f\u{1}");
    }

    /// Tables that stay behind: of which schema it is, and what is only of this moment.
    const STAY: [&str; 1] = ["_sqlx_migrations"];

    #[tokio::test]
    async fn every_column_of_every_table_moves_or_is_named_as_one_that_stays() {
        let options = crate::store::sqlite::options("sqlite::memory:").unwrap();
        let (mut file, _) = crate::store::sqlite::prepared(&options).await.unwrap();
        let found: Vec<(String, String)> = sqlx::query_as(
            "SELECT t.name, group_concat(c.name, ', ') FROM pragma_table_list t, pragma_table_info(t.name) c
             WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' GROUP BY t.name",
        )
        .fetch_all(&mut file)
        .await
        .unwrap();
        let mut found: Vec<_> = found.into_iter().filter(|(name, _)| !STAY.contains(&name.as_str())).collect();
        let moved = TABLES.iter().map(|table| (table.name, table.columns)).chain([("facts", "name, value")]);
        let mut moved: Vec<_> = moved.map(|(name, columns)| (name.to_owned(), columns.to_owned())).collect();
        found.sort();
        moved.sort();
        assert_eq!(found, moved);
    }

    #[test]
    fn a_sum_is_another_one_when_a_byte_or_the_order_is() {
        let sum = |lines: [&str; 2]| {
            let mut sum = Sum::default();
            lines.iter().for_each(|line| sum.add(line.as_bytes()));
            sum.value()
        };
        assert_eq!(sum(["a\n", "b\n"]), sum(["a\n", "b\n"]));
        assert_ne!(sum(["a\n", "b\n"]), sum(["b\n", "a\n"]));
        assert_ne!(sum(["a\n", "b\n"]), sum(["a\n", "c\n"]));
    }
}
