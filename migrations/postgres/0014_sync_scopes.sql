-- The twin of the step of this name for SQLite.
SET LOCAL lock_timeout = '2s';

-- People of syncs. `keeps_scope`: 1 for somebody listed without a scope, whose own stays as it is, and `scope` is that one.
-- `scope_until`: when the listed scope ends, milliseconds since the epoch, as a snapshot says.
ALTER TABLE sync_rows ADD COLUMN keeps_scope BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sync_rows ADD COLUMN scope_until BIGINT;

-- When the host reported what an entry of its says, milliseconds since the epoch: nodes write reports in another order than they came.
ALTER TABLE attendance ADD COLUMN reported_at BIGINT NOT NULL DEFAULT 0;
