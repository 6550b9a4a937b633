-- What the host keeps with people and groups, beside what is shown. `metadata` is a JSON object, `tags` a JSON list of texts.
ALTER TABLE users ADD COLUMN role TEXT;
ALTER TABLE users ADD COLUMN link TEXT;
ALTER TABLE users ADD COLUMN status_message TEXT;
ALTER TABLE users ADD COLUMN metadata TEXT;
ALTER TABLE users ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE groups ADD COLUMN metadata TEXT;
ALTER TABLE groups ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
