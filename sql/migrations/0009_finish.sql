-- The end of calls: what becomes of their jobs, what is written down, and what it means for the lane.

-- A worker's report about jobs that it holds, each named with the lease under which the work was done. A job that is
-- held under another lease, or by nobody, is not touched. Returns a row for each job that was still held, with what
-- became of it, and one for each job that was made of its left-overs.
--
-- outcome   the job                                      the call                  the lane
-- --------  -------------------------------------------  ------------------------  ---------------------------
-- done      ends                                         is logged                 is well
-- moved     ends; its left-overs are queued elsewhere    is logged                 is well
-- retry     waits, a little longer each time; is dead    is logged                 one more fault; too many in
--           after the lane's most failures                                         a row open the breaker
-- failed    is dead                                      is logged                 is well
-- snoozed   waits for `pause`, and is not charged        is logged                 is well
-- rate      waits, and is not charged                    is logged                 blocked for `pause`, slower
-- quota     waits, and is not charged                    is logged                 blocked for `pause`
-- released  waits as before                              was not made
-- void      waits as before                              was not made; is counted
--
-- `started` is in seconds since 1970 on this server's clock, null for a call that was not made. Left-overs are subjects of a job that ended as done or
-- moved which need another call: `left_lanes` says where, null in the same lane as one more failure of theirs. Those
-- for whom it was the last are dead, and reported as given up.
CREATE FUNCTION finish_jobs(
    lane_name text, worker_id integer,
    jobs bigint[], leases bigint[], outcomes text[],
    started double precision[], took real[],
    pauses interval[], reasons text[],
    left_jobs bigint[] DEFAULT '{}', left_subjects bigint[] DEFAULT '{}', left_lanes text[] DEFAULT '{}',
    left_pauses interval[] DEFAULT '{}')
RETURNS TABLE (job bigint, fate text, successor bigint, subjects bigint[])
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
    the_lane lanes%ROWTYPE;
    in_trouble boolean;
    faults_seen integer := 0;
    pause_seen interval;
    is_too_fast boolean := false;
    is_well boolean := false;
    outcome text;
    pause interval;
    was_made boolean;
