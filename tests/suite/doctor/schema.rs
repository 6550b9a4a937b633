//! Every table, column, index, foreign key and default of the schema, broken: the doctor names each. What there is to break is
//! read from the migrations, not from the lists of the doctor, so that one that is missing there is missed here too. All of a
//! kind are broken in one database: a database and a run for each would take longer than all other faults together.

use std::fmt;
use std::path::Path;

use super::{examine, inject};
use crate::support::program::{command, run};

/// What the migrations of a database make.
#[derive(Default)]
pub struct Parts {
    pub tables: Vec<String>,
    /// Table and column.
    pub columns: Vec<(String, String)>,
    pub indexes: Vec<String>,
    pub foreign_keys: Vec<ForeignKey>,
    defaults: Vec<DefaultValue>,
}

/// A foreign key of one column, or of several.
pub struct ForeignKey {
    table: String,
    columns: String,
    /// The parent, its columns, and what a deletion does.
    parent: String,
    /// The words that make it in the statement of its table.
    clause: String,
}

/// As the page of the doctor writes it.
impl fmt::Display for ForeignKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} REFERENCES {}", self.table, self.columns, self.parent)
    }
}

/// The default of a column that a later step has added.
struct DefaultValue {
    table: String,
    column: String,
    /// The definition of the column, from its name on.
    definition: String,
    value: String,
}

impl Parts {
    /// Those of `sqlite` or `postgres`.
    pub fn of(database: &str) -> Parts {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(database);
        let mut parts = Parts::default();
        for entry in std::fs::read_dir(folder).unwrap() {
            let sql = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let code: String = sql.lines().map(|line| line.split("--").next().unwrap().to_owned() + "\n").collect();
            code.split(';').for_each(|statement| parts.read(statement.trim()));
        }
        parts
    }

    fn read(&mut self, statement: &str) {
        let words: Vec<&str> = statement.split_whitespace().collect();
        match words.as_slice() {
            ["CREATE", "TABLE", table, ..] | ["CREATE", "UNLOGGED", "TABLE", table, ..] => {
                self.tables.push((*table).to_owned());
                let columns = statement.lines().skip(1).filter_map(|line| line.split_whitespace().next());
                let columns = columns.filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '_'));
                self.columns.extend(columns.map(|column| ((*table).to_owned(), column.to_owned())));
                self.foreign_keys.extend(statement.lines().filter_map(|line| foreign_key(table, line)));
            }
            ["ALTER", "TABLE", table, "ADD", "COLUMN", column, ..] => {
                let (table, column) = ((*table).to_owned(), (*column).to_owned());
                let definition = statement.split_once(" ADD COLUMN ").unwrap().1.to_owned();
                if let Some((_, value)) = definition.split_once(" DEFAULT ") {
                    let (table, column, value) = (table.clone(), column.clone(), value.to_owned());
                    self.defaults.push(DefaultValue { table, column, definition, value });
                }
                self.columns.push((table, column));
            }
            ["CREATE", "INDEX", name, ..] | ["CREATE", "UNIQUE", "INDEX", name, ..] => {
                self.indexes.push((*name).to_owned());
            }
            _ => {}
        }
    }
}

/// The foreign key that a line of a table makes.
fn foreign_key(table: &str, line: &str) -> Option<ForeignKey> {
    let line = line.trim().trim_end_matches(',');
    let (columns, parent) = line.split_once("REFERENCES ")?;
    let (columns, clause) = match columns.strip_prefix("FOREIGN KEY ") {
        Some(columns) => (columns.trim().to_owned(), line.to_owned()),
        None => (format!("({})", columns.split_whitespace().next()?), format!("REFERENCES {parent}")),
    };
    Some(ForeignKey { table: table.to_owned(), columns, parent: parent.to_owned(), clause })
}

fn is_postgres() -> bool {
    std::env::var("CGM_TEST_POSTGRES").is_ok()
}

/// What the database of this run has.
fn parts() -> Parts {
    Parts::of(if is_postgres() { "postgres" } else { "sqlite" })
}

/// That the doctor finds all of this by one check, once that was done to a fresh database; a finding begins with what is wanted.
async fn each_is_named(check: &str, done: String, wanted: Vec<String>) {
    assert!(!wanted.is_empty(), "{check}: nothing is broken");
    let folder = tempfile::tempdir().unwrap();
    assert!(run(command(folder.path()).arg("migrate")).0);
    inject(folder.path(), &done).await;
    let (report, code) = examine(folder.path());
    let checks = report["checks"].as_array().unwrap();
    let findings = checks.iter().find(|found| found["check"] == check).unwrap()["findings"].as_array().unwrap();
    let details: Vec<&str> = findings.iter().map(|finding| finding["detail"].as_str().unwrap()).collect();
    let missed: Vec<_> =
        wanted.iter().filter(|words| !details.iter().any(|detail| detail.starts_with(words.as_str()))).collect();
    assert!(code == 1 && missed.is_empty(), "{check}: code {code}, missed {missed:#?} of {details:#?}");
}

