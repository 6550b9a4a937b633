-- The twin of the step of this name for SQLite. Who may not speak for a time, and who has a role for a time. Times in milliseconds since the epoch.

CREATE TABLE mutes (
    guid     TEXT COLLATE "C" NOT NULL REFERENCES groups (guid),
    uid      TEXT COLLATE "C" NOT NULL,
    reason   TEXT,
    until_at BIGINT NOT NULL,
    by_uid   TEXT,
    at       BIGINT NOT NULL,
    message  TEXT,
    PRIMARY KEY (guid, uid)
);

CREATE INDEX mutes_by_end ON mutes (until_at);

-- `scope` is the member's until `until_at`, `lasting_scope` afterwards. A row means nothing once the member has another
-- scope than `scope`: the version before does not know this table.
CREATE TABLE temporary_scopes (
    guid          TEXT COLLATE "C" NOT NULL,
    uid           TEXT COLLATE "C" NOT NULL,
    scope         BIGINT NOT NULL,
    lasting_scope BIGINT NOT NULL,
    until_at      BIGINT NOT NULL,
    PRIMARY KEY (guid, uid),
    FOREIGN KEY (guid, uid) REFERENCES members (guid, uid) ON DELETE CASCADE
);

CREATE INDEX temporary_scopes_by_end ON temporary_scopes (until_at);
