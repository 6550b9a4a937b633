//! The tables, each with its columns in one list. The statements that insert, upsert and copy its rows are
//! composed from the list (`table.rs`), and a row to be written is a struct with a field for each column: a writer that
//! forgets a column does not compile. Which columns there are in the schema is compared by a test of `copy/`.

use super::table::{Table, selected, table};

/// The table of the database's metadata (`metadata.rs`), which is copied by its own rules.
pub(in crate::store) const FACTS: &str = "facts";

table! {
    /// Users, whom the host application reports. Times in Unix milliseconds.
    USERS = "users", UserValues<'r> {
        key { uid: &'r str, }
        values {
            name: &'r str,
            avatar: Option<&'r str>,
            sort_key: &'r str,
            created_at: i64,
            updated_at: i64,
            role: Option<&'r str>,
            link: Option<&'r str>,
            status_message: Option<&'r str>,
            metadata: Option<&'r str>,
            tags: &'r str,
        }
    }
}

table! {
    /// Groups. Times in Unix milliseconds.
    GROUPS = "groups", GroupValues<'r> {
        key { guid: &'r str, }
        values {
            name: &'r str,
            r#type: &'r str,
            password: Option<&'r str>,
            icon: Option<&'r str>,
            description: Option<&'r str>,
            seq: i64,
            created_at: i64,
            updated_at: i64,
            deleted_at: Option<i64>,
            metadata: Option<&'r str>,
            tags: &'r str,
            sync_version: Option<i64>,
            rewritten_seq: i64,
        }
    }
}

/// The columns of `members` beside its key, for [`MEMBERS`], for the struct that is read, and for `doctor`: each is an
/// integer that is never NULL.
macro_rules! members {
    ($($column:ident),+) => {
        table! {
            /// Memberships. `scope`: 0 participant, 1 moderator, 2 admin, 3 owner; below 0 the member is hidden. `joined_at` in Unix seconds.
            MEMBERS = "members", MemberValues<'r> {
                key { guid: &'r str, uid: &'r str, }
                values { $($column: i64,)+ }
            }
        }

        /// All its columns with their types, as `doctor` holds them against the schema.
        pub(in crate::store) const MEMBER_COLUMNS: &[(&str, &str)] =
            &[("guid", "id"), ("uid", "id"), $((stringify!($column), "int")),+];

        selected! {
            /// A membership as stored; NULL for somebody who is no member.
            pub(in crate::store) struct MembershipRow { $(pub(in crate::store) $column: Option<i64>,)+ }
        }

        impl MembershipRow {
            /// The columns in the order of the select list, each from `next`.
            ///
            /// # Errors
            /// The error of `next`.
            pub(in crate::store) fn read<E>(mut next: impl FnMut() -> Result<i64, E>) -> Result<MembershipRow, E> {
                Ok(MembershipRow { $($column: Some(next()?),)+ })
            }
        }
    };
}

members!(scope, joined_at, seq);

table! {
    /// Bans. Times in Unix milliseconds.
    BANS = "bans", BanValues<'r> {
        key { guid: &'r str, uid: &'r str, }
        values {
            reason: Option<&'r str>,
            until_at: Option<i64>,
            by_uid: Option<&'r str>,
            at: i64,
            message: Option<&'r str>,
        }
    }
}

table! {
    /// Mutes. Times in Unix milliseconds.
    MUTES = "mutes", MuteValues<'r> {
        key { guid: &'r str, uid: &'r str, }
        values {
            reason: Option<&'r str>,
            until_at: i64,
            by_uid: Option<&'r str>,
            at: i64,
            message: Option<&'r str>,
        }
    }
}

table! {
    /// Scopes that end. Times in Unix milliseconds.
    TEMPORARY_SCOPES = "temporary_scopes", TemporaryScopeValues<'r> {
        key { guid: &'r str, uid: &'r str, }
        values {
            scope: i64,
            lasting_scope: i64,
            until_at: i64,
        }
    }
}

table! {
    /// Notes of staff about people. `seq` is the event that added it; `at` in Unix milliseconds.
    NOTES = "notes", NoteValues<'r> {
        key { guid: &'r str, uid: &'r str, seq: i64, }
        values {
            text: &'r str,
            by_uid: &'r str,
            at: i64,
        }
    }
}

table! {
    /// The log. Times in Unix milliseconds.
    EVENTS = "events", EventValues<'r> {
        key { guid: &'r str, seq: i64, }
        values {
            kind: &'r str,
            at: i64,
            by_uid: Option<&'r str>,
            by_name: Option<&'r str>,
            reason: Option<&'r str>,
            until_at: Option<i64>,
            id: &'r str,
            cause: Option<&'r str>,
            undoes: Option<i64>,
            batch: Option<i64>,
            message: Option<&'r str>,
        }
    }
}

table! {
    /// The members that an event touched. `joined_at` in Unix seconds.
    TOUCHED = "touched", TouchedValues<'r> {
        key { guid: &'r str, seq: i64, uid: &'r str, }
        values {
            old_scope: Option<i64>,
            new_scope: Option<i64>,
            name: Option<&'r str>,
            avatar: Option<&'r str>,
            joined_at: Option<i64>,
            old_joined_at: Option<i64>,
            old_restrictions: Option<&'r str>,
            new_restrictions: Option<&'r str>,
        }
    }
}