BEGIN
    SELECT * INTO STRICT the_lane FROM lanes WHERE name = lane_name;
    in_trouble := the_lane.faults >= the_lane.breaker_after
        OR coalesce(the_lane.blocked_until > clock_timestamp(), false);

    FOR job, fate, successor, subjects, outcome, pause, was_made IN
    WITH mine AS (
        SELECT id, lease, outcome, to_timestamp(started) AS started_at, took, pause, reason
        FROM unnest(finish_jobs.jobs, leases, outcomes, started, took, pauses, reasons)
            AS report (id, lease, outcome, started, took, pause, reason)
    ), ended AS (
        DELETE FROM jobs
        USING mine
        WHERE jobs.id = mine.id
          AND jobs.lease = mine.lease
          AND (outcome IN ('done', 'moved', 'failed')
               OR outcome = 'retry' AND NOT in_trouble AND failures + 1 >= the_lane.most_failures)
        RETURNING jobs.id, jobs.priority, jobs.failures, jobs.losses, jobs.subjects, jobs.history,
                  mine.outcome, mine.started_at, mine.took, mine.pause, mine.reason,
                  outcome IN ('retry', 'failed') AS is_dead
    ), kept AS (
        UPDATE jobs
        SET worker = NULL,
            lease = NULL,
            starts_at = NULL,
            run_at = CASE outcome
                WHEN 'retry' THEN clock_timestamp() + greatest(
                    pause, random() * least(the_lane.longest_retry, the_lane.first_retry * power(2, least(failures, 30))))
                WHEN 'snoozed' THEN clock_timestamp() + pause
                ELSE run_at
            END,
            failures = failures + CASE WHEN outcome = 'retry' AND NOT in_trouble THEN 1 ELSE 0 END,
            history = CASE outcome
                WHEN 'retry' THEN coalesce(history, '[]') || jsonb_build_object(
                    'at', clock_timestamp(), 'worker', worker_id, 'reason', reason)
                ELSE history
            END
        FROM mine
        WHERE jobs.id = mine.id
          AND jobs.lease = mine.lease
          AND (outcome IN ('snoozed', 'rate', 'quota', 'released', 'void')
               OR outcome = 'retry' AND (in_trouble OR failures + 1 < the_lane.most_failures))
        RETURNING jobs.id, jobs.subjects, mine.outcome, mine.started_at, mine.took, mine.pause
    ), buried AS (
        INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, reason, history)
        SELECT id, the_lane.id, priority, failures + 1, losses, subjects, coalesce(reason, 'it gave no reason'),
               coalesce(history, '[]') || jsonb_build_object(
                   'at', clock_timestamp(), 'worker', worker_id, 'reason', reason)
        FROM ended
        WHERE is_dead
    ), known AS (
        SELECT id, outcome, started_at, took, subjects FROM ended
        UNION ALL
        SELECT id, outcome, started_at, took, subjects FROM kept
    ), logged AS (
        INSERT INTO calls (started_at, took, lane, worker, subjects, outcome)
        SELECT started_at, took, the_lane.id, worker_id, cardinality(subjects), outcome::call_outcome
        FROM known
        WHERE started_at IS NOT NULL AND outcome NOT IN ('released', 'void')
    ), counted AS (
        INSERT INTO throughput AS t (minute, lane, worker, calls, subjects, retries, voided, late)
        SELECT date_trunc('minute', now()), the_lane.id, worker_id,
               count(known.started_at) FILTER (WHERE outcome NOT IN ('released', 'void')),
               coalesce(sum(cardinality(subjects)) FILTER (WHERE outcome IN ('done', 'moved', 'failed')), 0),
               count(*) FILTER (WHERE outcome IN ('retry', 'rate', 'quota')),
               count(*) FILTER (WHERE outcome = 'void'),
               cardinality(finish_jobs.jobs) - count(*)
        FROM known
        ON CONFLICT (minute, lane, worker) DO UPDATE
        SET calls = t.calls + excluded.calls,
            subjects = t.subjects + excluded.subjects,
            retries = t.retries + excluded.retries,
            voided = t.voided + excluded.voided,
            late = t.late + excluded.late
    ), left_over AS (
        SELECT ended.id AS job, ended.priority, ended.failures, ended.history, target.id AS lane, target.batch,
               left_out.subject, left_out.pause, left_out.lane IS NULL AS is_again,
               left_out.lane IS NULL AND ended.failures + 1 >= the_lane.most_failures AS is_last,
               row_number() OVER (PARTITION BY ended.id, target.id, left_out.pause ORDER BY left_out.place) AS number
        FROM unnest(left_jobs, left_subjects, left_lanes, left_pauses)
            WITH ORDINALITY AS left_out (job, subject, lane, pause, place)
        JOIN ended ON ended.id = left_out.job AND NOT ended.is_dead
        -- An unknown lane is an error of the insert below, and not a subject that nobody carries.
        LEFT JOIN lanes AS target ON target.name = coalesce(left_out.lane, lane_name)
    ), requeued AS (
        INSERT INTO jobs (id, lane, priority, run_at, failures, history, subjects)
        OVERRIDING SYSTEM VALUE
        SELECT nextval(pg_get_serial_sequence('jobs', 'id')), lane, priority, clock_timestamp() + pause,
               CASE WHEN is_again THEN failures + 1 ELSE 0 END, history, array_agg(subject ORDER BY number)
        FROM left_over
        WHERE NOT is_last
        GROUP BY job, lane, pause, priority, failures, history, is_again, (number - 1) / batch
        RETURNING id, lane, subjects
    ), given_up AS (
        INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, history, reason)
        SELECT nextval(pg_get_serial_sequence('jobs', 'id')), lane, priority, failures + 1, 0,
               array_agg(subject ORDER BY number), history, 'too many calls left it unanswered'
        FROM left_over
        WHERE is_last
        GROUP BY job, lane, priority, failures, history
        RETURNING id, lane, subjects
    )
    SELECT id, CASE WHEN is_dead THEN 'dead' ELSE 'ended' END, NULL::bigint, NULL::bigint[], outcome, pause,
           started_at IS NOT NULL
    FROM ended
    UNION ALL
    SELECT id, 'kept', NULL, NULL, outcome, pause, started_at IS NOT NULL FROM kept
    UNION ALL
    SELECT DISTINCT ON (made.id) left_over.job, made.fate, made.id, made.subjects, NULL, NULL, false
    FROM (SELECT *, 'left over' AS fate FROM requeued UNION ALL SELECT *, 'given up' FROM given_up) AS made
    JOIN left_over ON left_over.subject = ANY (made.subjects) AND left_over.lane = made.lane
    LOOP
        RETURN NEXT;
        CASE
            WHEN outcome = 'retry' THEN faults_seen := faults_seen + 1;
            WHEN outcome IN ('rate', 'quota') THEN
                pause_seen := greatest(pause_seen, pause);
                is_too_fast := is_too_fast OR outcome = 'rate';
            ELSE is_well := is_well OR was_made AND outcome <> 'void';
        END CASE;
    END LOOP;

    -- What the calls say about the lane. One that is well, as nearly always, is not touched.
    IF faults_seen > 0 OR pause_seen IS NOT NULL OR is_well AND (the_lane.faults > 0 OR the_lane.trips > 0) THEN
        PERFORM heed_calls(the_lane.id, faults_seen, is_well, pause_seen, is_too_fast);
    END IF;
    PERFORM pg_notify('waypost_jobs', name) FROM unnest(left_lanes) AS name WHERE name IS NOT NULL GROUP BY name;
