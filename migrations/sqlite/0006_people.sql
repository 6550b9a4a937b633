-- People's rights: logging out everywhere, and erasure.

-- Who was logged out everywhere, and when. `person` is the pseudonym of the uid, not the uid: the row outlives an
-- erasure. `version` rises with every change, so that nodes read only what is new to them.
CREATE TABLE logouts (
    person  TEXT PRIMARY KEY,
    at      BIGINT NOT NULL,
    version BIGINT NOT NULL
) WITHOUT ROWID;

CREATE INDEX logouts_by_version ON logouts (version);

-- Erasures that have begun and not ended, so that any node can finish them after a crash. The row goes last.
-- `left_at`: when the person had left every group; until then the log is not rewritten.
CREATE TABLE erasures (
    uid       TEXT PRIMARY KEY,
    pseudonym TEXT NOT NULL,
    at        BIGINT NOT NULL,
    left_at   BIGINT
) WITHOUT ROWID;

-- The group's last event when an erasure rewrote its log: what was seen up to there cannot be resumed.
ALTER TABLE groups ADD COLUMN rewritten_seq BIGINT NOT NULL DEFAULT 0;

-- What one person did and what was done to them, in every group: for exports and erasures.
CREATE INDEX touched_by_user ON touched (uid, guid, seq);
CREATE INDEX events_by_actor ON events (by_uid, guid, seq) WHERE by_uid IS NOT NULL;
