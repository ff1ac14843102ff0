-- Called by a worker that found a lane empty and wants to sleep until a notification, for at most `length`. It must
-- listen already. Each call is a transaction of its own. Repeat it until the reply is sleep or look:
--
-- sleep   a notification follows for each job that is queued from now on
-- look    there are jobs
-- again   call again at once: a mark was left, and it must be committed first
-- busy    call again in a few milliseconds: jobs are being committed and can't be seen yet
CREATE OR REPLACE FUNCTION prepare_to_sleep(lane_name text, length interval DEFAULT '1.25 seconds') RETURNS text
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET jit = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
DECLARE
    lane_id smallint;
    is_quiet boolean;
BEGIN
    SELECT id INTO lane_id FROM lanes WHERE name = lane_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no lane called "%"', lane_name USING ERRCODE = 'no_data_found';
    END IF;
    IF NOT EXISTS (SELECT FROM sleepers WHERE lane = lane_id AND until >= clock_timestamp() + length) THEN
        -- Made valid a little longer than needed, so that other workers can use it too.
        INSERT INTO sleepers VALUES (lane_id, clock_timestamp() + length + interval '250 milliseconds');
        RETURN 'again';
    END IF;
    -- The lock is held only while this expression runs, so that no enqueue waits for it.
    is_quiet := pg_try_advisory_lock(enqueue_lock(), lane_id) AND pg_advisory_unlock(enqueue_lock(), lane_id);
    IF EXISTS (
        SELECT
        FROM generate_series(0, 3) AS p,
        LATERAL (
            SELECT
            FROM jobs
            WHERE lane = lane_id AND priority = p AND is_ready(jobs, clock_timestamp())
            LIMIT 1
        ) AS ready)
    THEN
        RETURN 'look';
    END IF;
    RETURN CASE WHEN is_quiet THEN 'sleep' ELSE 'busy' END;
END
$$;
