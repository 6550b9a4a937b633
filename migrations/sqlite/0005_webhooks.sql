-- The id under which an event is delivered: the same for every try, node and endpoint. Empty in rows of
-- the version before, whose id is derived from their number.
ALTER TABLE events ADD COLUMN id TEXT NOT NULL DEFAULT '';

-- The last event number of each person in the outbox. A lane is `@` and the uid, so that it is no group's
-- id; `@` alone is that of events about nobody.
CREATE TABLE outbox_lanes (
    lane TEXT PRIMARY KEY,
    seq  BIGINT NOT NULL
) WITHOUT ROWID;

-- Events that belong to no group, in order for each person. `data` is JSON.
CREATE TABLE outbox (
    lane TEXT NOT NULL,
    seq  BIGINT NOT NULL,
    id   TEXT NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    at   BIGINT NOT NULL,
    PRIMARY KEY (lane, seq)
) WITHOUT ROWID;

-- The endpoints of webhooks. `id` is a hash of the URL; `location` is the URL without what is secret in it.
-- `seen_at`: when a node last had it in its configuration. `state`: active, paused (by an operator) or gone
-- (it answered 410). `attempts`, `due_at` and `failing_since` are of the endpoint as a whole, while it
-- fails for one group after the other. Times in milliseconds since the epoch; 0 for never.
CREATE TABLE webhook_endpoints (
    id            TEXT PRIMARY KEY,
    location      TEXT NOT NULL,
    state         TEXT NOT NULL,
    seen_at       BIGINT NOT NULL,
    attempts      BIGINT NOT NULL,
    due_at        BIGINT NOT NULL,
    failing_since BIGINT NOT NULL,
    answer        TEXT NOT NULL,
    answered_at   BIGINT NOT NULL
) WITHOUT ROWID;

-- Where each endpoint stands in each group and in each lane of the outbox: `seq` is the last event it has
-- got or that was skipped. `token` and `lease_until` are of the node that delivers it now. `attempts`,
-- `due_at` and `failing_since` are of its next event. `dead` counts events that were given up. Events up to
-- `replay_seq` are delivered again since `replay_at`, whatever their age.
CREATE TABLE webhook_positions (
    endpoint      TEXT NOT NULL,
    lane          TEXT NOT NULL,
    seq           BIGINT NOT NULL,
    token         TEXT NOT NULL,
    lease_until   BIGINT NOT NULL,
    attempts      BIGINT NOT NULL,
    due_at        BIGINT NOT NULL,
    failing_since BIGINT NOT NULL,
    dead          BIGINT NOT NULL,
    replay_seq    BIGINT NOT NULL,
    replay_at     BIGINT NOT NULL,
    PRIMARY KEY (endpoint, lane)
) WITHOUT ROWID;
