-- Who is there, as the nodes tell each other. Not part of any history: unlogged, since a database
-- that was killed or failed over hears it again from the living.

-- A node is alive while `beat_at` moves. `version` is that of the last of its rows below that
-- changed. The node "host" is the host's own word, which any node may pass on, and never dies.
CREATE UNLOGGED TABLE nodes (
    node    TEXT COLLATE "C" PRIMARY KEY,
    version BIGINT NOT NULL,
    beat_at BIGINT NOT NULL
);

-- Whether somebody has a stream open on that node, or else when the last one closed, milliseconds
-- since the epoch.
CREATE UNLOGGED TABLE attendance (
    node      TEXT COLLATE "C" NOT NULL,
    uid       TEXT COLLATE "C" NOT NULL,
    is_open   BOOLEAN NOT NULL,
    closed_at BIGINT NOT NULL,
    version   BIGINT NOT NULL,
    PRIMARY KEY (node, uid)
);

CREATE INDEX attendance_by_version ON attendance (node, version);