END
$$;

-- What calls that just ended mean for their lane: the breaker, the block, and the learned rate.
CREATE FUNCTION heed_calls(
    lane_id smallint, faults_seen integer, is_well boolean, pause interval, is_too_fast boolean)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    the_lane lanes%ROWTYPE;
    moment timestamptz;
BEGIN
    SELECT * INTO the_lane FROM lanes WHERE id = lane_id FOR NO KEY UPDATE;
    moment := clock_timestamp();
    IF is_well THEN
        the_lane.faults := 0;
        the_lane.trips := 0;
    ELSIF the_lane.blocked_until IS NULL OR the_lane.blocked_until <= moment THEN
        -- Calls that were under way when the breaker opened say nothing new.
        the_lane.faults := the_lane.faults + faults_seen;
        IF faults_seen > 0 AND the_lane.faults >= the_lane.breaker_after THEN
            the_lane.blocked_until := moment
                + least(interval '5 minutes', interval '5 seconds' * power(2, least(the_lane.trips, 10)));
            the_lane.blocked_because := the_lane.faults || ' calls in a row failed';
            the_lane.trips := the_lane.trips + 1;
        END IF;
    END IF;
    IF pause IS NOT NULL AND (the_lane.blocked_until IS NULL OR the_lane.blocked_until < moment + pause) THEN
        the_lane.blocked_until := moment + pause;
        the_lane.blocked_because := CASE WHEN is_too_fast THEN 'the provider asked for a pause'
                                         ELSE 'the provider''s quota is used up' END;
    END IF;
    UPDATE lanes
    SET faults = the_lane.faults, trips = the_lane.trips,
        blocked_until = the_lane.blocked_until, blocked_because = the_lane.blocked_because
    WHERE id = lane_id;
    -- One cut for all the calls that were under way together.
    IF is_too_fast AND (the_lane.pace_changed_at IS NULL OR the_lane.pace_changed_at < moment - interval '5 seconds')
    THEN
        PERFORM set_pace(lane_id, greatest(0.01, the_lane.pace * 0.7)::real);
    END IF;
    IF the_lane.blocked_until > moment THEN
        PERFORM pg_notify('waypost_lanes', the_lane.name);
    END IF;
END
$$;

-- When the last slot of a lane that was promised will have gone by; now, when there is none.
--
-- A bucket whose rate changes is reckoned at the old rate until then. Past it, what is missing stays missing, in
-- tokens. So a promise, which may be kept by a worker that has not heard of the change, is charged as it was made.
CREATE FUNCTION last_promise(lane_id smallint) RETURNS timestamptz
LANGUAGE sql AS $$
    SELECT greatest(clock_timestamp(), max(starts_at)) FROM jobs WHERE lane = lane_id AND worker IS NOT NULL
$$;

-- Changes a lane's learned rate.
CREATE FUNCTION set_pace(lane_id smallint, new_pace real) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    old_pace real;
    moment timestamptz;
BEGIN
    SELECT pace INTO old_pace FROM lanes WHERE id = lane_id FOR NO KEY UPDATE;
    moment := last_promise(lane_id);
    UPDATE token_buckets SET full_at = moment + (full_at - moment) * (old_pace / new_pace)
    WHERE lane = lane_id AND full_at > moment;
    UPDATE lanes SET pace = new_pace, pace_changed_at = clock_timestamp() WHERE id = lane_id;
END
$$;
