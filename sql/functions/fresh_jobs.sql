-- Returns `picks` followed by the row addresses of up to `most` more jobs of one priority that never failed, and locks
-- these: the nearest before a place in the lane's order, or from the place on. For `fresh_jobs`, under its settings.
CREATE OR REPLACE FUNCTION pick_fresh_jobs(
    picks tid[], most integer, lane_id smallint, the_priority integer, moment timestamptz, is_before boolean,
    place_run_at timestamptz, place_id bigint)
RETURNS tid[]
LANGUAGE plpgsql AS $$
BEGIN
    IF is_before THEN
        RETURN picks || ARRAY (
            SELECT ctid
            FROM jobs
            WHERE lane = lane_id AND priority = the_priority AND is_fresh(jobs, moment)
              AND ctid <> ALL (picks) AND (run_at, id) < (place_run_at, place_id)
            ORDER BY run_at DESC, id DESC
            LIMIT greatest(0, most)
            FOR UPDATE SKIP LOCKED
        );
    END IF;
    RETURN picks || ARRAY (
        SELECT ctid
        FROM jobs
        WHERE lane = lane_id AND priority = the_priority AND is_fresh(jobs, moment)
          AND ctid <> ALL (picks) AND (run_at, id) >= (place_run_at, place_id)
        ORDER BY run_at, id
        LIMIT greatest(0, most)
        FOR UPDATE SKIP LOCKED
    );
END
$$;

-- Returns up to `most` jobs of a lane that never failed, higher priority first.
--
-- While the breaker is open it returns one, a probe. Failing jobs were usually enqueued together, so their ids are
-- adjacent. A row of probes is twice as long as the row of failures that opens the breaker. The first probe of a row is
-- the newest job, and the others come from all over the lane. After a successful probe, take the newest job, and jobs
-- on both sides of the probe.
--
-- If there are fewer such jobs, `claim_jobs` adds jobs that have failed, in the lane's order. A probe without such a
-- job is the job that has waited longest, of any priority. So a probe never repeats the last one's job while others
-- wait.
CREATE OR REPLACE FUNCTION fresh_jobs(lane_id smallint, moment timestamptz, most integer) RETURNS tid[]
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET jit = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
DECLARE
    the_lane lanes%ROWTYPE;
    is_probe boolean;
    -- How many of `most` are the newest jobs, and how many come from above the place of the probe.
    newest integer;
    above integer;
    place record;
    share double precision;
    picks tid[] := '{}';
BEGIN
    SELECT * INTO the_lane FROM lanes WHERE id = lane_id;
    -- The first probe of each row takes the newest job, so it is not counted here.
    share := spread_share(the_lane.probes - the_lane.probes / probes_in_a_row(the_lane.breaker_after));
    is_probe := is_probing(the_lane);
    newest := CASE
        WHEN is_probe THEN (the_lane.probes % probes_in_a_row(the_lane.breaker_after) = 0)::integer
        -- Not after a failed call: a few newest jobs that fail one after another would open the breaker although the
        -- jobs near the probe succeed.
        WHEN most = 1 THEN (the_lane.faults = 0 AND random() < newest_share())::integer
        ELSE 1
    END;
    above := (most - newest + 1) / 2;
    SELECT the_lane.probed_run_at AS run_at, the_lane.probed_id AS id INTO place;
    FOR the_priority IN REVERSE 3 .. 0 LOOP
        EXIT WHEN cardinality(picks) >= most;
        IF is_probe THEN
            SELECT * INTO place FROM fresh_job_at(share, lane_id, the_priority, moment);
        ELSIF most = 1 THEN
            -- Take the side whose next job is nearer.
            above := coalesce((
                SELECT id - place.id
                FROM jobs
                WHERE lane = lane_id AND priority = the_priority AND is_fresh(jobs, moment)
                  AND (run_at, id) >= (place.run_at, place.id)
                ORDER BY run_at, id
                LIMIT 1
            ) <= coalesce((
                SELECT place.id - id
                FROM jobs
                WHERE lane = lane_id AND priority = the_priority AND is_fresh(jobs, moment)
                  AND (run_at, id) < (place.run_at, place.id)
                ORDER BY run_at DESC, id DESC
                LIMIT 1
            ), 9223372036854775807), false)::integer;
        END IF;
        picks := pick_fresh_jobs(
            picks, newest - cardinality(picks), lane_id, the_priority, moment, true, 'infinity', 0);
        picks := pick_fresh_jobs(
            picks, least(above, most - cardinality(picks)), lane_id, the_priority, moment, false, place.run_at, place.id);
        picks := pick_fresh_jobs(
            picks, most - cardinality(picks), lane_id, the_priority, moment, true, place.run_at, place.id);
        picks := pick_fresh_jobs(
            picks, most - cardinality(picks), lane_id, the_priority, moment, true, 'infinity', 0);
    END LOOP;
    IF most = 1 AND cardinality(picks) = 0 THEN
        picks := ARRAY (
            SELECT oldest.ctid
            FROM generate_series(0, 3) AS p,
            LATERAL (
                SELECT ctid, run_at
                FROM jobs
                WHERE lane = lane_id AND priority = p AND is_ready(jobs, moment)
                ORDER BY run_at, id
                LIMIT 1
                FOR UPDATE SKIP LOCKED
            ) AS oldest
            ORDER BY oldest.run_at
            LIMIT 1
        );
    END IF;
    IF is_probe AND cardinality(picks) > 0 THEN
        -- A claim of a probe holds the lane's lock.
        UPDATE lanes
        SET probed_run_at = run_at, probed_id = jobs.id
        FROM jobs
        WHERE lanes.id = lane_id AND jobs.ctid = picks[1];
    END IF;
    RETURN picks;
END
$$;
