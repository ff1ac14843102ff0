-- The id of the call's job. Jobs are deleted when they end, so the log of calls is the list of ended jobs. Null in
-- older rows, and for a slipped call whose lease was lost.
ALTER TABLE calls ADD COLUMN job bigint;
