-- Lets a person see why calls fail, and how many calls a question takes.

ALTER TABLE lanes
    ADD COLUMN failed_because text,
    ADD COLUMN failed_at      timestamptz,
    ADD CONSTRAINT a_failure_has_a_reason CHECK ((failed_because IS NULL) = (failed_at IS NULL));

ALTER TABLE calls ADD COLUMN reason text;

ALTER TABLE throughput ADD COLUMN follow_ups integer NOT NULL DEFAULT 0;

-- Dropped because the new version has one more parameter.
DROP FUNCTION IF EXISTS heed_calls(smallint, integer, boolean, interval, boolean);
