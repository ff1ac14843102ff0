-- No lost wake-ups, whatever the order of commits, and no NOTIFY for each job.
--
-- Who finds a lane empty leaves a mark before it sleeps; who enqueues looks for marks while it commits.
--
--     enqueue, at COMMIT:  1. shared lock on the lane's commits   2. look for a mark: if there is one, NOTIFY and take it away
--     worker:              1. leave a mark, COMMIT                2. see that nobody holds that lock   3. look for jobs
--
-- An enqueue that looks for marks after the worker left its own finds it. One that looked before holds the lock from
-- then on until its jobs can be seen, so the worker's look comes after that. The look for marks is a deferred trigger
-- and not a part of the enqueue, for a transaction may go on for minutes after it.

-- Marks: before `until`, whoever left it counts on being told of new jobs in the lane. A mark is for all workers of the
-- lane, for a notification reaches them all. It need not outlive a crash, which ends all sessions: a worker that hears
-- again looks.
CREATE UNLOGGED TABLE sleepers (
    lane  smallint    NOT NULL,
    until timestamptz NOT NULL
)
WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- Does anybody sleep in this lane? What was taken away or is over lies to the left of what is looked at, and costs
-- nothing, also while a transaction keeps vacuum from removing it.
CREATE INDEX sleepers_by_lane ON sleepers (lane, until);

-- True for one job of each enqueue, the one that sees to it that workers are told.
ALTER TABLE jobs ADD wakes boolean;

-- The class of the advisory locks that enqueues hold while they commit; the number within is the lane's.
CREATE FUNCTION enqueue_lock() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 7229;

CREATE FUNCTION wake_sleepers() RETURNS trigger
LANGUAGE plpgsql
-- The plan is made while there is nothing in the table.
SET enable_seqscan = off
AS $$
DECLARE
    -- Without SQL, as an expression: this runs for each enqueue.
    locked CONSTANT text := pg_advisory_xact_lock_shared(enqueue_lock(), NEW.lane);
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        -- With a snapshot that is older than the lock there is no telling.
        PERFORM pg_notify('waypost_jobs', lanes.name) FROM lanes WHERE id = NEW.lane;
    ELSIF EXISTS (SELECT FROM sleepers WHERE lane = NEW.lane AND until > clock_timestamp()) THEN
        PERFORM pg_notify('waypost_jobs', lanes.name) FROM lanes WHERE id = NEW.lane;
        -- One that is being taken away by another enqueue is left to it.
        DELETE FROM sleepers WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM sleepers WHERE lane = NEW.lane AND until > clock_timestamp() FOR UPDATE SKIP LOCKED));
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER an_enqueue_wakes_who_sleeps
AFTER INSERT ON jobs
DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW
WHEN (NEW.wakes)
EXECUTE FUNCTION wake_sleepers();

-- For a worker that found a lane empty and wants to sleep until it is told, for `length` at the most. It has to listen
-- already. In a transaction of its own, again until it says what to do:
--
-- sleep   each job from now on is told of
-- look    there are jobs
-- again   ask again at once: a mark was left, and this has to be committed first
-- busy    ask again in a few milliseconds: somebody's jobs are being committed, and can't be seen yet
CREATE FUNCTION prepare_to_sleep(lane_name text, length interval DEFAULT '1.25 seconds') RETURNS text
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
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
        -- A little longer, so that the others can use it too.
        INSERT INTO sleepers VALUES (lane_id, clock_timestamp() + length + interval '250 milliseconds');
        RETURN 'again';
    END IF;
    -- Held for no longer than this expression takes: no enqueue should have to wait for it.
    is_quiet := pg_try_advisory_lock(enqueue_lock(), lane_id) AND pg_advisory_unlock(enqueue_lock(), lane_id);
    IF EXISTS (
        SELECT
        FROM generate_series(0, 3) AS p,
        LATERAL (
            SELECT
            FROM jobs
            WHERE lane = lane_id AND priority = p AND worker IS NULL AND run_at <= clock_timestamp()
            LIMIT 1
        ) AS ready)
    THEN
        RETURN 'look';
    END IF;
    RETURN CASE WHEN is_quiet THEN 'sleep' ELSE 'busy' END;
END
$$;

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

DROP FUNCTION is_idle(smallint);
