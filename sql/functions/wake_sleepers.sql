-- Loses no wake-up, whatever the order of commits, without a NOTIFY for each job.
--
-- A worker that finds a lane empty leaves a mark before it sleeps. An enqueue looks for marks while it commits.
--
--     enqueue, at COMMIT:  1. shared lock on the lane's commits   2. look for a mark: if there is one, NOTIFY and delete it
--     worker:              1. leave a mark, COMMIT                2. see that nobody holds that lock   3. look for jobs
--
-- An enqueue that looks for marks after the worker has left its mark finds it. An enqueue that looked earlier holds the
-- lock until its jobs can be seen, so the worker looks for jobs after that. A deferred trigger looks for marks, not the
-- enqueue itself, because a transaction may go on for minutes after its enqueue.

-- The class of the advisory locks that enqueues hold while they commit. The second key is the lane's id.
CREATE OR REPLACE FUNCTION enqueue_lock() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 7229;

CREATE OR REPLACE FUNCTION wake_sleepers() RETURNS trigger
LANGUAGE plpgsql
-- The plan is made while the table is empty.
SET enable_seqscan = off
SET jit = off
AS $$
DECLARE
    -- An expression instead of SQL, because this runs for each enqueue.
    locked CONSTANT text := pg_advisory_xact_lock_shared(enqueue_lock(), NEW.lane);
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        -- A snapshot that is older than the lock may miss a mark, so notify always.
        PERFORM pg_notify('waypost_jobs', lanes.name) FROM lanes WHERE id = NEW.lane;
    ELSIF EXISTS (SELECT FROM sleepers WHERE lane = NEW.lane AND until > clock_timestamp()) THEN
        PERFORM pg_notify('waypost_jobs', lanes.name) FROM lanes WHERE id = NEW.lane;
        -- A mark that another enqueue is deleting is left to that enqueue.
        DELETE FROM sleepers WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM sleepers WHERE lane = NEW.lane AND until > clock_timestamp() FOR UPDATE SKIP LOCKED));
    END IF;
    RETURN NULL;
END
$$;

-- A role that enqueues then needs no right to delete marks.
SELECT run_as_owner(ARRAY['wake_sleepers()']);

-- A constraint trigger can't be replaced.
DROP TRIGGER IF EXISTS jobs_enqueued ON jobs;
CREATE CONSTRAINT TRIGGER jobs_enqueued
AFTER INSERT ON jobs
DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW
WHEN (NEW.wakes)
EXECUTE FUNCTION wake_sleepers();
