-- No lost wake-ups, whatever the order of commits, and no NOTIFY for each job.
--
-- Who finds a lane empty leaves a mark before it sleeps; who enqueues looks for marks while it commits.
--
--     enqueue, at COMMIT:  1. shared lock on the lane's commits   2. look for a mark: if there is one, NOTIFY and delete it
--     worker:              1. leave a mark, COMMIT                2. see that nobody holds that lock   3. look for jobs
--
-- An enqueue that looks for marks after the worker left its own finds it. One that looked before holds the lock from then on
-- until its jobs can be seen, so the worker's look comes after that. The look for marks is a deferred trigger and not a part
-- of the enqueue, for a transaction may go on for minutes after it.

-- The class of the advisory locks that enqueues hold while they commit; the number within is the lane's.
CREATE OR REPLACE FUNCTION enqueue_lock() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 7229;

CREATE OR REPLACE FUNCTION wake_sleepers() RETURNS trigger
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

-- With the owner's rights, so that who enqueues need not be able to take away marks.
REVOKE EXECUTE ON FUNCTION wake_sleepers() FROM PUBLIC;
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION wake_sleepers() SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
END
$$;

-- A constraint trigger can't be replaced.
DROP TRIGGER IF EXISTS an_enqueue_wakes_who_sleeps ON jobs;
CREATE CONSTRAINT TRIGGER an_enqueue_wakes_who_sleeps
AFTER INSERT ON jobs
DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW
WHEN (NEW.wakes)
EXECUTE FUNCTION wake_sleepers();
