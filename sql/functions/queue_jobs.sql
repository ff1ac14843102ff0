-- Queues subjects in a lane, as many to a job as the lane's batch allows, in the order given.
--
-- The caller makes sure in the same transaction that no live job carries any of them already.
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

-- Queues each of `new_subjects` in the job whose number stands at the same place in `new_jobs`. The numbers come from
-- `reserve_jobs`, so that a subject can be stored together with the number of its job and need not be written twice.
CREATE OR REPLACE FUNCTION queue_reserved_jobs(
    lane_name text, new_jobs bigint[], new_subjects bigint[], new_priority smallint DEFAULT 1)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    the_lane lanes%ROWTYPE;
BEGIN
    SELECT * INTO STRICT the_lane FROM lanes WHERE name = lane_name;
    IF the_lane.batch = 1 THEN
        INSERT INTO jobs (id, lane, priority, subjects, wakes)
        OVERRIDING SYSTEM VALUE
        SELECT job, the_lane.id, new_priority, ARRAY[subject], nullif(place = 1, false)
        FROM unnest(new_jobs, new_subjects) WITH ORDINALITY AS queued (job, subject, place);
    ELSE
        INSERT INTO jobs (id, lane, priority, subjects, wakes)
        OVERRIDING SYSTEM VALUE
        SELECT job, the_lane.id, new_priority, array_agg(subject ORDER BY place), nullif(min(place) = 1, false)
        FROM unnest(new_jobs, new_subjects) WITH ORDINALITY AS queued (job, subject, place)
        GROUP BY job;
    END IF;
END
$$;

-- Numbers for as many jobs as so many subjects need in a lane, and the lane's batch. A number that is not used is lost,
-- and that does no harm.
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
