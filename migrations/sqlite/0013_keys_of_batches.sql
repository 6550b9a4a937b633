-- `batch`: the first event that an act on several people, or the undo of one, has made under the key; 0 when it has made none.
-- NULL for every other request, and in rows of the version before.
ALTER TABLE idempotency ADD COLUMN batch BIGINT;
