//! The schema as it must be: every table with its columns and primary key, every index and foreign key.

use std::collections::BTreeMap;

use super::database::{Fields, Inspected, Inspection};
use super::finding::{Check, Findings};
use crate::store::migrations::{migrator, newest_step};
use crate::store::sql::tables::MEMBER_COLUMNS;
use crate::store::sqlite::{Content, content};

const MIGRATE: &str = "run `chat-group-members migrate` with the newest version";
const RESTORE: &str = "restore a backup, or move the rows into a database that `chat-group-members migrate` made";

const VERSION: Check = Check { name: "schema-version", mend: MIGRATE };
/// The same check, where it is not the schema that is wrong, but the file.
const FOREIGN_FILE: Check = Check { name: VERSION.name, mend: "name another file (--database-url)" };
const TEXT: Check = Check {
    name: "schema-text",
    mend: "run the build that applied it, or move the rows into a database that `chat-group-members migrate` made",
};
const TABLE: Check = Check { name: "schema-table", mend: RESTORE };
const COLUMN: Check = Check { name: "schema-column", mend: RESTORE };
const KEY: Check = Check { name: "schema-primary-key", mend: RESTORE };
const FOREIGN: Check = Check {
    name: "schema-foreign-key",
    mend: "mend the rows without a parent first, then add the constraint again as in migrations/",
};
const INDEX: Check = Check { name: "schema-index", mend: "`doctor --mend` makes it again" };

/// A table: its columns with their types, and how many of the first are its primary key. `id` is a text that compares
/// bytewise, `text`, `int` and `bool` are what they say, with `?` where NULL is allowed.
pub(super) struct ExpectedTable {
    pub(super) name: &'static str,
    pub(super) columns: &'static [(&'static str, &'static str)],
    pub(super) key: usize,
    only_postgres: bool,
}

/// Columns with their types, or the constant that has them.
macro_rules! columns {
    ($of:ident) => {
        $of
    };
    ($($column:ident $type:literal),+) => {
        &[$((stringify!($column), $type)),+]
    };
}

macro_rules! tables {
    ($($name:literal, $key:literal, $postgres:literal: [$($columns:tt)+];)+) => {
        /// Every table.
        pub(super) const EXPECTED_TABLES: &[ExpectedTable] = &[$(ExpectedTable {
            name: $name,
            columns: columns!($($columns)+),
            key: $key,
            only_postgres: $postgres,
        }),+];
    };
}

tables! {
    "facts", 1, false: [name "id", value "text"];
    "users", 1, false: [uid "id", name "text", avatar "text?", sort_key "id", created_at "int", updated_at "int",
        role "text?", link "text?", status_message "text?", metadata "text?", tags "text"];
    "groups", 1, false: [guid "id", name "text", type "text", password "text?", icon "text?", description "text?",
        seq "int", created_at "int", updated_at "int", deleted_at "int?", metadata "text?", tags "text",
        sync_version "int?", rewritten_seq "int"];
    "members", 2, false: [MEMBER_COLUMNS];
    "bans", 2, false: [guid "id", uid "id", reason "text?", until_at "int?", by_uid "text?", at "int", message "text?"];
    "mutes", 2, false: [guid "id", uid "id", reason "text?", until_at "int", by_uid "text?", at "int", message "text?"];
    "temporary_scopes", 2, false: [guid "id", uid "id", scope "int", lasting_scope "int", until_at "int"];
    "notes", 3, false: [guid "id", uid "id", seq "int", text "text", by_uid "id", at "int"];
    "events", 2, false: [guid "id", seq "int", kind "text", at "int", by_uid "text?", by_name "text?", reason "text?",
        until_at "int?", id "text", cause "text?", undoes "int?", batch "int?", message "text?"];
    "touched", 3, false: [guid "id", seq "int", uid "id", old_scope "int?", new_scope "int?", name "text?",
        avatar "text?", joined_at "int?", old_joined_at "int?", old_restrictions "text?", new_restrictions "text?"];
    "idempotency", 3, false: [guid "id", caller "id", key "id", act "text", at "int", batch "int?", left_out "text?"];
    "sync_rows", 2, false: [sync "int", uid "id", line "int", name "text?", avatar "text?", sort_key "id?", scope "int",
        joined_at "int?", state "int", keeps_scope "int", scope_until "int?"];
    "sync_renames", 2, false: [guid "id", uid "id"];
    "syncs", 1, false: [sync "int", guid "id", alive_at "int", phase "int"];
    "outbox_lanes", 1, false: [lane "id", seq "int"];
    "outbox", 2, false: [lane "id", seq "int", id "text", kind "text", data "text", at "int", person "id"];
    "webhook_endpoints", 1, false: [id "id", location "text", state "text", seen_at "int", attempts "int", due_at "int",
        failing_since "int", answer "text", answered_at "int"];
    "webhook_positions", 2, false: [endpoint "id", lane "id", seq "int", token "text", lease_until "int",
        attempts "int", due_at "int", failing_since "int", dead "int", replay_seq "int", replay_at "int"];
    "logouts", 1, false: [person "id", at "int", version "int"];
    "erasures", 1, false: [uid "id", pseudonym "id", at "int", left_at "int?"];
    "erasure_positions", 2, false: [uid "id", guid "id", seq "int"];
    "reported_presence", 1, false: [uid "id", status "text"];
    "presence_reporter", 1, false: [id "int", token "text", lease_until "int"];
    "nodes", 1, true: [node "id", version "int", beat_at "int"];
    "attendance", 2, true: [node "id", uid "id", is_open "bool", closed_at "int", version "int", is_away "bool",
        until_at "int?", reported_at "int"];
}

