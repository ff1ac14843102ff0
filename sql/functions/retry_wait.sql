-- How long a job waits before its next call after it failed `failures` times before: a random share of a bound that doubles with
-- each failure, from the lane's first retry to its longest, so that jobs that failed together do not come back together. It is
-- never shorter than `pause`, for which the provider asked.
CREATE OR REPLACE FUNCTION retry_wait(failures smallint, first_retry interval, longest_retry interval, pause interval)
RETURNS interval
LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN greatest(pause, random() * least(longest_retry, first_retry * power(2, least(failures, 30))));
