-- `left_out`: whom an act on several people, or the undo of one, has left out under the key, and why. NULL for every other request, and
-- in rows of the version before.
ALTER TABLE idempotency ADD COLUMN left_out TEXT;
