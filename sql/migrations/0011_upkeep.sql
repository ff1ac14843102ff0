-- What the leading coordinator needs for its upkeep.

ALTER TABLE coordinators
    -- Since when this coordinator has been heard of without a gap. Whom it does not hear may be silent since then, but
    -- not before: while the database was away nobody could be heard.
    ADD heard_since timestamptz NOT NULL DEFAULT now();

ALTER TABLE geocodes
    -- When the answer must be forgotten and asked for again; null for one that stays.
    ADD expires_at timestamptz,
    ADD CONSTRAINT only_answers_expire CHECK (expires_at IS NULL OR status IN ('located', 'not_found'));

-- The sweep asks: what has expired?
CREATE INDEX geocodes_expiring ON geocodes (expires_at) WHERE expires_at IS NOT NULL;

-- Which questions wait and are in no job, as a list beside `geocodes`. An index cannot keep it: every question that
-- goes into a job and every answer would change one of its columns, and so write into all the indexes of the table,
-- which takes several times as long as the row itself.
--
-- A note may stand here twice, or for a question that is in a job by now: whoever takes it looks. So it needs no key.
CREATE TABLE unqueued_geocodes (
    geocode bigint NOT NULL
)
-- Notes are gone within a second or so. The table is read from its beginning, and must not grow long.
WITH (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

DROP INDEX geocodes_unqueued;
INSERT INTO unqueued_geocodes SELECT id FROM geocodes WHERE status = 'waiting' AND job IS NULL;

-- An answer is longer than its question, and most find room on the page of the question. The pages are no more in the
-- end: without room, the first version of each row would be left behind.
ALTER TABLE geocodes SET (fillfactor = 40);

CREATE FUNCTION note_an_unqueued_geocode() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO unqueued_geocodes VALUES (NEW.id);
    RETURN NULL;
END
$$;

CREATE TRIGGER a_new_question_without_a_job_is_noted
AFTER INSERT ON geocodes
FOR EACH ROW
WHEN (NEW.status = 'waiting' AND NEW.job IS NULL)
EXECUTE FUNCTION note_an_unqueued_geocode();

CREATE TRIGGER a_question_that_lost_its_job_is_noted
AFTER UPDATE OF status, job ON geocodes
FOR EACH ROW
WHEN (NEW.status = 'waiting' AND NEW.job IS NULL)
EXECUTE FUNCTION note_an_unqueued_geocode();

-- An hour of a fast lane can be more than two thousand million.
ALTER TABLE throughput ALTER subjects TYPE bigint;

-- Queues each of `new_subjects` in the job whose number stands at the same place in `new_jobs`. The numbers come from
-- `reserve_jobs`, so that a subject can be stored together with the number of its job and need not be written twice.
CREATE FUNCTION queue_reserved_jobs(
    lane_name text, new_jobs bigint[], new_subjects bigint[], new_priority smallint DEFAULT 1)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    the_lane lanes%ROWTYPE;
    was_idle boolean;
BEGIN
    SELECT * INTO STRICT the_lane FROM lanes WHERE name = lane_name;
    was_idle := is_idle(the_lane.id);
    IF the_lane.batch = 1 THEN
        INSERT INTO jobs (id, lane, priority, subjects)
        OVERRIDING SYSTEM VALUE
        SELECT job, the_lane.id, new_priority, ARRAY[subject]
        FROM unnest(new_jobs, new_subjects) AS queued (job, subject);
    ELSE
        INSERT INTO jobs (id, lane, priority, subjects)
        OVERRIDING SYSTEM VALUE
        SELECT job, the_lane.id, new_priority, array_agg(subject ORDER BY place)
        FROM unnest(new_jobs, new_subjects) WITH ORDINALITY AS queued (job, subject, place)
        GROUP BY job;
    END IF;
    IF FOUND AND was_idle THEN
        PERFORM pg_notify('waypost_jobs', lane_name);
    END IF;
END
$$;

-- Numbers for as many jobs as so many subjects need in a lane, and the lane's batch. A number that is not used is lost,
-- and that does no harm.
CREATE FUNCTION reserve_jobs(lane_name text, subjects integer, OUT batch integer, OUT jobs bigint[])
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