/// Every index beside those of primary keys, and whether only PostgreSQL has it.
const INDEXES: &[(&str, bool)] = &[
    ("CREATE UNIQUE INDEX one_owner ON members (guid) WHERE scope = 3", false),
    ("CREATE INDEX members_by_user ON members (uid)", false),
    ("CREATE INDEX bans_by_end ON bans (until_at) WHERE until_at IS NOT NULL", false),
    ("CREATE INDEX mutes_by_end ON mutes (until_at)", false),
    ("CREATE INDEX temporary_scopes_by_end ON temporary_scopes (until_at)", false),
    ("CREATE INDEX notes_by_person ON notes (uid)", false),
    ("CREATE INDEX notes_by_author ON notes (by_uid)", false),
    ("CREATE INDEX idempotency_by_age ON idempotency (at)", false),
    ("CREATE INDEX sync_rows_to_apply ON sync_rows (sync, state, uid) WHERE state = 1", false),
    ("CREATE INDEX logouts_by_version ON logouts (version)", false),
    ("CREATE INDEX touched_by_user ON touched (uid, guid, seq)", false),
    ("CREATE INDEX events_by_actor ON events (by_uid, guid, seq) WHERE by_uid IS NOT NULL", false),
    ("CREATE INDEX events_by_undone ON events (guid, undoes) WHERE undoes IS NOT NULL", false),
    ("CREATE INDEX events_by_batch ON events (guid, batch) WHERE batch IS NOT NULL", false),
    (
        "CREATE INDEX touched_with_restrictions ON touched (guid, seq) WHERE old_restrictions IS NOT NULL OR new_restrictions IS NOT NULL",
        false,
    ),
    ("CREATE INDEX outbox_by_person ON outbox (person)", false),
    ("CREATE INDEX attendance_by_version ON attendance (node, version)", true),
];

/// Every foreign key: its table, and what it says.
const FOREIGN_KEYS: &[(&str, &str)] = &[
    ("members", "FOREIGN KEY (guid) REFERENCES groups (guid)"),
    ("members", "FOREIGN KEY (uid) REFERENCES users (uid)"),
    ("bans", "FOREIGN KEY (guid) REFERENCES groups (guid)"),
    ("mutes", "FOREIGN KEY (guid) REFERENCES groups (guid)"),
    ("temporary_scopes", "FOREIGN KEY (guid, uid) REFERENCES members (guid, uid) ON DELETE CASCADE"),
    ("notes", "FOREIGN KEY (guid) REFERENCES groups (guid)"),
];

/// Every index by its name, with the statement that makes it.
pub(in crate::store) fn indexes() -> impl Iterator<Item = (&'static str, &'static str)> {
    INDEXES.iter().map(|(create, _)| (index_name(create), *create))
}

/// The name of the index that a statement makes.
fn index_name(create: &str) -> &str {
    create.split_once(" INDEX ").and_then(|(_, rest)| rest.split(' ').next()).unwrap_or_default()
}

