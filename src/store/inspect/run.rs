//! Goes through every check, whatever the ones before have found.

use super::database::{Inspected, Inspection};
use super::finding::{Check, Findings};
use super::rules::RULES;
use super::schema::{EXPECTED_TABLES, text};
use crate::store::error::StoreError;

const INTEGRITY: Check = Check {
    name: "file-integrity",
    mend: "restore a backup: pages of the file are damaged (sqlite.org/recovery.html)",
};
const FOREIGN_KEYS: Check =
    Check { name: "foreign-keys", mend: "mend the rows that are named beside this, which have no parent" };
const TYPES: Check = Check { name: "column-types", mend: "write the row again with a value of the right type" };

/// The rows of a few tables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// Groups that are not deleted.
    pub groups: u64,
    /// Deleted groups: one that is created again under the same id continues its sequence numbers.
    pub deleted_groups: u64,
    /// Memberships.
    pub members: u64,
    /// Users.
    pub users: u64,
    /// Bans.
    pub bans: u64,
    /// Events in the logs.
    pub events: u64,
}

impl Inspection {
    /// Makes every check, and returns each with its findings.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the connection ended.
    pub async fn run(&mut self) -> Result<Vec<Findings>, StoreError> {
        let mut all = self.check_steps().await?;
        let has_schema = all.len() > 1;
        if !has_schema {
            return Ok(all);
        }
        all.extend(self.check_schema().await?);
        all.push(self.check_defaults().await?);
        if !self.is_postgres() {
            all.push(self.check_integrity().await?);
            all.push(self.check_foreign_key_rows().await?);
            all.push(self.check_types().await?);
        }
        // A standby has no rows of unlogged tables, and refuses to look.
        let is_standby = self.is_standby().await?;
        for rule in RULES.iter().filter(|rule| !(is_standby && rule.reads_unlogged())) {
            let sql = rule.sql(self.is_postgres(), self.now);
            all.push(self.check(rule.check, &sql).await?);
        }
        let values = [
            self.check_users().await.or_else(|error| skipped("users-name", error))?,
            self.check_groups().await.or_else(|error| skipped("groups-name", error))?,
            self.check_touched().await.or_else(|error| skipped("touched-restrictions", error))?,
            self.check_outbox().await.or_else(|error| skipped("outbox-data", error))?,
        ];
        all.extend(values.into_iter().flatten());
        Ok(all)
    }

    /// How many rows there are.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the connection ended, or a table is missing.
    pub async fn counts(&mut self) -> Result<RowCounts, StoreError> {
        let sql = "SELECT CAST(sum(CASE WHEN deleted_at IS NULL THEN 1 ELSE 0 END) AS TEXT), CAST(count(*) AS TEXT),
             (SELECT CAST(count(*) AS TEXT) FROM members WHERE scope >= 0), (SELECT CAST(count(*) AS TEXT) FROM users),
             (SELECT CAST(count(*) AS TEXT) FROM bans), (SELECT CAST(count(*) AS TEXT) FROM events) FROM groups";
        let rows = self.all(sql).await?;
        let number = |at| rows.first().map_or(0, |row| text(row, at).parse().unwrap_or(0));
        let groups = number(0);
        let deleted_groups = u64::saturating_sub(number(1), groups);
        let (members, users, bans, events) = (number(2), number(3), number(4), number(5));
        Ok(RowCounts { groups, deleted_groups, members, users, bans, events })
    }

    /// Makes one check: the first findings one by one, and how many there are.
    async fn check(&mut self, check: Check, sql: &str) -> Result<Findings, StoreError> {
        let listed = format!(
            "SELECT CAST(guid AS TEXT), CAST(uid AS TEXT), CAST(detail AS TEXT) FROM ({sql}) AS found LIMIT {}",
            self.listed + 1
        );
        let rows = match self.all(&listed).await {
            Ok(rows) => rows,
            Err(error) => return Ok(skipped(check.name, error)?.remove(0).of_check(check)),
        };
        let mut found = self.none_of(check);
        for row in &rows {
            found.add(text(row, 0), text(row, 1), text(row, 2));
        }
        if rows.len() > self.listed {
            let counted = self.all(&format!("SELECT CAST(count(*) AS TEXT) FROM ({sql}) AS found")).await?;
            found.total = counted.first().map_or(0, |row| text(row, 0).parse().unwrap_or(0));
        }
        Ok(found)
    }

    /// SQLite's own check of the file.
    async fn check_integrity(&mut self) -> Result<Findings, StoreError> {
        let mut found = self.none_of(INTEGRITY);
        let rows = self.all("PRAGMA integrity_check(100)").await;
        match rows {
            Ok(rows) => rows
                .iter()
                .map(|row| text(row, 0))
                .filter(|said| *said != "ok")
                .for_each(|detail| found.add("", "", detail)),
            Err(sqlx::Error::Database(error)) => found.add("", "", error.message()),
            Err(error) => return Err(error.into()),
        }
        Ok(found)
    }

    async fn check_foreign_key_rows(&mut self) -> Result<Findings, StoreError> {
        let sql = "SELECT '' AS guid, '' AS uid, count(*) || ' rows of ' || \"table\" || ' without their row in ' || parent AS detail
                   FROM pragma_foreign_key_check GROUP BY \"table\", parent";
        self.check(FOREIGN_KEYS, sql).await
    }

    /// A file stores any type in any column.
    async fn check_types(&mut self) -> Result<Findings, StoreError> {
        let mut all = self.none_of(TYPES);
        for table in EXPECTED_TABLES {
            let Inspected::Sqlite(..) = self.connection else { break };
            let column = |name: &str| {
                if table.columns.iter().any(|(column, _)| *column == name) { name.to_owned() } else { "''".into() }
            };
            let (mut wrong, mut words) = (Vec::new(), String::new());
            for (column, kind) in table.columns {
                let stored = if kind.starts_with("int") || kind.starts_with("bool") { "integer" } else { "text" };
                let null = if kind.ends_with('?') { ", 'null'" } else { "" };
                let is_wrong = format!("typeof({column}) NOT IN ('{stored}'{null})");
                words += &format!(
                    " || CASE WHEN {is_wrong} THEN ' {column} is of the type ' || typeof({column}) ELSE '' END"
                );
                wrong.push(is_wrong);
            }
            let sql = format!(
                "SELECT {} AS guid, {} AS uid, '{}:'{words} AS detail FROM {} WHERE {}",
                column("guid"),
                column("uid"),
                table.name,
                table.name,
                wrong.join(" OR ")
            );
            let exists = format!("SELECT name FROM sqlite_master WHERE name = '{}'", table.name);
            if self.all(&exists).await?.is_empty() {
                continue;
            }
            let found = self.check(TYPES, &sql).await?;
            all.total += found.total;
            all.skipped = all.skipped.or(found.skipped);
            all.listed.extend(found.listed);
        }
        all.listed.truncate(self.listed);
        Ok(all)
    }
}

impl Findings {
    fn of_check(self, check: Check) -> Findings {
        Findings { check, ..self }
    }
}

/// A check that could not be made, since its table or column is missing or damaged.
///
/// # Errors
/// The error, when it is the connection's and not of this statement.
fn skipped(name: &'static str, error: sqlx::Error) -> Result<Vec<Findings>, StoreError> {
    let sqlx::Error::Database(database) = &error else { return Err(error.into()) };
    let mut found = Findings::of(Check { name, mend: "mend the schema or the file first; see the other findings" }, 0);
    found.skipped = Some(database.message().to_owned());
    Ok(vec![found])
}
