-- Records the results of a sink's jobs that have just ended. `jobs`, `carried`, `pieces` and `stored` have an element
-- for each tracker of each job: `pieces` is the most locations in the tracker's next call, and `stored` is true if the
-- sink has stored any. The arrays from `sent_trackers` on have an element for each location that the sink now has
-- stored or deleted. Those from `refused_trackers` on have one for each location that the sink refuses.
--
-- A location that has changed since it was sent stays due. Whatever is still due is queued again.
CREATE OR REPLACE FUNCTION finish_uploads(
    jobs bigint[], carried bigint[], pieces integer[], stored boolean[],
    sent_trackers integer[], sent_times double precision[], sent_ids text[], sent_waits double precision[],
    sent_removals boolean[],
    refused_trackers integer[], refused_times double precision[], refused_ids text[], reasons text[])
RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    -- The trackers that still have this job. Another tracker may have a new sink, which does not have what was sent.
    own integer[];
    free integer[];
BEGIN
    -- Locked in the same order as by writers of fixes, so that no deadlock can occur.
    PERFORM FROM trackers WHERE id = ANY (carried) ORDER BY id FOR UPDATE;
    own := ARRAY(
        SELECT trackers.id
        FROM unnest(finish_uploads.jobs, carried) AS given (job, tracker)
        JOIN trackers ON trackers.id = given.tracker AND trackers.job = given.job);

    UPDATE pending_locations AS location
    SET uploaded = true
    FROM unnest(sent_trackers, sent_times, sent_ids, sent_waits, sent_removals) AS sent (tracker, time, id, wait_time, removed)
    WHERE NOT sent.removed AND sent.tracker = ANY (own) AND location.tracker = sent.tracker AND location.at = to_timestamp(sent.time)
      AND location.id = sent.id AND location.wait_time = sent.wait_time AND NOT location.removed;

    DELETE FROM pending_locations AS location
    USING unnest(sent_trackers, sent_times, sent_ids, sent_removals) AS sent (tracker, time, id, removed)
    WHERE sent.removed AND sent.tracker = ANY (own) AND location.tracker = sent.tracker AND location.at = to_timestamp(sent.time)
      AND location.id = sent.id AND location.removed;

    IF refused_trackers <> '{}' THEN
        UPDATE pending_locations AS location
        SET refusal = reason
        FROM unnest(refused_trackers, refused_times, refused_ids, reasons) AS refused (tracker, time, id, reason)
        WHERE refused.tracker = ANY (own) AND location.tracker = refused.tracker
          AND location.at = to_timestamp(refused.time) AND location.id = refused.id AND NOT location.uploaded;
    END IF;

    WITH freed AS (
        UPDATE trackers
        SET job = NULL,
            piece = given.piece,
            uploaded_at = CASE WHEN given.stored THEN now() ELSE uploaded_at END
        FROM unnest(finish_uploads.jobs, carried, pieces, finish_uploads.stored) AS given (job, tracker, piece, stored)
        WHERE trackers.id = given.tracker AND trackers.job = given.job
        RETURNING trackers.id
    )
    SELECT array_agg(id) INTO free FROM freed;
    PERFORM queue_uploads(free);
END
$$;
