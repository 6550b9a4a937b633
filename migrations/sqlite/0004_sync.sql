-- The version of the host's data that a group was last brought into step with; NULL before it named one.
ALTER TABLE groups ADD COLUMN sync_version BIGINT;

-- People of syncs that are on their way: written in small transactions, then applied in one. `sync` is the time
-- it began, in milliseconds since the epoch, times 2^20, and something random; `line` is that of the upload. Rows
-- of a sync that was not applied are deleted later.
CREATE TABLE sync_rows (
    sync      BIGINT NOT NULL,
    uid       TEXT NOT NULL,
    line      BIGINT NOT NULL,
    name      TEXT,
    avatar    TEXT,
    sort_key  TEXT,
    scope     BIGINT NOT NULL,
    joined_at BIGINT,
    PRIMARY KEY (sync, uid)
) WITHOUT ROWID;

-- Members who have another name or picture by a sync of another group, until their group has its event.
CREATE TABLE sync_renames (
    guid TEXT NOT NULL,
    uid  TEXT NOT NULL,
    PRIMARY KEY (guid, uid)
) WITHOUT ROWID;
