-- Reports the results of jobs that a worker holds, each with the lease under which the work was done. A job that has
-- another lease, or none, is not touched. Returns a row with the fate of each job that was still held, and a row for
-- each job that was made of its left-overs.
--
-- outcome   the job                                      the call                  the lane
-- --------  -------------------------------------------  ------------------------  ---------------------------
-- done      ends                                         is logged                 is healthy
-- moved     ends; its left-overs are queued elsewhere    is logged                 is healthy
-- retry     waits, with a growing wait; is dead after    is logged                 one more fault; too many in
--           the lane's `most_failures`                                             a row open the breaker. No fault
--                                                                                  if other calls succeeded since
--                                                                                  the job's last failure
-- failed    is dead                                      is logged                 is healthy
-- snoozed   waits for `pause`, and is not charged        is logged                 is healthy
-- rate      waits, and is not charged                    is logged                 blocked for `pause`, slower
-- quota     waits, and is not charged                    is logged                 blocked for `pause`
-- released  waits as before                              was not made              gets its token back
-- void      waits as before                              was not made; is counted  gets its token back
--
-- `started` is in seconds since 1970 on this server's clock; null if the call was not made. `epochs` contains the epoch
-- of the clock of each `started`; null means the present epoch. Left-overs are subjects that need another call, of a
-- job that ended as done or moved. queue_left_overs.sql describes what happens to them.
--
-- See also retry_wait.sql, breaker.sql, update_lane_health.sql, return_tokens.sql and logged_moment.sql.

DROP FUNCTION IF EXISTS finish_jobs(
    text, integer, bigint[], bigint[], text[], double precision[], real[], interval[], text[], bigint[], bigint[], text[],
    interval[]);

CREATE OR REPLACE FUNCTION finish_jobs(
    lane_name text, worker_id integer,
    jobs bigint[], leases bigint[], outcomes text[],
    started double precision[], took real[],
    pauses interval[], reasons text[],
    left_jobs bigint[] DEFAULT '{}', left_subjects bigint[] DEFAULT '{}', left_lanes text[] DEFAULT '{}',
    left_pauses interval[] DEFAULT '{}', epochs integer[] DEFAULT '{}')
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
    follow_ups integer := 0;
    failure text;
    outcome text;
    pause interval;
    was_made boolean;
    is_own boolean;
    reason text;
    was_set boolean;
    unused integer;
    first_unused timestamptz;
