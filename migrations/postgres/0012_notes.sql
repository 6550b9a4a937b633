-- The twin of the step of this name for SQLite. Notes of staff about people, who may have left. `seq` is the event that added it. `at` in milliseconds since the epoch.

CREATE TABLE notes (
    guid   TEXT COLLATE "C" NOT NULL REFERENCES groups (guid),
    uid    TEXT COLLATE "C" NOT NULL,
    seq    BIGINT NOT NULL,
    text   TEXT NOT NULL,
    by_uid TEXT COLLATE "C" NOT NULL,
    at     BIGINT NOT NULL,
    PRIMARY KEY (guid, uid, seq)
);

CREATE INDEX notes_by_person ON notes (uid);
CREATE INDEX notes_by_author ON notes (by_uid);
