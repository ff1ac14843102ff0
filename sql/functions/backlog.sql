-- Counts the backlog of a lane: exactly if that takes about a millisecond, otherwise with the leading coordinator's
-- last count.

-- CREATE OR REPLACE can't change the columns of a result.
DROP FUNCTION IF EXISTS count_backlog(smallint);
DROP FUNCTION IF EXISTS backlog(smallint);

-- Counts all jobs of a lane. `calls` is the number of calls that are expected: those of the waiting jobs, and those that
-- will follow the calls of waiting and held jobs.
CREATE FUNCTION count_backlog(lane_id smallint)
RETURNS TABLE (ready bigint, later bigint, dead bigint, last_due timestamptz, calls double precision)
LANGUAGE sql STABLE AS $$
    WITH expected AS MATERIALIZED (
        SELECT chain, call_number, calls FROM calls_of_jobs(lane_id)
    ), counted AS (
        SELECT chain, call_number, count(*) FILTER (WHERE run_at <= statement_timestamp()) AS ready,
               count(*) FILTER (WHERE run_at > statement_timestamp()) AS later, max(run_at) AS last_due, 0 AS held
        FROM jobs
        WHERE lane = lane_id AND is_waiting(jobs)
        GROUP BY chain, call_number
        UNION ALL
        SELECT chain, call_number, 0, 0, NULL, count(*)
        FROM jobs
        WHERE lane = lane_id AND worker IS NOT NULL
        GROUP BY chain, call_number
    )
    SELECT coalesce(sum(ready), 0)::bigint, coalesce(sum(later), 0)::bigint,
           (SELECT count(*) FROM dead_jobs WHERE lane = lane_id), max(last_due),
           coalesce(sum((ready + later) * calls + held * (calls - 1)), 0)
    FROM counted,
    LATERAL (
        SELECT coalesce(
            (SELECT calls FROM expected
             WHERE expected.chain = counted.chain AND expected.call_number = counted.call_number),
            (SELECT calls FROM expected WHERE expected.chain IS NULL AND expected.call_number = counted.call_number),
            1) AS calls
    ) AS own
$$;

-- Returns true if a lane has more jobs, waiting or dead, than are counted on each request.
CREATE OR REPLACE FUNCTION has_large_backlog(lane_id smallint) RETURNS boolean
LANGUAGE sql STABLE AS $$
    -- The order is that of the index, and OFFSET stops at the first row beyond the limit.
    SELECT EXISTS (
               SELECT FROM (
                   SELECT FROM jobs
                   WHERE lane = lane_id AND is_waiting(jobs)
                   ORDER BY lane, priority, run_at, id
                   OFFSET 5000 LIMIT 1
               ) AS beyond)
           OR EXISTS (
               SELECT FROM (SELECT FROM dead_jobs WHERE lane = lane_id ORDER BY lane OFFSET 5000 LIMIT 1) AS beyond)
$$;

-- Returns a lane's backlog. `counted_at` is the time of the count.
CREATE FUNCTION backlog(lane_id smallint)
RETURNS TABLE (
    ready bigint, later bigint, dead bigint, last_due timestamptz, counted_at timestamptz, calls double precision)
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET jit = off
AS $$
#variable_conflict use_column
BEGIN
    IF has_large_backlog(lane_id) THEN
        -- Without a leader nothing updates the count, and an old number would mislead.
        RETURN QUERY
        SELECT ready, later, dead, last_due, counted_at, calls
        FROM backlogs
        WHERE lane = lane_id AND counted_at > statement_timestamp() - greatest('1 minute', took * 40);
        IF FOUND THEN RETURN; END IF;
    END IF;
    RETURN QUERY SELECT ready, later, dead, last_due, statement_timestamp(), calls FROM count_backlog(lane_id);
END
$$;

-- Counts the lanes with large backlogs again if the last count is older than 2 s, or than twenty times the time that it
-- took. Deletes the counts of the other lanes. Returns how many lanes it counted.
CREATE OR REPLACE FUNCTION note_backlogs() RETURNS integer
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET jit = off
AS $$
DECLARE
    the_lane smallint;
    began timestamptz;
    counted integer := 0;
BEGIN
    DELETE FROM backlogs WHERE NOT has_large_backlog(lane);
    FOR the_lane IN
        SELECT id
        FROM lanes
        WHERE has_large_backlog(id)
          AND NOT EXISTS (
              SELECT FROM backlogs
              WHERE lane = id AND counted_at BETWEEN clock_timestamp() - greatest('2 seconds', took * 20) AND clock_timestamp())
    LOOP
        began := clock_timestamp();
        INSERT INTO backlogs AS known (lane, counted_at, took, ready, later, dead, last_due, calls)
        SELECT the_lane, began, clock_timestamp() - began, ready, later, dead, last_due, calls
        FROM count_backlog(the_lane)
        ON CONFLICT (lane) DO UPDATE
        SET counted_at = excluded.counted_at, took = excluded.took, ready = excluded.ready, later = excluded.later,
            dead = excluded.dead, last_due = excluded.last_due, calls = excluded.calls;
        counted := counted + 1;
    END LOOP;
    RETURN counted;
END
$$;

-- Returns when the longest waiting job of a lane became due; null if no job is due.
CREATE OR REPLACE FUNCTION oldest_due(lane_id smallint) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
    SELECT min(oldest.run_at)
    FROM generate_series(0, 3) AS p,
    LATERAL (
        SELECT run_at
        FROM jobs
        WHERE lane = lane_id AND priority = p AND is_ready(jobs, statement_timestamp())
        ORDER BY run_at
        LIMIT 1
    ) AS oldest
$$;
