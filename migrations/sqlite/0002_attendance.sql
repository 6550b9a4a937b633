-- The twin of the step of this name for PostgreSQL, where nodes tell each other who is there. A
-- file has one node, which knows.
SELECT 1;