BEGIN
    SELECT * INTO STRICT the_lane FROM lanes WHERE name = lane_name;
    in_trouble := the_lane.faults >= the_lane.breaker_after
        OR coalesce(the_lane.blocked_until > clock_timestamp(), false);

    was_set := EXISTS (SELECT FROM clock_steps WHERE size <> '0');

    IF 'void' = ANY (outcomes) OR 'released' = ANY (outcomes) THEN
        -- Locked, so that the jobs still have this lease below.
        SELECT count(*), min(starts_at)
        INTO unused, first_unused
        FROM (
            SELECT starts_at
            FROM unnest(finish_jobs.jobs, leases, outcomes) AS mine (id, lease, outcome)
            JOIN jobs ON jobs.id = mine.id AND jobs.lease = mine.lease
            WHERE outcome IN ('void', 'released')
            FOR UPDATE OF jobs
        ) AS slots;
    END IF;

    IF cardinality(left_jobs) > 0 THEN
        RETURN QUERY SELECT * FROM queue_left_overs(
            lane_name, the_lane.most_failures, finish_jobs.jobs, leases, outcomes,
            left_jobs, left_subjects, left_lanes, left_pauses);
        follow_ups := (
            SELECT count(DISTINCT left_out.job)
            FROM unnest(left_jobs, left_lanes) AS left_out (job, lane)
            WHERE left_out.lane = lane_name);
    END IF;

    FOR job, fate, outcome, pause, was_made, is_own, reason IN
    WITH mine AS (
        SELECT id, lease, outcome,
               CASE WHEN was_set AND epoch IS NOT NULL THEN logged_moment(to_timestamp(started), epoch)
                    ELSE to_timestamp(started) END AS started_at,
               took, pause, reason
        FROM unnest(finish_jobs.jobs, leases, outcomes, started, took, pauses, reasons, epochs)
            AS report (id, lease, outcome, started, took, pause, reason, epoch)
    ), ended AS (
        DELETE FROM jobs
        USING mine
        WHERE jobs.id = mine.id
          AND jobs.lease = mine.lease
          AND (outcome IN ('done', 'moved', 'failed')
               OR outcome = 'retry'
                  AND is_charged(history, the_lane.well_at, in_trouble)
                  AND failures + 1 >= the_lane.most_failures)
        RETURNING jobs.id, jobs.priority, jobs.failures, jobs.losses, jobs.subjects, jobs.history,
                  mine.outcome, mine.started_at, mine.took, mine.pause, mine.reason,
                  outcome IN ('retry', 'failed') AS is_dead,
                  is_own_fault(jobs.history, the_lane.well_at) AS is_own
    ), kept AS (
        UPDATE jobs
        SET worker = NULL,
            lease = NULL,
            starts_at = NULL,
            run_at = CASE outcome
                WHEN 'retry' THEN clock_timestamp()
                    + retry_wait(failures, the_lane.first_retry, the_lane.longest_retry, pause)
                WHEN 'snoozed' THEN clock_timestamp() + pause
                ELSE run_at
            END,
            failures = failures + CASE
                WHEN outcome = 'retry' AND is_charged(history, the_lane.well_at, in_trouble) THEN 1 ELSE 0 END,
            history = CASE outcome
                WHEN 'retry' THEN coalesce(history, '[]') || jsonb_build_object(
                    'at', clock_timestamp(), 'worker', worker_id, 'reason', reason, 'started', started_at, 'took', took)
                ELSE history
            END
        FROM mine
        WHERE jobs.id = mine.id
          AND jobs.lease = mine.lease
          AND (outcome IN ('snoozed', 'rate', 'quota', 'released', 'void')
               OR outcome = 'retry'
                  AND (failures + 1 < the_lane.most_failures
                       OR NOT is_charged(history, the_lane.well_at, in_trouble)))
        -- The history already contains this failure.
        RETURNING jobs.id, jobs.subjects, mine.outcome, mine.started_at, mine.took, mine.pause, mine.reason,
                  is_own_fault(jobs.history - -1, the_lane.well_at) AS is_own
    ), buried AS (
        INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, reason, history)
        SELECT id, the_lane.id, priority, failures + 1, losses, subjects, coalesce(reason, 'it gave no reason'),
               coalesce(history, '[]') || jsonb_build_object(
                   'at', clock_timestamp(), 'worker', worker_id, 'reason', reason, 'started', started_at, 'took', took)
        FROM ended
        WHERE is_dead
    ), known AS (
        SELECT id, outcome, started_at, took, subjects, reason FROM ended
        UNION ALL
        SELECT id, outcome, started_at, took, subjects, reason FROM kept
    ), logged AS (
        INSERT INTO calls (started_at, took, lane, worker, subjects, outcome, job, reason)
        SELECT started_at, took, the_lane.id, worker_id, cardinality(subjects), outcome::call_outcome, id, reason
        FROM known
        WHERE started_at IS NOT NULL AND outcome NOT IN ('released', 'void')
    ), counted AS (
        INSERT INTO throughput AS t (
            minute, lane, worker, calls, subjects, retries, retried, limited, failed, voided, late, follow_ups)
        SELECT date_trunc('minute', now()), the_lane.id, worker_id,
               count(known.started_at) FILTER (WHERE outcome NOT IN ('released', 'void')),
               coalesce(sum(cardinality(subjects)) FILTER (WHERE outcome IN ('done', 'moved', 'failed')), 0),
               count(*) FILTER (WHERE outcome IN ('retry', 'rate', 'quota')),
               count(known.started_at) FILTER (WHERE outcome = 'retry'),
               count(known.started_at) FILTER (WHERE outcome IN ('rate', 'quota')),
               count(known.started_at) FILTER (WHERE outcome = 'failed'),
               count(*) FILTER (WHERE outcome = 'void'),
               cardinality(finish_jobs.jobs) - count(*),
               follow_ups
        FROM known
        ON CONFLICT (minute, lane, worker) DO UPDATE
        SET calls = t.calls + excluded.calls,
            subjects = t.subjects + excluded.subjects,
            retries = t.retries + excluded.retries,
            retried = t.retried + excluded.retried,
            limited = t.limited + excluded.limited,
            failed = t.failed + excluded.failed,
            voided = t.voided + excluded.voided,
            late = t.late + excluded.late,
            follow_ups = t.follow_ups + excluded.follow_ups
    )
    SELECT id, CASE WHEN is_dead THEN 'dead' ELSE 'ended' END, outcome, pause, started_at IS NOT NULL, is_own, reason FROM ended
    UNION ALL
    SELECT id, 'kept', outcome, pause, started_at IS NOT NULL, is_own, reason FROM kept
    LOOP
        RETURN NEXT;
        IF outcome IN ('retry', 'failed') THEN failure := coalesce(reason, 'it gave no reason'); END IF;
        CASE
            WHEN outcome = 'retry' THEN faults_seen := faults_seen + CASE WHEN is_own THEN 0 ELSE 1 END;
            WHEN outcome IN ('rate', 'quota') THEN
                pause_seen := greatest(pause_seen, pause);
                is_too_fast := is_too_fast OR outcome = 'rate';
            ELSE is_well := is_well OR was_made AND outcome <> 'void';
        END CASE;
    END LOOP;

    -- Update the state of the lane. A healthy lane, the usual case, is not written.
    IF faults_seen > 0 OR failure IS NOT NULL OR pause_seen IS NOT NULL
        OR is_well AND (the_lane.faults > 0 OR the_lane.trips > 0 OR the_lane.wary_until > clock_timestamp())
    THEN
        PERFORM update_lane_health(the_lane.id, faults_seen, is_well, pause_seen, is_too_fast, failure);
    END IF;
    IF unused > 0 AND EXISTS (SELECT FROM token_buckets WHERE lane = the_lane.id) THEN
        IF return_tokens(the_lane.id, unused, first_unused) AND 'released' = ANY (outcomes) THEN
            -- Other workers may be waiting for slots after the returned ones.
            PERFORM pg_notify('waypost_jobs', lane_name);
        END IF;
    END IF;
    PERFORM pg_notify('waypost_jobs', name) FROM unnest(left_lanes) AS name WHERE name IS NOT NULL GROUP BY name;
END
$$;
