-- Which jobs of a lane are claimed, unless the breaker makes the claim wary (fresh_jobs.sql). Both functions are for `claim_jobs`
-- and are planned under its settings.

-- The addresses of up to `most` jobs that are due at `moment`, locked: higher priority first, then older first. They follow those
-- in `picks`. What comes before `hint` in the order of the lane is not looked at.
CREATE OR REPLACE FUNCTION oldest_jobs(lane_id smallint, moment timestamptz, most integer, hint text, picks tid[])
RETURNS tid[]
LANGUAGE plpgsql AS $$
DECLARE
    past_priority integer := split_part(hint, ' ', 1);
    past_id bigint := split_part(hint, ' ', 2);
    past_run_at timestamptz := split_part(hint, ' ', 3);
BEGIN
    -- A sub-select in an ARRAY: the planner takes a LIMIT it can't see for a tenth of the table, and would read all
    -- of it for a join. Row addresses leave it no choice.
    FOR the_priority IN REVERSE 3 .. 0 LOOP
        EXIT WHEN cardinality(picks) >= most;
        picks := picks || ARRAY (
            SELECT ctid
            FROM jobs
            WHERE lane = lane_id
              AND priority = the_priority
              AND worker IS NULL
              AND run_at <= moment
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

-- When the next job of a lane is due after `moment`; null when none waits.
CREATE OR REPLACE FUNCTION next_run_at(lane_id smallint, moment timestamptz) RETURNS timestamptz
LANGUAGE plpgsql AS $$
BEGIN
    RETURN (
        SELECT min(soonest.run_at)
        FROM generate_series(0, 3) AS p,
        LATERAL (
            SELECT run_at
            FROM jobs
            WHERE lane = lane_id AND priority = p AND worker IS NULL AND run_at > moment
            ORDER BY run_at
            LIMIT 1
        ) AS soonest);
END
$$;
