//! The tables and their columns.

/// The table of facts, which is copied by its own rules.
pub(super) const FACTS: &str = "facts";

/// A table that is copied from one database to the other as it is.
pub(super) struct Table {
    pub(super) name: &'static str,
    columns: &'static str,
    /// Both databases sort by it alike: ids compare bytewise.
    key: &'static str,
}

/// The tables that are copied, referenced tables first.
pub(super) const TABLES: [&Table; 7] = [
    &Table { name: "users", columns: "uid, name, avatar, sort_key, created_at, updated_at", key: "uid" },
    &Table {
        name: "groups",
        columns: "guid, name, type, password, icon, description, seq, created_at, updated_at, deleted_at",
        key: "guid",
    },
    &Table { name: "members", columns: "guid, uid, scope, joined_at, seq", key: "guid, uid" },
    &Table { name: "bans", columns: "guid, uid, reason, until_at, by_uid, at", key: "guid, uid" },
    &Table { name: "events", columns: "guid, seq, kind, at, by_uid, by_name, reason, until_at", key: "guid, seq" },
    &Table {
        name: "touched",
        columns: "guid, seq, uid, old_scope, new_scope, name, avatar, joined_at",
        key: "guid, seq, uid",
    },
    &Table { name: "idempotency", columns: "guid, caller, key, act, at", key: "guid, caller, key" },
];

impl Table {
    /// Its columns, separated by commas.
    pub(super) fn column_list(&self) -> String {
        self.columns.to_owned()
    }

    /// A statement that reads all rows, in the order of the key.
    pub(super) fn select_all(&self) -> String {
        format!("SELECT {} FROM {} ORDER BY {}", self.columns, self.name, self.key)
    }
}