impl Inspection {
    /// Checks the steps that were applied, and that this version has them with the same text; one check alone when
    /// there is no schema at all.
    ///
    /// # Errors
    /// The database's error.
    pub(super) async fn check_steps(&mut self) -> sqlx::Result<Vec<Findings>> {
        let [mut found, mut texts] = [VERSION, TEXT].map(|check| self.none_of(check));
        if let Inspected::Sqlite(connection, _) = &mut self.connection
            && let Content::Foreign(why) = content(connection).await?
        {
            let mut found = self.none_of(FOREIGN_FILE);
            found.add("", "", format!("there is no schema: the file is another program's database ({why})"));
            return Ok(vec![found]);
        }
        let exists = match self.is_postgres() {
            true => "SELECT 'x' WHERE to_regclass('_sqlx_migrations') IS NOT NULL",
            false => "SELECT name FROM sqlite_master WHERE name = '_sqlx_migrations'",
        };
        if self.all(exists).await?.is_empty() {
            found.add("", "", "there is no schema: the database is empty, or another program's");
            return Ok(vec![found]);
        }
        let newest = newest_step();
        let (steps, checksum) = match self.is_postgres() {
            true => (migrator(|step| step.postgres), "encode(checksum, 'hex')"),
            false => (migrator(|step| step.sqlite), "lower(hex(checksum))"),
        };
        let sql = format!(
            "SELECT CAST(version AS TEXT), CASE WHEN success THEN 'yes' ELSE 'no' END, {checksum}
             FROM _sqlx_migrations ORDER BY version"
        );
        let mut applied = Vec::new();
        for row in self.all(&sql).await? {
            let version: i64 = text(&row, 0).parse().unwrap_or(0);
            applied.push(version);
            // The service does not start on such a step.
            if steps.iter().any(|step| step.version == version && hex(&step.checksum) != text(&row, 2)) {
                texts.add("", "", format!("step {version} was applied with another text than that of this version"));
            }
            if text(&row, 1) != "yes" {
                found.add("", "", format!("step {version} has failed in the middle"));
            }
            if version > newest {
                found.add(
                    "",
                    "",
                    format!("step {version} is of a newer version: only its `doctor` knows all invariants"),
                );
            }
        }
        for step in (1..=newest).filter(|step| !applied.contains(step)) {
            found.add("", "", format!("step {step} is missing"));
        }
        Ok(vec![found, texts])
    }

    /// Checks tables, columns, keys and indexes.
    ///
    /// # Errors
    /// The database's error.
    pub(super) async fn check_schema(&mut self) -> sqlx::Result<Vec<Findings>> {
        let (tables, columns, keys) = self.check_tables().await?;
        Ok(vec![tables, columns, keys, self.check_foreign_keys().await?, self.check_indexes().await?])
    }

    async fn check_tables(&mut self) -> sqlx::Result<(Findings, Findings, Findings)> {
        let [mut tables, mut columns, mut keys] = [TABLE, COLUMN, KEY].map(|check| self.none_of(check));
        // Table, column, its type as `ExpectedTable` writes it, and its place in the primary key.
        let sql = match self.is_postgres() {
            true => {
                "SELECT CAST(c.table_name AS TEXT), CAST(c.column_name AS TEXT),
                   CASE c.data_type WHEN 'text' THEN CASE WHEN c.collation_name = 'C' THEN 'id' ELSE 'text' END
                     WHEN 'bigint' THEN 'int' WHEN 'boolean' THEN 'bool' ELSE CAST(c.data_type AS TEXT) END
                     || CASE WHEN c.is_nullable = 'YES' THEN '?' ELSE '' END,
                   CAST(COALESCE(array_position(CAST(p.conkey AS INT[]), CAST(c.ordinal_position AS INT)), 0) AS TEXT)
                 FROM information_schema.columns c
                 LEFT JOIN pg_constraint p ON p.contype = 'p'
                   AND p.conrelid = to_regclass(quote_ident(c.table_schema) || '.' || quote_ident(c.table_name))
                 WHERE c.table_schema = current_schema()"
            }
            false => {
                "SELECT m.name, p.name, CASE upper(p.type) WHEN 'TEXT' THEN 'text' WHEN 'BIGINT' THEN 'int'
                   ELSE lower(p.type) END || CASE WHEN p.\"notnull\" = 0 AND p.pk = 0 THEN '?' ELSE '' END,
                   CAST(p.pk AS TEXT)
                 FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'"
            }
        };
        let mut stored: BTreeMap<String, BTreeMap<String, (String, String)>> = BTreeMap::new();
        for row in self.all(sql).await? {
            let column = (text(&row, 2).to_owned(), text(&row, 3).to_owned());
            stored.entry(text(&row, 0).to_owned()).or_default().insert(text(&row, 1).to_owned(), column);
        }
        for table in EXPECTED_TABLES.iter().filter(|table| self.is_postgres() || !table.only_postgres) {
            let Some(stored) = stored.get(table.name) else {
                tables.add("", "", format!("table {} is missing", table.name));
                continue;
            };
            for (at, (name, kind)) in table.columns.iter().enumerate() {
                let Some((stored, place)) = stored.get(*name) else {
                    columns.add("", "", format!("column {}.{name} is missing", table.name));
                    continue;
                };
                // In a file every text compares bytewise.
                let kind = if self.is_postgres() { (*kind).to_owned() } else { kind.replace("id", "text") };
                if *stored != kind {
                    columns.add("", "", format!("column {}.{name} is {stored} instead of {kind}", table.name));
                }
                if (if at < table.key { at + 1 } else { 0 }).to_string() != *place {
                    keys.add("", "", format!("the primary key of {} differs at column {name}", table.name));
                }
            }
        }
        Ok((tables, columns, keys))
    }

