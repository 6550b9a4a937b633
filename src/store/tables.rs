//! The tables and their columns.

/// A table that moves from one database to the other as it is.
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: &'static str,
    /// Both databases order by it alike: ids compare bytewise.
    key: &'static str,
}

/// What moves, referenced tables first. Facts move too, but not as they are.
pub(super) const TABLES: [Table; 7] = [
    Table { name: "users", columns: "uid, name, avatar, sort_key, created_at, updated_at", key: "uid" },
    Table {
        name: "groups",
        columns: "guid, name, type, password, icon, description, seq, created_at, updated_at, deleted_at",
        key: "guid",
    },
    Table { name: "members", columns: "guid, uid, scope, joined_at, seq", key: "guid, uid" },
    Table { name: "bans", columns: "guid, uid, reason, until_at, by_uid, at", key: "guid, uid" },
    Table { name: "events", columns: "guid, seq, kind, at, by_uid, by_name, reason, until_at", key: "guid, seq" },
    Table {
        name: "touched",
        columns: "guid, seq, uid, old_scope, new_scope, name, avatar, joined_at",
        key: "guid, seq, uid",
    },
    Table { name: "idempotency", columns: "guid, caller, key, act, at", key: "guid, caller, key" },
];

impl Table {
    /// All of its rows, in the order of its key.
    pub(super) fn select(&self) -> String {
        format!("SELECT {} FROM {} ORDER BY {}", self.columns, self.name, self.key)
    }
}
