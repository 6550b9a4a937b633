//! Faults that are injected into a sound database, each with the check that names it.

/// What breaks an invariant, and what the doctor says of it.
pub struct Fault {
    /// The check that finds it.
    pub check: &'static str,
    /// The group that is named; empty when none is.
    pub group: &'static str,
    /// The user who is named; empty when none is.
    pub uid: &'static str,
    /// SQL for both databases, after foreign keys and indexes are out of its way.
    pub sql: &'static str,
}

impl Fault {
    /// What a report names: check, group, user.
    pub fn finding(&self) -> (String, String, String) {
        (self.check.to_owned(), self.group.to_owned(), self.uid.to_owned())
    }
}

macro_rules! faults {
    ($($check:literal $group:literal $uid:literal: $sql:literal;)+) => {
        pub const FAULTS: &[Fault] =
            &[$(Fault { check: $check, group: $group, uid: $uid, sql: $sql }),+];
    };
}

faults! {
    "schema-version" "" "": "INSERT INTO _sqlx_migrations (version, description, installed_on, success, checksum, execution_time)
        SELECT 9999, 'of the future', installed_on, success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1";
    "schema-version" "" "": "DELETE FROM _sqlx_migrations WHERE version = 9";
    "schema-text" "" "": "UPDATE _sqlx_migrations SET checksum = (SELECT o.checksum FROM _sqlx_migrations o WHERE o.version = 8)
        WHERE version = 9";
    "schema-table" "" "": "DROP TABLE erasure_positions";
    "schema-column" "" "": "ALTER TABLE users DROP COLUMN status_message";
    "schema-default" "" "": "ALTER TABLE groups DROP COLUMN rewritten_seq;
        ALTER TABLE groups ADD COLUMN rewritten_seq BIGINT NOT NULL DEFAULT 1";
    "schema-index" "" "": "DROP INDEX one_owner";
    "schema-index" "" "": "DROP INDEX members_by_user; CREATE INDEX members_by_user ON members (guid)";
    "schema-foreign-key" "" "": "DROP TABLE temporary_scopes;
        CREATE TABLE temporary_scopes (guid TEXT NOT NULL, uid TEXT NOT NULL, scope BIGINT NOT NULL, lasting_scope BIGINT NOT NULL,
          until_at BIGINT NOT NULL, PRIMARY KEY (guid, uid), FOREIGN KEY (guid, uid) REFERENCES members (guid, uid));
        CREATE INDEX temporary_scopes_by_end ON temporary_scopes (until_at)";
    "facts" "" "": "DELETE FROM facts WHERE name = 'epoch'";
    "users-uid" "" "a b": "INSERT INTO users (uid, name, sort_key, created_at, updated_at)
        SELECT 'a b', name, sort_key, created_at, updated_at FROM users WHERE uid = 'dee'";
    "users-name" "" "dee": "UPDATE users SET name = '' WHERE uid = 'dee'";
    "users-sort-key" "" "dee": "UPDATE users SET name = 'Aaron' WHERE uid = 'dee'";
    "users-details" "" "dee": "UPDATE users SET metadata = '[1' WHERE uid = 'dee'";
    "users-times" "" "dee": "UPDATE users SET updated_at = 99999999999999 WHERE uid = 'dee'";
    "groups-name" "den" "": "UPDATE groups SET name = ' ' WHERE guid = 'den'";
    "groups-type" "den" "": "UPDATE groups SET type = 'secret' WHERE guid = 'den'";
    "groups-password" "den" "": "UPDATE groups SET type = 'password' WHERE guid = 'den'";
    "groups-password" "den" "": "UPDATE groups SET type = 'password', password = '$argon2id$x' WHERE guid = 'den'";
    "groups-password" "den" "": "UPDATE groups SET type = 'password', password = '$argon2id$v=19$m=x,t=,p=$a$b' WHERE guid = 'den'";
    "groups-password" "den" "": "UPDATE groups SET type = 'password',
        password = '$argon2id$v=19$m=x,t=2,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNo' WHERE guid = 'den'";
    "groups-password" "den" "": "UPDATE groups SET password = '$argon2id$x' WHERE guid = 'den'";
    "groups-number" "den" "": "UPDATE groups SET seq = seq + 5 WHERE guid = 'den'";
    "groups-number" "den" "": "DELETE FROM events WHERE guid = 'den'";
    "groups-rewritten" "den" "": "UPDATE groups SET rewritten_seq = 99 WHERE guid = 'den'";
    "groups-times" "den" "": "UPDATE groups SET created_at = 1700000000 WHERE guid = 'den'";
    "groups-details" "den" "": "UPDATE groups SET tags = '{}' WHERE guid = 'den'";
    "members-without-user" "den" "dee": "DELETE FROM users WHERE uid = 'dee'";
    "members-without-group" "lost" "dee": "INSERT INTO members (guid, uid, scope, joined_at, seq) VALUES ('lost', 'dee', 0, 1700000000, 1)";
    "members-of-deleted-group" "den" "dee": "UPDATE groups SET deleted_at = updated_at WHERE guid = 'den'";
    "members-scope" "den" "dee": "UPDATE members SET scope = 7 WHERE uid = 'dee'";
    "members-hidden" "den" "dee": "UPDATE members SET scope = -1, seq = -5 WHERE uid = 'dee'";
    "members-number" "den" "dee": "UPDATE members SET seq = 99 WHERE uid = 'dee'";
    "members-joined" "den" "dee": "UPDATE members SET joined_at = 1700000000000 WHERE uid = 'dee'";
    "members-banned" "den" "dee": "INSERT INTO bans (guid, uid, at) VALUES ('den', 'dee', 1700000000000)";
    "members-touched" "den" "dee": "DELETE FROM touched WHERE uid = 'dee'";
    "members-logged" "den" "dee": "UPDATE members SET scope = 1 WHERE uid = 'dee'";
    "owners" "den" "ada": "DROP INDEX one_owner; UPDATE members SET scope = 3 WHERE guid = 'den'";
    "bans-without-group" "lost" "flo": "INSERT INTO bans (guid, uid, at) VALUES ('lost', 'flo', 1700000000000)";
    "bans-of-deleted-group" "den" "flo": "INSERT INTO bans (guid, uid, at) VALUES ('den', 'flo', 1700000000000);
        UPDATE groups SET deleted_at = updated_at WHERE guid = 'den'";
    "bans-uid" "den" "f.o": "INSERT INTO bans (guid, uid, at) VALUES ('den', 'f.o', 1700000000000)";
    "bans-times" "den" "flo": "INSERT INTO bans (guid, uid, at, until_at) VALUES ('den', 'flo', 1700000000000, 1700000000)";
    "mutes-without-group" "lost" "flo": "INSERT INTO mutes (guid, uid, at, until_at) VALUES ('lost', 'flo', 1700000000000, 1900000000000)";
    "mutes-of-deleted-group" "den" "flo": "INSERT INTO mutes (guid, uid, at, until_at) VALUES ('den', 'flo', 1700000000000, 1900000000000);
        UPDATE groups SET deleted_at = updated_at WHERE guid = 'den'";
    "mutes-uid" "den" "f.o": "INSERT INTO mutes (guid, uid, at, until_at) VALUES ('den', 'f.o', 1700000000000, 1900000000000)";
    "mutes-times" "den" "flo": "INSERT INTO mutes (guid, uid, at, until_at) VALUES ('den', 'flo', 1700000000000, 1700000000)";
    "temporary-scopes-member" "den" "flo": "INSERT INTO temporary_scopes (guid, uid, scope, lasting_scope, until_at)
        VALUES ('den', 'flo', 1, 0, 1900000000000)";
    "temporary-scopes-scope" "den" "dee": "INSERT INTO temporary_scopes (guid, uid, scope, lasting_scope, until_at)
        VALUES ('den', 'dee', 1, 2, 1900000000000)";
    "temporary-scopes-times" "den" "dee": "INSERT INTO temporary_scopes (guid, uid, scope, lasting_scope, until_at)
        VALUES ('den', 'dee', 1, 0, 1900000000)";
    "notes-without-group" "lost" "flo": "INSERT INTO notes (guid, uid, seq, text, by_uid, at) VALUES ('lost', 'flo', 1, 'x', 'ada', 1700000000000)";
    "notes-of-deleted-group" "den" "flo": "INSERT INTO notes (guid, uid, seq, text, by_uid, at) VALUES ('den', 'flo', 1, 'x', 'ada', 1700000000000);
        UPDATE groups SET deleted_at = updated_at WHERE guid = 'den'";
    "notes-uid" "den" "f.o": "INSERT INTO notes (guid, uid, seq, text, by_uid, at) VALUES ('den', 'f.o', 1, 'x', 'ada', 1700000000000)";
    "notes-number" "den" "flo": "INSERT INTO notes (guid, uid, seq, text, by_uid, at) VALUES ('den', 'flo', 99, 'x', 'ada', 1700000000000)";
    "notes-text" "den" "flo": "INSERT INTO notes (guid, uid, seq, text, by_uid, at) VALUES ('den', 'flo', 1, '', 'ada', 1700000000000)";
    "notes-times" "den" "flo": "INSERT INTO notes (guid, uid, seq, text, by_uid, at) VALUES ('den', 'flo', 1, 'x', 'ada', 1700000000)";
    "events-without-group" "lost" "": "INSERT INTO events (guid, seq, kind, at) VALUES ('lost', 1, 'group_created', 1700000000000)";
    "events-kind" "den" "": "UPDATE events SET kind = 'member_waved' WHERE guid = 'den' AND seq = 2";
    "events-cause" "den" "": "UPDATE events SET cause = 'weather' WHERE guid = 'den' AND seq = 2";
    "events-undo" "den" "": "UPDATE events SET undoes = 2 WHERE guid = 'den' AND seq = 2";
    "events-number" "den" "": "UPDATE groups SET seq = 1 WHERE guid = 'den'";
    "events-gap" "den" "": "DELETE FROM events WHERE guid = 'den' AND seq = 2";
    "events-gap" "den" "": "DELETE FROM events WHERE guid = 'den' AND seq = 1";
    "events-touched" "den" "": "INSERT INTO events (guid, seq, kind, at)
        SELECT guid, seq + 1, 'member_left', at FROM events WHERE guid = 'den' ORDER BY seq DESC LIMIT 1;
        UPDATE groups SET seq = seq + 1 WHERE guid = 'den'";
    "events-times" "den" "": "UPDATE events SET at = 0 WHERE guid = 'den' AND seq = 2";
    "events-order" "den" "": "UPDATE events SET at = at - 60000 WHERE guid = 'den' AND seq = 3";
    "events-actor" "den" "a/b": "UPDATE events SET by_uid = 'a/b' WHERE guid = 'den' AND seq = 2";
    "events-id" "den" "": "UPDATE events SET id = 'x' WHERE guid = 'den' AND seq = 2";
    "events-id" "den" "": "UPDATE events SET id = 'evt_0000000000000000000000000000000g' WHERE guid = 'den' AND seq = 2";
    "events-id-twice" "den" "": "UPDATE events SET id = 'evt_00000000000000000000000000000000' WHERE guid = 'den'";
    "touched-without-event" "den" "zoe": "INSERT INTO touched (guid, seq, uid) VALUES ('den', 77, 'zoe')";
    "touched-scope" "den" "dee": "UPDATE touched SET new_scope = 9 WHERE uid = 'dee'";
    "touched-restrictions" "den" "zoe": "INSERT INTO touched (guid, seq, uid, old_restrictions) VALUES ('den', 2, 'zoe', 'ban')";
    "touched-restrictions" "den" "zoe": "INSERT INTO touched (guid, seq, uid, new_restrictions) VALUES ('den', 2, 'zoe', '{\"ban\":{}}')";
    "touched-restrictions" "den" "zoe": "INSERT INTO touched (guid, seq, uid, old_restrictions)
        VALUES ('den', 2, 'zoe', '{\"ban\":{\"at\":\"noon\"}}')";
    "touched-restrictions" "den" "zoe": "INSERT INTO touched (guid, seq, uid, new_restrictions)
        VALUES ('den', 2, 'zoe', '{\"mute\":{\"at\":1,\"by\":\"a/b\"}}')";
    "touched-restrictions" "den" "zoe": "INSERT INTO touched (guid, seq, uid, old_restrictions)
        VALUES ('den', 2, 'zoe', '{\"scope\":{\"lasting\":9,\"until\":1}}')";
    "touched-uid" "den" "z?": "INSERT INTO touched (guid, seq, uid) VALUES ('den', 2, 'z?')";
    "idempotency-group" "lost" "": "INSERT INTO idempotency (guid, caller, key, act, at) VALUES ('lost', 'dee', 'k', 'join', 1700000000000)";
    "idempotency-caller" "den" "d e": "INSERT INTO idempotency (guid, caller, key, act, at) VALUES ('den', 'd e', 'k', 'join', 1700000000000)";
    "idempotency-times" "den" "dee": "INSERT INTO idempotency (guid, caller, key, act, at) VALUES ('den', 'dee', 'k', 'join', 5)";
    "sync-rows-without-sync" "" "dee": "INSERT INTO sync_rows (sync, uid, line, scope) VALUES (5, 'dee', 1, 0)";
    "syncs-phase" "den" "": "INSERT INTO syncs (sync, guid, alive_at, phase) VALUES (5, 'den', 0, 9)";
    "sync-renames-group" "lost" "dee": "INSERT INTO sync_renames (guid, uid) VALUES ('lost', 'dee')";
    "outbox-lanes" "" "": "INSERT INTO outbox_lanes (lane, seq) VALUES ('dee', 1)";
    "outbox-number" "" "dee": "INSERT INTO outbox (lane, seq, id, kind, data, at) VALUES ('@dee', 4, 'e', 'user.deleted', '{}', 1700000000000)";
    "outbox-kind" "" "dee": "INSERT INTO outbox_lanes (lane, seq) VALUES ('@dee', 1);
        INSERT INTO outbox (lane, seq, id, kind, data, at) VALUES ('@dee', 1, 'e', 'user.waved', '{}', 1700000000000)";
    "outbox-data" "" "dee": "INSERT INTO outbox_lanes (lane, seq) VALUES ('@dee', 1);
        INSERT INTO outbox (lane, seq, id, kind, data, at) VALUES ('@dee', 1, 'e', 'user.deleted', '{', 1700000000000)";
    "outbox-times" "" "dee": "INSERT INTO outbox_lanes (lane, seq) VALUES ('@dee', 1);
        INSERT INTO outbox (lane, seq, id, kind, data, at) VALUES ('@dee', 1, 'e', 'user.deleted', '{}', 7)";
    "sync-rows-state" "den" "dee": "INSERT INTO syncs (sync, guid, alive_at, phase) VALUES (5, 'den', 0, 0);
        INSERT INTO sync_rows (sync, uid, line, scope, state) VALUES (5, 'dee', 1, 0, 9)";
    "groups-guid" "d n" "": "INSERT INTO groups (guid, name, type, seq, created_at, updated_at)
        SELECT 'd n', name, type, 0, created_at, updated_at FROM groups WHERE guid = 'den'";
    "webhook-endpoint-numbers" "" "": "INSERT INTO webhook_endpoints VALUES ('w', 'https://hook.example', 'active', 1, -1, 0, 0, '', 0)";
    "webhook-positions-numbers" "den" "": "INSERT INTO webhook_endpoints VALUES ('w', 'https://hook.example', 'active', 1, 0, 0, 0, '', 0);
        INSERT INTO webhook_positions VALUES ('w', 'den', 1, '', 0, 0, 0, 0, -1, 0, 0)";
    "webhook-state" "" "": "INSERT INTO webhook_endpoints VALUES ('w', 'https://hook.example', 'asleep', 1, 0, 0, 0, '', 0)";
    "webhook-positions-endpoint" "den" "": "INSERT INTO webhook_positions VALUES ('w', 'den', 1, '', 0, 0, 0, 0, 0, 0, 0)";
    "webhook-positions-group" "lost" "": "INSERT INTO webhook_endpoints VALUES ('w', 'https://hook.example', 'active', 1, 0, 0, 0, '', 0);
        INSERT INTO webhook_positions VALUES ('w', 'lost', 1, '', 0, 0, 0, 0, 0, 0, 0)";
    "webhook-positions-lane" "" "dee": "INSERT INTO webhook_endpoints VALUES ('w', 'https://hook.example', 'active', 1, 0, 0, 0, '', 0);
        INSERT INTO webhook_positions VALUES ('w', '@dee', 1, '', 0, 0, 0, 0, 0, 0, 0)";
    "webhook-positions-number" "den" "": "INSERT INTO webhook_endpoints VALUES ('w', 'https://hook.example', 'active', 1, 0, 0, 0, '', 0);
        INSERT INTO webhook_positions VALUES ('w', 'den', 99, '', 0, 0, 0, 0, 0, 0, 0)";
    "logouts" "" "dee": "INSERT INTO logouts (person, at, version) VALUES ('dee', 1700000000000, 1)";
    "erasures" "" "dee": "INSERT INTO erasures (uid, pseudonym, at) VALUES ('dee', 'nobody', 1700000000000)";
    "erasure-positions" "den" "dee": "INSERT INTO erasure_positions (uid, guid, seq) VALUES ('dee', 'den', 99)";
    "erasure-positions-without-erasure" "den" "dee": "INSERT INTO erasure_positions (uid, guid, seq) VALUES ('dee', 'den', 1)";
    "erasure-positions-without-group" "lost" "dee": "INSERT INTO erasures (uid, pseudonym, at) VALUES ('dee', 'erased-1', 1700000000000);
        INSERT INTO erasure_positions (uid, guid, seq) VALUES ('dee', 'lost', 0)";
    "reported-presence" "" "dee": "INSERT INTO reported_presence (uid, status) VALUES ('dee', 'asleep')";
    "presence-reporter" "" "": "DELETE FROM presence_reporter";
}

