-- The job of a call: the log of calls lists the jobs that ended, for the jobs themselves are deleted. Null in older rows, and for a call
-- whose lease was lost.
ALTER TABLE calls ADD COLUMN job bigint;
