//! Checks the defaults of columns: statements of acts leave columns out that a later step of the schema has added.

use super::database::Inspection;
use super::finding::{Check, Findings};
use super::schema::text;

const DEFAULT: Check =
    Check { name: "schema-default", mend: "set it again as in migrations/; in a SQLite file, restore a backup" };

/// Every default: table, column, value.
const DEFAULTS: [(&str, &str, &str); 9] = [
    ("users", "tags", "[]"),
    ("groups", "tags", "[]"),
    ("groups", "rewritten_seq", "0"),
    ("events", "id", ""),
    ("sync_rows", "state", "0"),
    ("sync_rows", "keeps_scope", "0"),
    ("outbox", "person", ""),
    ("attendance", "is_away", "false"),
    ("attendance", "reported_at", "0"),
];

impl Inspection {
    /// Checks that columns have their defaults. One that is missing is another finding.
    ///
    /// # Errors
    /// The database's error.
    pub(super) async fn check_defaults(&mut self) -> sqlx::Result<Findings> {
        let mut found = self.none_of(DEFAULT);
        let sql = match self.is_postgres() {
            true => {
                "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), COALESCE(column_default, 'no default')
                 FROM information_schema.columns WHERE table_schema = current_schema()"
            }
            false => {
                "SELECT m.name, p.name, COALESCE(p.dflt_value, 'no default')
                 FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'"
            }
        };
        let stored = self.all(sql).await?;
        for (table, column, expected) in DEFAULTS {
            let of_column = stored.iter().find(|row| text(row, 0) == table && text(row, 1) == column);
            let Some(default) = of_column.map(|row| text(row, 2)) else { continue };
            // PostgreSQL writes the type behind the value: '[]'::text.
            let value = default.split("::").next().unwrap_or_default().trim_matches('\'');
            if value != expected {
                found.add(
                    "",
                    "",
                    format!("column {table}.{column} has {default} instead of '{expected}' as its default"),
                );
            }
        }
        Ok(found)
    }
}