/// Faults that only a file can have.
pub const OF_FILES: &[Fault] = &[
    Fault { check: "column-types", group: "den", uid: "dee", sql: "UPDATE members SET joined_at = 'noon' WHERE uid = 'dee'" },
    Fault { check: "foreign-keys", group: "", uid: "", sql: "DELETE FROM users WHERE uid = 'dee'" },
    Fault {
        check: "schema-foreign-key",
        group: "",
        uid: "",
        sql: "DROP TABLE temporary_scopes;
              CREATE TABLE temporary_scopes (guid TEXT NOT NULL, uid TEXT NOT NULL, scope BIGINT NOT NULL,
                lasting_scope BIGINT NOT NULL, until_at BIGINT NOT NULL, PRIMARY KEY (guid, uid),
                FOREIGN KEY (guid, uid) REFERENCES members (uid, guid) ON DELETE CASCADE);
              CREATE INDEX temporary_scopes_by_end ON temporary_scopes (until_at)",
    },
    Fault {
        check: "schema-foreign-key",
        group: "",
        uid: "",
        sql: "CREATE TABLE kept AS SELECT * FROM bans; DROP TABLE bans;
              CREATE TABLE bans (guid TEXT NOT NULL, uid TEXT NOT NULL, reason TEXT, until_at BIGINT, by_uid TEXT,
                at BIGINT NOT NULL, message TEXT, PRIMARY KEY (guid, uid)) WITHOUT ROWID; INSERT INTO bans SELECT * FROM kept",
    },
    Fault {
        check: "schema-primary-key",
        group: "",
        uid: "",
        sql: "DROP TABLE logouts; CREATE TABLE logouts (person TEXT NOT NULL, at BIGINT NOT NULL, version BIGINT NOT NULL);
              CREATE INDEX logouts_by_version ON logouts (version)",
    },
];

/// Faults that only PostgreSQL can have.
pub const OF_POSTGRES: &[Fault] = &[
    Fault {
        check: "schema-column",
        group: "",
        uid: "",
        sql: "ALTER TABLE users ALTER COLUMN sort_key TYPE TEXT COLLATE \"default\"",
    },
    Fault { check: "schema-column", group: "", uid: "", sql: "ALTER TABLE users ALTER COLUMN tags DROP NOT NULL" },
    Fault { check: "schema-primary-key", group: "", uid: "", sql: "ALTER TABLE logouts DROP CONSTRAINT logouts_pkey" },
    Fault {
        check: "schema-foreign-key",
        group: "",
        uid: "",
        sql: "ALTER TABLE members DROP CONSTRAINT members_uid_fkey",
    },
    Fault {
        check: "schema-index",
        group: "",
        uid: "",
        sql: "UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'members_by_user'::regclass",
    },
];
