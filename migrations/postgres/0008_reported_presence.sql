-- The twin of the step of this name for SQLite.
SET LOCAL lock_timeout = '2s';

-- Whose status an event of the outbox tells; empty in other events. Of one person only the last status is kept.
ALTER TABLE outbox ADD COLUMN person TEXT COLLATE "C" NOT NULL DEFAULT '';

CREATE INDEX outbox_by_person ON outbox (person);

-- The status that webhooks told last of everybody whom they did not tell to be offline.
CREATE TABLE reported_presence (
    uid    TEXT COLLATE "C" PRIMARY KEY,
    status TEXT NOT NULL
);

-- The node that tells webhooks of presence, until `lease_until` (milliseconds since the epoch): one row, whose `id` is 1.
CREATE TABLE presence_reporter (
    id          BIGINT PRIMARY KEY,
    token       TEXT NOT NULL,
    lease_until BIGINT NOT NULL
);
INSERT INTO presence_reporter (id, token, lease_until) VALUES (1, '', 0);
