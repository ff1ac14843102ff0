-- Selects the jobs of a lane that are claimed, unless the lane is wary after a block (fresh_jobs.sql). Both functions
-- are for `claim_jobs` and are planned under its settings.

-- Returns `picks` followed by the row addresses (ctid) of jobs that are due at `moment`, up to `most` in all, and locks
-- them: higher priority first, then older first. Jobs before `hint` in the lane's order are not read.
CREATE OR REPLACE FUNCTION oldest_jobs(lane_id smallint, moment timestamptz, most integer, hint text, picks tid[])
RETURNS tid[]
LANGUAGE plpgsql AS $$
DECLARE
    past_priority integer := split_part(hint, ' ', 1);
    past_id bigint := split_part(hint, ' ', 2);
    past_run_at timestamptz := split_part(hint, ' ', 3);
BEGIN
    -- A sub-select in an ARRAY: for a LIMIT that it can't see the planner assumes a tenth of the table, and would read
    -- all of it for a join. Row addresses leave it no choice.
    FOR the_priority IN REVERSE 3 .. 0 LOOP
        EXIT WHEN cardinality(picks) >= most;
        picks := picks || ARRAY (
            SELECT ctid
            FROM jobs
            WHERE lane = lane_id
              AND priority = the_priority
              AND is_ready(jobs, moment)
              AND ctid <> ALL (picks)
              AND (run_at, id) >= (
                  CASE WHEN past_priority = the_priority THEN past_run_at ELSE '-infinity' END,
                  CASE WHEN past_priority = the_priority THEN past_id ELSE 0 END)
            ORDER BY run_at, id
            LIMIT most - cardinality(picks)
            FOR UPDATE SKIP LOCKED
        );
    END LOOP;
    RETURN picks;
END
$$;

-- Returns when the next job of a lane is due after `moment`; null if none waits.
CREATE OR REPLACE FUNCTION next_run_at(lane_id smallint, moment timestamptz) RETURNS timestamptz
LANGUAGE plpgsql AS $$
BEGIN
    RETURN (
        SELECT min(soonest.run_at)
        FROM generate_series(0, 3) AS p,
        LATERAL (
            SELECT run_at
            FROM jobs
            WHERE lane = lane_id AND priority = p AND is_waiting(jobs) AND run_at > moment
            ORDER BY run_at
            LIMIT 1
        ) AS soonest);
END
$$;
