-- The last event of each group that named somebody when they had left every group to be erased. Whoever comes by the
-- same uid before the erasure has ended is somebody else: later events keep the uid.
CREATE TABLE erasure_positions (
    uid  TEXT NOT NULL,
    guid TEXT NOT NULL,
    seq  BIGINT NOT NULL,
    PRIMARY KEY (uid, guid)
) WITHOUT ROWID;
