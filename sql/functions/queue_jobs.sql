-- Queues subjects in a lane in the given order, with up to the lane's `batch` of them in a job.
--
-- The caller makes sure in the same transaction that no live job has any of these subjects.
CREATE OR REPLACE FUNCTION queue_jobs(
    lane_name text, new_subjects bigint[], new_priority smallint DEFAULT 1, not_before timestamptz DEFAULT now())
RETURNS TABLE (job bigint, subjects bigint[])
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    the_lane lanes%ROWTYPE;
BEGIN
    SELECT * INTO the_lane FROM lanes WHERE name = lane_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no lane called "%"', lane_name USING ERRCODE = 'no_data_found';
    END IF;
    IF the_lane.batch = 1 THEN
        RETURN QUERY
            INSERT INTO jobs (lane, priority, run_at, subjects, wakes)
            SELECT the_lane.id, new_priority, not_before, ARRAY[subject], nullif(place = 1 AND not_before <= now(), false)
            FROM unnest(new_subjects) WITH ORDINALITY AS new (subject, place)
            RETURNING id, subjects;
    ELSE
        RETURN QUERY
            INSERT INTO jobs (lane, priority, run_at, subjects, wakes)
            SELECT the_lane.id, new_priority, not_before,
                   new_subjects[first : least(first + the_lane.batch - 1, cardinality(new_subjects))],
                   nullif(first = 1 AND not_before <= now(), false)
            FROM generate_series(1, cardinality(new_subjects), the_lane.batch) AS first
            RETURNING id, subjects;
    END IF;
END
$$;

DROP FUNCTION IF EXISTS queue_reserved_jobs(text, bigint[], bigint[], smallint);

-- Queues each of `new_subjects` in the job whose id is at the same place in `new_jobs`. The ids come from
-- `reserve_jobs`, so that a subject can be stored together with its job's id and is not written twice. `new_chain` is the
-- chain of all subjects; 0 for none, or several.
CREATE OR REPLACE FUNCTION queue_reserved_jobs(
    lane_name text, new_jobs bigint[], new_subjects bigint[], new_priority smallint DEFAULT 1,
    new_chain integer DEFAULT 0)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    the_lane lanes%ROWTYPE;
BEGIN
    SELECT * INTO STRICT the_lane FROM lanes WHERE name = lane_name;
    IF the_lane.batch = 1 THEN
        INSERT INTO jobs (id, lane, priority, chain, subjects, wakes)
        OVERRIDING SYSTEM VALUE
        SELECT job, the_lane.id, new_priority, new_chain, ARRAY[subject], nullif(place = 1, false)
        FROM unnest(new_jobs, new_subjects) WITH ORDINALITY AS queued (job, subject, place);
    ELSE
        INSERT INTO jobs (id, lane, priority, chain, subjects, wakes)
        OVERRIDING SYSTEM VALUE
        SELECT job, the_lane.id, new_priority, new_chain, array_agg(subject ORDER BY place), nullif(min(place) = 1, false)
        FROM unnest(new_jobs, new_subjects) WITH ORDINALITY AS queued (job, subject, place)
        GROUP BY job;
    END IF;
END
$$;

-- Reserves ids for as many jobs as this number of subjects needs in a lane, and returns the lane's batch. An unused id
-- is lost, which is harmless.
CREATE OR REPLACE FUNCTION reserve_jobs(lane_name text, subjects integer, OUT batch integer, OUT jobs bigint[])
LANGUAGE plpgsql AS $$
BEGIN
    SELECT lanes.batch INTO batch FROM lanes WHERE name = lane_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no lane called "%"', lane_name USING ERRCODE = 'no_data_found';
    END IF;
    jobs := ARRAY(
        SELECT nextval(pg_get_serial_sequence('jobs', 'id'))
        FROM generate_series(1, subjects, batch));
END
$$;
