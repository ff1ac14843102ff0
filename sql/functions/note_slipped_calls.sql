-- A worker reads its clock right before it writes the bytes of a call, and sends nothing after the slot's end. But
-- between reading and writing the process may be stopped by a signal or a busy machine. Such a call is detected
-- afterwards and charged once more. It came closer to the later calls than its slot permits, and slots that are not
-- promised yet make room for it.
--
-- Charges a lane for the calls that slipped, and counts them for `worker_id`.
--
-- The arrays describe slipped calls whose lease was lost: when they were sent (seconds since 1970), how long they took,
-- how many subjects they had, and how they ended. The log already has them as lost, at the beginning of their slots. It
-- gets a second row for each, at its true moment, which is on the clock of the epoch. The other slipped calls were
-- logged by `finish_jobs`, which must be called first.

DROP FUNCTION IF EXISTS note_slipped_calls(text, integer, integer, double precision[], real[], integer[], text[]);

CREATE OR REPLACE FUNCTION note_slipped_calls(
    lane_name text, worker_id integer, slipped integer,
    started double precision[] DEFAULT '{}', took real[] DEFAULT '{}', subjects integer[] DEFAULT '{}',
    outcomes text[] DEFAULT '{}', epochs integer[] DEFAULT '{}')
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    the_lane lanes%ROWTYPE;
BEGIN
    -- Locks the lane before its buckets, in the order of a claim.
    SELECT * INTO STRICT the_lane FROM lanes WHERE name = lane_name FOR NO KEY UPDATE;
    UPDATE token_buckets
    SET full_at = greatest(full_at, clock_timestamp()) + slipped * make_interval(secs => spacing)
    FROM (
        SELECT per AS of_per, spacing
        FROM token_buckets,
        LATERAL careful_limit(
            refill, per, capacity, clock_pace(the_lane.pace), the_lane.grace, greatest(the_lane.spread, the_lane.spread_before))
            AS careful
        WHERE lane = the_lane.id
    ) AS careful
    WHERE lane = the_lane.id AND per = of_per;
    INSERT INTO calls (started_at, took, lane, worker, subjects, outcome)
    SELECT coalesce(logged_moment(to_timestamp(call.started), call.epoch), to_timestamp(call.started)), call.took, the_lane.id, worker_id, call.subjects, call.outcome::call_outcome
    FROM unnest(started, took, subjects, outcomes, epochs) AS call (started, took, subjects, outcome, epoch);
    INSERT INTO throughput AS t (minute, lane, worker, calls, subjects, retried, limited, failed, slipped)
    SELECT date_trunc('minute', now()), the_lane.id, worker_id, cardinality(started), 0,
           count(*) FILTER (WHERE counter = 'retried'),
           count(*) FILTER (WHERE counter = 'limited'),
           count(*) FILTER (WHERE counter = 'failed'),
           note_slipped_calls.slipped
    FROM unnest(outcomes) AS outcome, outcome_counter(outcome) AS counter
    ON CONFLICT (minute, lane, worker) DO UPDATE
    SET calls = t.calls + excluded.calls,
        retried = t.retried + excluded.retried,
        limited = t.limited + excluded.limited,
        failed = t.failed + excluded.failed,
        slipped = t.slipped + excluded.slipped;
END
$$;
