-- Queues the upload of locations of these trackers that their sinks do not have yet. The caller has locked the
-- trackers' rows. Nothing is queued for a tracker that is off, that has a job, or whose user is not signed in although
-- the sink requires it.
--
-- A tracker joins the newest waiting job of its lane if the job has room. So a lane that is behind makes few calls for
-- many trackers.
CREATE OR REPLACE FUNCTION queue_uploads(the_trackers integer[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off
SET jit = off
AS $$
DECLARE
    waiting record;
    job_id bigint;
    room integer;
    carried bigint[];
    rest bigint[];
BEGIN
    FOR waiting IN
        SELECT lanes.name, lanes.id AS lane, lanes.batch, max(due.at) AS due_at,
               array_agg(trackers.id::bigint ORDER BY trackers.id) AS ids
        FROM trackers
        JOIN sinks ON sinks.id = trackers.sink
        JOIN lanes ON lanes.id = sinks.lane
        CROSS JOIN LATERAL (SELECT greatest(now(), trackers.uploaded_at + sinks.pause) AS at) AS due
        WHERE trackers.id = ANY (the_trackers) AND trackers.is_on AND trackers.job IS NULL
          AND (NOT sinks.signs_in OR may_upload(sinks.id, trackers.id))
          AND EXISTS (
              SELECT FROM pending_locations AS location
              WHERE location.tracker = trackers.id AND NOT location.uploaded AND location.refusal IS NULL)
        GROUP BY lanes.id, lanes.name, lanes.batch, due.at > now()
    LOOP
        rest := waiting.ids;
        IF waiting.batch > 1 THEN
            SELECT id, waiting.batch - cardinality(subjects) INTO job_id, room
            FROM jobs
            WHERE lane = waiting.lane AND priority = 1 AND is_waiting(jobs) AND failures = 0
            ORDER BY run_at DESC, id DESC
            LIMIT 1
            FOR UPDATE SKIP LOCKED;
            IF FOUND AND room > 0 THEN
                carried := rest[: room];
                rest := rest[room + 1 :];
                UPDATE jobs SET subjects = subjects || carried WHERE id = job_id;
                UPDATE trackers SET job = job_id WHERE id = ANY (carried);
            END IF;
        END IF;
        IF rest <> '{}' THEN
            UPDATE trackers
            SET job = queued.job
            FROM (
                SELECT job, unnest(subjects) AS tracker
                FROM queue_jobs(waiting.name, rest, 1::smallint, waiting.due_at)
            ) AS queued
            WHERE trackers.id = queued.tracker;
        END IF;
    END LOOP;
END
$$;

-- Returns true if a tracker has a valid sign-in: its own, or else the one for the whole sink.
CREATE OR REPLACE FUNCTION may_upload(the_sink integer, the_tracker integer) RETURNS boolean
LANGUAGE sql STABLE
SET enable_seqscan = off
SET jit = off
RETURN (
    SELECT refusal IS NULL
    FROM sign_ins
    WHERE sink = the_sink AND (tracker = the_tracker OR tracker IS NULL)
    ORDER BY tracker NULLS LAST
    LIMIT 1
);