/// Has SQLite take another text for a part of the statement that made a table. It has no statement that changes a constraint or
/// a default.
fn rewritten(table: &str, part: &str, by: &str) -> String {
    let quoted = |text: &str| text.replace('\'', "''");
    format!(
        "UPDATE sqlite_master SET sql = replace(sql, '{}', '{}') WHERE type = 'table' AND name = '{table}';",
        quoted(part),
        quoted(by)
    )
}

/// Comes before what [`rewritten`] makes.
const REWRITE: &str = "PRAGMA writable_schema = ON;";

#[tokio::test]
async fn every_table_that_is_missing_is_named() {
    let tables = parts().tables;
    let cascade = if is_postgres() { "CASCADE" } else { "" };
    let done = tables.iter().map(|table| format!("DROP TABLE {table} {cascade};")).collect();
    let wanted = tables.iter().map(|table| format!("table {table} is missing")).collect();
    each_is_named("schema-table", done, wanted).await;
}

#[tokio::test]
async fn every_column_that_is_missing_is_named() {
    let columns = parts().columns;
    let rename = |(table, column): &(String, String)| {
        format!("ALTER TABLE {table} RENAME COLUMN \"{column}\" TO \"{column}_of_old\";")
    };
    let done = columns.iter().map(rename).collect();
    let wanted = columns.iter().map(|(table, column)| format!("column {table}.{column} is missing")).collect();
    each_is_named("schema-column", done, wanted).await;
}

#[tokio::test]
async fn every_index_that_is_missing_or_another_one_is_named() {
    let indexes = parts().indexes;
    let done = indexes.iter().map(|index| format!("DROP INDEX {index};")).collect();
    let wanted = indexes.iter().map(|index| format!("index {index} is missing")).collect();
    each_is_named("schema-index", done, wanted).await;
    let replace = |index: &String| format!("DROP INDEX {index}; CREATE INDEX {index} ON facts (value);");
    let wanted = indexes.iter().map(|index| format!("index {index} is another one: ")).collect();
    each_is_named("schema-index", indexes.iter().map(replace).collect(), wanted).await;
}

#[tokio::test]
async fn every_key_that_is_missing_is_named() {
    // SQLite keeps the rows of a table by its primary key, and cannot be made to take another.
    if is_postgres() {
        let wanted = parts().tables.iter().map(|table| format!("the primary key of {table} differs")).collect();
        each_is_named("schema-primary-key", without_constraints("p"), wanted).await;
    }
    let keys = parts().foreign_keys;
    let done = if is_postgres() {
        without_constraints("f")
    } else {
        let rewrite = |key: &ForeignKey| rewritten(&key.table, &key.clause, "CHECK (1)");
        REWRITE.to_owned() + &keys.iter().map(rewrite).collect::<String>()
    };
    let sentence = |ForeignKey { table, columns, parent, .. }: &ForeignKey| {
        format!("a foreign key of {table} is missing: FOREIGN KEY {columns} REFERENCES {parent}")
    };
    each_is_named("schema-foreign-key", done, keys.iter().map(sentence).collect()).await;
}

#[tokio::test]
async fn every_default_that_is_another_one_is_named() {
    let defaults = parts().defaults;
    let done = if is_postgres() {
        let take = |DefaultValue { table, column, .. }: &DefaultValue| {
            format!("ALTER TABLE {table} ALTER COLUMN \"{column}\" DROP DEFAULT;")
        };
        defaults.iter().map(take).collect()
    } else {
        let rewrite = |DefaultValue { table, definition, value, .. }: &DefaultValue| {
            let another = if value.starts_with('\'') { "'another'" } else { "7" };
            rewritten(table, definition, &definition.replace(value, another))
        };
        REWRITE.to_owned() + &defaults.iter().map(rewrite).collect::<String>()
    };
    let wanted = defaults.iter().map(|DefaultValue { table, column, .. }| format!("column {table}.{column} has "));
    each_is_named("schema-default", done, wanted.collect()).await;
}

/// Takes every constraint of this kind (`contype` of `pg_constraint`) away from a PostgreSQL.
fn without_constraints(kind: &str) -> String {
    format!(
        "DO $$ DECLARE held RECORD; BEGIN
           FOR held IN SELECT conrelid::regclass AS by_table, conname FROM pg_constraint
             WHERE contype = '{kind}' AND connamespace = 'public'::regnamespace AND conrelid <> '_sqlx_migrations'::regclass
           LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', held.by_table, held.conname); END LOOP;
         END $$;"
    )
}