table! {
    /// Acts that were done under an idempotency key. `at` in Unix milliseconds.
    IDEMPOTENCY = "idempotency", IdempotencyValues<'r> {
        key { guid: &'r str, caller: &'r str, key: &'r str, }
        values {
            act: &'r str,
            at: i64,
            batch: Option<i64>,
            left_out: Option<&'r str>,
        }
    }
}

table! {
    /// Logouts of people from all their sessions, by pseudonym. `at` in Unix milliseconds.
    LOGOUTS = "logouts", LogoutValues<'r> {
        key { person: &'r str, }
        values {
            at: i64,
            version: i64,
        }
    }
}

table! {
    /// The last event number of each lane of the outbox.
    OUTBOX_LANES = "outbox_lanes", OutboxLaneValues<'r> {
        key { lane: &'r str, }
        values { seq: i64, }
    }
}

table! {
    /// Events that belong to no group. Times in Unix milliseconds.
    OUTBOX = "outbox", OutboxValues<'r> {
        key { lane: &'r str, seq: i64, }
        values {
            id: &'r str,
            kind: &'r str,
            data: &'r str,
            at: i64,
            person: &'r str,
        }
    }
}

table! {
    /// Erasures that have begun and not ended. `at` in Unix milliseconds.
    ERASURES = "erasures", ErasureValues<'r> {
        key { uid: &'r str, }
        values {
            pseudonym: &'r str,
            at: i64,
            left_at: Option<i64>,
        }
    }
}

table! {
    /// The log position of each group when somebody who is being erased had left every group.
    ERASURE_POSITIONS = "erasure_positions", ErasurePositionValues<'r> {
        key { uid: &'r str, guid: &'r str, }
        values {
            seq: i64,
        }
    }
}

table! {
    /// Endpoints of webhooks. Times in Unix milliseconds.
    WEBHOOK_ENDPOINTS = "webhook_endpoints", WebhookEndpointValues<'r> {
        key { id: &'r str, }
        values {
            location: &'r str,
            state: &'r str,
            seen_at: i64,
            attempts: i64,
            due_at: i64,
            failing_since: i64,
            answer: &'r str,
            answered_at: i64,
        }
    }
}

table! {
    /// The positions of endpoints. Times in Unix milliseconds.
    WEBHOOK_POSITIONS = "webhook_positions", WebhookPositionValues<'r> {
        key { endpoint: &'r str, lane: &'r str, }
        values {
            seq: i64,
            token: &'r str,
            lease_until: i64,
            attempts: i64,
            due_at: i64,
            failing_since: i64,
            dead: i64,
            replay_seq: i64,
            replay_at: i64,
        }
    }
}

table! {
    /// People of syncs on their way; not copied.
    SYNC_ROWS = "sync_rows", SyncRowValues<'r> {
        key { sync: i64, uid: &'r str, }
        values {
            line: i64,
            name: Option<&'r str>,
            avatar: Option<&'r str>,
            sort_key: Option<&'r str>,
            scope: i64,
            joined_at: Option<i64>,
            state: i64,
            keeps_scope: i64,
            scope_until: Option<i64>,
        }
    }
}

/// Members whose new name or picture is yet to be announced to the group; written by `sync/apply.rs` alone.
const SYNC_RENAMES: Table = Table { name: "sync_renames", key: &["guid", "uid"], values: &[] };

/// The status of each person that webhooks were sent last; written by `webhooks/presence.rs` alone.
pub(in crate::store) const REPORTED_PRESENCE: Table =
    Table { name: "reported_presence", key: &["uid"], values: &["status"] };

/// The tables that are copied from one database to the other, referenced tables first.
pub(in crate::store) const TABLES: [&Table; 19] = [
    &USERS,
    &GROUPS,
    &MEMBERS,
    &BANS,
    &MUTES,
    &TEMPORARY_SCOPES,
    &NOTES,
    &EVENTS,
    &TOUCHED,
    &IDEMPOTENCY,
    &SYNC_RENAMES,
    &LOGOUTS,
    &ERASURES,
    &ERASURE_POSITIONS,
    &OUTBOX_LANES,
    &OUTBOX,
    &REPORTED_PRESENCE,
    &WEBHOOK_ENDPOINTS,
    &WEBHOOK_POSITIONS,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sql::table::OnConflict;

    #[test]
    fn a_row_that_is_stored_takes_every_value_but_those_that_are_excepted() {
        let members =
            MEMBERS.upsert(2, &[("joined_at", OnConflict::Keep), ("seq", OnConflict::Set("members.seq + 1"))]);
        assert_eq!(
            members,
            "INSERT INTO members (guid, uid, scope, joined_at, seq) VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?) \
             ON CONFLICT (guid, uid) DO UPDATE SET scope = excluded.scope, seq = members.seq + 1"
        );
        assert!(GROUPS.upsert(1, &[]).contains(" name, type, password, "), "a raw identifier is a plain column");
        assert_eq!(MembershipRow::columns("m"), "m.scope, m.joined_at, m.seq");
    }
}
