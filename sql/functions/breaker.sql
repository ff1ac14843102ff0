-- The breaker of a lane. After `breaker_after` failed calls in a row it blocks the lane, then lets single calls through
-- as probes, until one succeeds.

-- Returns how long the breaker blocks a lane. `trips` is how often it has blocked the lane since the last successful
-- call. The first block lasts 5 s, and each further one twice as long, up to 5 minutes.
CREATE OR REPLACE FUNCTION breaker_wait(trips integer) RETURNS interval
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN least(interval '5 minutes', interval '5 seconds' * power(2, least(trips, 10)));

-- Returns how many probes a row has. A row is made between two blocks.
CREATE OR REPLACE FUNCTION probes_in_a_row(breaker_after smallint) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 2 * breaker_after;

-- Returns true if the breaker blocks the lane again after the failed probe with number `probes`. After each of the
-- first three blocks a whole row of probes is made, in less than a minute, so that they have tried jobs from all over
-- the lane. After each later block there is only one probe.
CREATE OR REPLACE FUNCTION is_row_over(trips integer, probes integer, breaker_after smallint) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN trips > 3 OR probes % probes_in_a_row(breaker_after) = 0;

-- Returns true if other calls of the lane succeeded since the last failure in a job's history. Then one more failure is
-- the fault of the job and does not count against the lane.
CREATE OR REPLACE FUNCTION is_own_fault(history jsonb, well_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce((history -> -1 ->> 'at')::timestamptz < well_at, false);

-- Returns true if a failed call counts as a failure of its job. It does not count while the lane is in trouble, unless
-- it is the job's own fault.
CREATE OR REPLACE FUNCTION is_charged(history jsonb, well_at timestamptz, in_trouble boolean) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN NOT in_trouble OR is_own_fault(history, well_at);
