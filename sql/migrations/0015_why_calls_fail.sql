-- Why calls fail, and how many calls a question takes, for a person who waits.

ALTER TABLE lanes
    -- Why the latest failed call failed, and when that was. It holds nothing of an address.
    ADD COLUMN failed_because text,
    ADD COLUMN failed_at      timestamptz,
    ADD CONSTRAINT a_failure_has_a_reason CHECK ((failed_because IS NULL) = (failed_at IS NULL));

-- Why the call failed; null for a call that did not fail.
ALTER TABLE calls ADD COLUMN reason text;

-- Calls after which questions were queued again in the same lane, to be asked there in other words.
ALTER TABLE throughput ADD COLUMN follow_ups integer NOT NULL DEFAULT 0;

-- heed_calls has a new parameter.
DROP FUNCTION IF EXISTS heed_calls(smallint, integer, boolean, interval, boolean);
