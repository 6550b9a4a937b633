-- The twin of the step of this name for SQLite. Ids compare bytewise, as they do there.

-- Facts about this database. `epoch` names this history of events: a restored backup gets another.
CREATE TABLE facts (
    name  TEXT COLLATE "C" PRIMARY KEY,
    value TEXT NOT NULL
);

-- Everybody the host has told us of. `sort_key` is made from the name when it is
-- written, so that every node and every database sorts alike.
CREATE TABLE users (
    uid        TEXT COLLATE "C" PRIMARY KEY,
    name       TEXT NOT NULL,
    avatar     TEXT,
    sort_key   TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- The group row is the lock and the clock: an act begins by raising `seq`. A deleted group keeps
-- its row, so that its numbers go on if a group of that id comes back.
CREATE TABLE groups (
    guid        TEXT COLLATE "C" PRIMARY KEY,
    name        TEXT NOT NULL,
    type        TEXT NOT NULL,
    password    TEXT,
    icon        TEXT,
    description TEXT,
    seq         BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    deleted_at  BIGINT
);

-- Who is in. `scope`: 0 participant, 1 moderator, 2 admin, 3 owner. `seq`: the event that last
-- changed the row. `joined_at` in seconds, every other time in milliseconds since the epoch.
CREATE TABLE members (
    guid      TEXT COLLATE "C" NOT NULL REFERENCES groups (guid),
    uid       TEXT COLLATE "C" NOT NULL REFERENCES users (uid),
    scope     BIGINT NOT NULL,
    joined_at BIGINT NOT NULL,
    seq       BIGINT NOT NULL,
    PRIMARY KEY (guid, uid)
);

-- A second owner is impossible even for a bug.
CREATE UNIQUE INDEX one_owner ON members (guid) WHERE scope = 3;
CREATE INDEX members_by_user ON members (uid);

-- Who may not come in, until when (NULL: until lifted), and why. Banned people need not be known.
CREATE TABLE bans (
    guid     TEXT COLLATE "C" NOT NULL REFERENCES groups (guid),
    uid      TEXT COLLATE "C" NOT NULL,
    reason   TEXT,
    until_at BIGINT,
    by_uid   TEXT,
    at       BIGINT NOT NULL,
    PRIMARY KEY (guid, uid)
);

CREATE INDEX bans_by_end ON bans (until_at) WHERE until_at IS NOT NULL;

-- How the present came about: feed of rosters, streams and other nodes, and the audit trail.
CREATE TABLE events (
    guid     TEXT COLLATE "C" NOT NULL,
    seq      BIGINT NOT NULL,
    kind     TEXT NOT NULL,
    at       BIGINT NOT NULL,
    by_uid   TEXT,
    by_name  TEXT,
    reason   TEXT,
    until_at BIGINT,
    PRIMARY KEY (guid, seq)
);

-- The members an event touched, before and after. A bulk sync writes all of them under its one
-- number and leaves the descriptive columns empty.
CREATE TABLE touched (
    guid      TEXT COLLATE "C" NOT NULL,
    seq       BIGINT NOT NULL,
    uid       TEXT COLLATE "C" NOT NULL,
    old_scope BIGINT,
    new_scope BIGINT,
    name      TEXT,
    avatar    TEXT,
    joined_at BIGINT,
    PRIMARY KEY (guid, seq, uid)
);

-- Acts that were done under an Idempotency-Key, so that a repeated request is not a second act.
CREATE TABLE idempotency (
    guid   TEXT COLLATE "C" NOT NULL,
    caller TEXT COLLATE "C" NOT NULL,
    key    TEXT COLLATE "C" NOT NULL,
    act    TEXT NOT NULL,
    at     BIGINT NOT NULL,
    PRIMARY KEY (guid, caller, key)
);

CREATE INDEX idempotency_by_age ON idempotency (at);
