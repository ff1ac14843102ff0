-- Whether nothing became ready in a lane within the last second that is ready still. Then workers should be told of
-- what comes; telling them once too often does no harm. To look further back would be to read all that died there,
-- which may be millions of jobs behind a transaction that keeps vacuum from cleaning up.
CREATE FUNCTION is_idle(lane_id smallint) RETURNS boolean
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
BEGIN
    RETURN NOT EXISTS (
        SELECT
        FROM generate_series(0, 3) AS p,
        LATERAL (
            SELECT
            FROM jobs
            WHERE lane = lane_id AND priority = p AND worker IS NULL
              AND run_at <= now() AND run_at > now() - interval '1 second'
            LIMIT 1
        ) AS ready);
END
$$;

-- Queues subjects in a lane, as many to a job as the lane's batch allows, in the order given.
--
-- The caller makes sure in the same transaction that no live job carries any of them already. Workers are told once
-- for each transaction, and only when nothing became ready just before: who is busy looks again by itself.
CREATE FUNCTION queue_jobs(
    lane_name text, new_subjects bigint[], new_priority smallint DEFAULT 1, not_before timestamptz DEFAULT now())
RETURNS TABLE (job bigint, subjects bigint[])
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    the_lane lanes%ROWTYPE;
    was_idle boolean;
BEGIN
    SELECT * INTO the_lane FROM lanes WHERE name = lane_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no lane called "%"', lane_name USING ERRCODE = 'no_data_found';
    END IF;
    was_idle := is_idle(the_lane.id);
    IF the_lane.batch = 1 THEN
        RETURN QUERY
            INSERT INTO jobs (lane, priority, run_at, subjects)
            SELECT the_lane.id, new_priority, not_before, ARRAY[subject]
            FROM unnest(new_subjects) AS subject
            RETURNING id, subjects;
    ELSE
        RETURN QUERY
            INSERT INTO jobs (lane, priority, run_at, subjects)
            SELECT the_lane.id, new_priority, not_before,
                   new_subjects[first : least(first + the_lane.batch - 1, cardinality(new_subjects))]
            FROM generate_series(1, cardinality(new_subjects), the_lane.batch) AS first
            RETURNING id, subjects;
    END IF;
    IF FOUND AND was_idle AND not_before <= now() THEN
        PERFORM pg_notify('waypost_jobs', lane_name);
    END IF;
END
$$;
