-- Returns how long a job waits before its next call, if it failed `failures` times before: a random share of a bound.
-- The bound doubles with each failure, from the lane's first retry to its longest, so that jobs that failed together do
-- not come back together. The wait is never shorter than `pause`, which the provider requested.
CREATE OR REPLACE FUNCTION retry_wait(failures smallint, first_retry interval, longest_retry interval, pause interval)
RETURNS interval
LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN greatest(pause, random() * least(longest_retry, first_retry * power(2, least(failures, 30))));
