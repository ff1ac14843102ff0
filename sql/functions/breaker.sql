-- The breaker of a lane: after `breaker_after` failed calls in a row it blocks the lane, then lets single calls through
-- as probes, until one succeeds.

-- How long the breaker blocks a lane that it has blocked `trips` times since a call succeeded: 5 s, doubled with each
-- time, up to 5 minutes.
CREATE OR REPLACE FUNCTION breaker_wait(trips integer) RETURNS interval
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN least(interval '5 minutes', interval '5 seconds' * power(2, least(trips, 10)));

-- How many probes are made in a row between two blocks.
CREATE OR REPLACE FUNCTION probes_in_a_row(breaker_after smallint) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 2 * breaker_after;

-- Whether the breaker blocks the lane again after a failed probe, the one with the number `probes`. After each of the
-- first three blocks a whole row of probes goes through, in less than a minute: they have then been all over the lane.
-- Later it is one after each block.
CREATE OR REPLACE FUNCTION is_row_over(trips integer, probes integer, breaker_after smallint) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN trips > 3 OR probes % probes_in_a_row(breaker_after) = 0;

-- Whether other calls of the lane succeeded since the last failure in a job's history. Then one more failure is the
-- job's own, and says nothing about the lane.
CREATE OR REPLACE FUNCTION is_own_fault(history jsonb, well_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce((history -> -1 ->> 'at')::timestamptz < well_at, false);

-- Whether a failed call counts as a failure of its job: not while the lane is in trouble, unless it is the job's own
-- fault.
CREATE OR REPLACE FUNCTION is_charged(history jsonb, well_at timestamptz, in_trouble boolean) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN NOT in_trouble OR is_own_fault(history, well_at);
