-- Finds the job for a probe. For `fresh_jobs`.

-- Reverses the binary digits of the number behind the point: 1/2, 1/4, 3/4, 1/8, 5/8 and so on. Any number of
-- consecutive values is spread evenly.
CREATE OR REPLACE FUNCTION spread_share(number integer) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT sum(((number >> digit) & 1) / (2.0::double precision ^ (digit + 1)))
    FROM generate_series(0, 30) AS digit
$$;

-- Returns a ready job of a lane that never failed. Its id is about `share` of the way from that of the first such job
-- to that of the last.
CREATE OR REPLACE FUNCTION fresh_job_at(
    share double precision, lane_id smallint, the_priority integer, moment timestamptz, OUT run_at timestamptz, OUT id bigint)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET jit = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
#variable_conflict use_column
DECLARE
    first_run_at timestamptz;
    first_id bigint;
    last_id bigint;
BEGIN
    SELECT run_at, id
    INTO first_run_at, first_id
    FROM jobs
    WHERE lane = lane_id AND priority = the_priority AND is_fresh(jobs, moment)
    ORDER BY run_at, id
    LIMIT 1;
    SELECT run_at, id
    INTO fresh_job_at.run_at, last_id
    FROM jobs
    WHERE lane = lane_id AND priority = the_priority AND is_fresh(jobs, moment)
    ORDER BY run_at DESC, id DESC
    LIMIT 1;
    -- Reads at most `probe_reach` rows, because jobs of other lanes may lie between.
    SELECT near.run_at, near.id
    INTO fresh_job_at.run_at, fresh_job_at.id
    FROM (
        SELECT run_at, id, lane, priority, is_fresh(jobs, moment) AS is_fresh
        FROM jobs
        WHERE id >= least(first_id, last_id) + (share * abs(last_id - first_id))::bigint
        ORDER BY id
        LIMIT probe_reach()
    ) AS near
    WHERE lane = lane_id AND priority = the_priority AND is_fresh
    ORDER BY near.id
    LIMIT 1;
    IF id IS NULL THEN
        run_at := first_run_at;
        id := first_id;
    END IF;
END
$$;