    async fn check_foreign_keys(&mut self) -> sqlx::Result<Findings> {
        let mut found = self.none_of(FOREIGN);
        let sql = match self.is_postgres() {
            true => {
                "SELECT CAST(t.relname AS TEXT), replace(pg_get_constraintdef(f.oid), ' NOT VALID', ''),
                   CASE WHEN f.convalidated THEN 'yes' ELSE 'no' END
                 FROM pg_constraint f JOIN pg_class t ON t.oid = f.conrelid
                 JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = current_schema() WHERE f.contype = 'f'"
            }
            false => {
                "SELECT m.name, 'FOREIGN KEY (' || group_concat(f.\"from\", ', ' ORDER BY f.seq) || ') REFERENCES '
                   || f.\"table\" || ' (' || group_concat(f.\"to\", ', ' ORDER BY f.seq) || ')'
                   || CASE f.on_update WHEN 'NO ACTION' THEN '' ELSE ' ON UPDATE ' || f.on_update END
                   || CASE f.on_delete WHEN 'NO ACTION' THEN '' ELSE ' ON DELETE ' || f.on_delete END, 'yes'
                 FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'
                 GROUP BY m.name, f.id"
            }
        };
        let stored = self.all(sql).await?;
        for &(table, expected) in FOREIGN_KEYS {
            let of_table = || stored.iter().filter(move |row| text(row, 0) == table);
            // As far as its first column, which no other key of the table has.
            let first_column = |sql: &str| plain(sql).into_iter().take(3).collect::<Vec<_>>();
            let same = of_table().find(|row| plain(text(row, 1)) == plain(expected));
            let other = of_table().find(|row| first_column(text(row, 1)) == first_column(expected));
            match (same, other) {
                (Some(row), _) if text(row, 2) != "yes" => {
                    found.add("", "", format!("a foreign key of {table} was never validated: {expected}"));
                }
                (Some(_), _) => {}
                (None, Some(row)) => {
                    found.add("", "", format!("a foreign key of {table} is {} instead of {expected}", text(row, 1)));
                }
                (None, None) => found.add("", "", format!("a foreign key of {table} is missing: {expected}")),
            }
        }
        Ok(found)
    }

    async fn check_indexes(&mut self) -> sqlx::Result<Findings> {
        let mut found = self.none_of(INDEX);
        let sql = match self.is_postgres() {
            true => {
                "SELECT CAST(c.relname AS TEXT), replace(replace(pg_get_indexdef(i.indexrelid),
                     ' ON ' || quote_ident(n.nspname) || '.', ' ON '), ' USING btree', ''),
                   CASE WHEN i.indisvalid THEN 'yes' ELSE 'no' END
                 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                 JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = current_schema()"
            }
            false => "SELECT name, sql, 'yes' FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
        };
        let stored = self.all(sql).await?;
        for (expected, only_postgres) in INDEXES {
            if *only_postgres && !self.is_postgres() {
                continue;
            }
            let name = index_name(expected);
            match stored.iter().find(|row| text(row, 0) == name) {
                None => found.add("", "", format!("index {name} is missing")),
                Some(row) if plain(text(row, 1)) != plain(expected) => {
                    found.add("", "", format!("index {name} is another one: {}", text(row, 1)));
                }
                Some(row) if text(row, 2) != "yes" => found.add("", "", format!("index {name} is not valid")),
                Some(_) => {}
            }
        }
        Ok(found)
    }
}

/// A field of a row; empty for NULL.
pub(super) fn text(row: &Fields, at: usize) -> &str {
    row.get(at).and_then(Option::as_deref).unwrap_or_default()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The words of a definition: the two databases put brackets and spaces differently.
fn plain(sql: &str) -> Vec<String> {
    let words = sql.split(|c: char| c.is_whitespace() || "(),\"".contains(c)).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}
