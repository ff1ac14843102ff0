-- Counts the backlog of a lane: exactly if that takes about a millisecond, otherwise with the leading coordinator's
-- last count.

-- Counts all jobs of a lane.
CREATE OR REPLACE FUNCTION count_backlog(lane_id smallint)
RETURNS TABLE (ready bigint, later bigint, dead bigint, last_due timestamptz)
LANGUAGE sql STABLE AS $$
    SELECT count(*) FILTER (WHERE run_at <= statement_timestamp()),
           count(*) FILTER (WHERE run_at > statement_timestamp()),
           (SELECT count(*) FROM dead_jobs WHERE lane = lane_id),
           max(run_at)
    FROM jobs
    WHERE lane = lane_id AND is_waiting(jobs)
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
CREATE OR REPLACE FUNCTION backlog(lane_id smallint)
RETURNS TABLE (ready bigint, later bigint, dead bigint, last_due timestamptz, counted_at timestamptz)
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
        SELECT ready, later, dead, last_due, counted_at
        FROM backlogs
        WHERE lane = lane_id AND counted_at > statement_timestamp() - greatest('1 minute', took * 40);
        IF FOUND THEN RETURN; END IF;
    END IF;
    RETURN QUERY SELECT ready, later, dead, last_due, statement_timestamp() FROM count_backlog(lane_id);
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
        INSERT INTO backlogs AS known (lane, counted_at, took, ready, later, dead, last_due)
        SELECT the_lane, began, clock_timestamp() - began, ready, later, dead, last_due
        FROM count_backlog(the_lane)
        ON CONFLICT (lane) DO UPDATE
        SET counted_at = excluded.counted_at, took = excluded.took, ready = excluded.ready, later = excluded.later,
            dead = excluded.dead, last_due = excluded.last_due;
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
