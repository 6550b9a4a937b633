-- The twin of the step of this name for SQLite. Unlogged like `sync_rows`: after a crash of the server both are
-- empty, and a sync without its row here is refused.
SET LOCAL lock_timeout = '2s';

-- Syncs on their way, so that what they have prepared is found and removed when their process is gone. `alive_at`: when
-- the sync last wrote anything, milliseconds since the epoch. `phase`: 0 on its way, 1 applied, 2 given up.
CREATE UNLOGGED TABLE syncs (
    sync     BIGINT PRIMARY KEY,
    guid     TEXT COLLATE "C" NOT NULL,
    alive_at BIGINT NOT NULL,
    phase    BIGINT NOT NULL
);

-- What was found out about a row before the sync is applied: 0 nothing yet, 1 to be applied, 2 the member is as listed,
-- 3 the member is inserted and hidden, 4 the same, and their user was inserted as well. A row with the scope -1 is
-- somebody who is not listed and leaves.
--
-- A hidden member has a negative scope (-1 less the scope to be) and the negative id of the sync as `seq`. Nothing but
-- that sync sees them, until it shows all of them at once.
ALTER TABLE sync_rows ADD COLUMN state BIGINT NOT NULL DEFAULT 0;
CREATE INDEX sync_rows_to_apply ON sync_rows (sync, state, uid) WHERE state = 1;
INSERT INTO syncs (sync, guid, alive_at, phase) SELECT DISTINCT sync, '', 0, 0 FROM sync_rows;
