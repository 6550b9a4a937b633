-- The twin of the step of this name for SQLite.
SET LOCAL lock_timeout = '2s';

-- What an act needs to be put back: how each person stood before and after it, and why the event came about.

-- `cause`: viewer, host, ended, sync or undo; NULL in rows of the version before. `undoes`: the event that this one
-- puts back. `batch`: the first event of those that were made by one request. `message`: what the person is told.
ALTER TABLE events ADD COLUMN cause TEXT;
ALTER TABLE events ADD COLUMN undoes BIGINT;
ALTER TABLE events ADD COLUMN batch BIGINT;
ALTER TABLE events ADD COLUMN message TEXT;
ALTER TABLE bans ADD COLUMN message TEXT;

-- `old_joined_at`: when somebody had joined who was a member before, seconds since the epoch; `joined_at` is that of the
-- membership afterwards, or of the one that ended. `old_restrictions` and `new_restrictions`: what kept them out, as JSON; NULL
-- when nothing did.
ALTER TABLE touched ADD COLUMN old_joined_at BIGINT;
ALTER TABLE touched ADD COLUMN old_restrictions TEXT;
ALTER TABLE touched ADD COLUMN new_restrictions TEXT;

CREATE INDEX events_by_undone ON events (guid, undoes) WHERE undoes IS NOT NULL;
CREATE INDEX events_by_batch ON events (guid, batch) WHERE batch IS NOT NULL;
-- An erasure looks in them for the person who set them.
CREATE INDEX touched_with_restrictions ON touched (guid, seq) WHERE old_restrictions IS NOT NULL OR new_restrictions IS NOT NULL;
