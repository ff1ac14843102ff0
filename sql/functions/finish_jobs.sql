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
-- If a provider refuses all calls, our workers report `quota` and stop the lane.
--
-- Left-overs are subjects that need another call, of a job that ended as done or moved. queue_left_overs.sql describes
-- what happens to them.
--
-- See also outcomes.sql, settle_jobs.sql, update_lane_health.sql and return_tokens.sql.

CREATE OR REPLACE FUNCTION finish_jobs(
    lane_name text, worker_id integer, reports job_report[], left_overs left_over[] DEFAULT '{}')
RETURNS TABLE (job bigint, fate text, successor bigint, subjects bigint[])
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    the_lane lanes%ROWTYPE;
    unused integer;
    first_unused timestamptz;
    is_released boolean;
    followed bigint[] := '{}';
    known record;
BEGIN
    SELECT * INTO STRICT the_lane FROM lanes WHERE name = lane_name;
    IF EXISTS (SELECT FROM unnest(reports) WHERE outcome_counter(outcome) = 'unused') THEN
        SELECT * INTO unused, first_unused, is_released FROM unused_slots(reports);
    END IF;
    IF cardinality(left_overs) > 0 THEN
        RETURN QUERY SELECT * FROM queue_left_overs(lane_name, the_lane.most_failures, reports, left_overs);
        followed := ARRAY (SELECT DISTINCT left_out.job FROM unnest(left_overs) AS left_out WHERE lane = lane_name);
    END IF;

    -- All sums come from one pass over the jobs. A loop in PL/pgSQL costs more for each job.
    WITH settled AS MATERIALIZED (
        SELECT *, outcome_counter(outcome) AS counter,
               outcome_has_answer(outcome) AND started_at IS NOT NULL AS is_answered
        FROM settle_jobs(the_lane, worker_id, reports)
    ), known AS MATERIALIZED (
        SELECT array_agg(id) AS jobs, array_agg(fate) AS fates,
               array_agg(chain) FILTER (WHERE is_answered) AS chains,
               array_agg(call_number) FILTER (WHERE is_answered) AS numbers,
               array_agg(is_followed) FILTER (WHERE is_answered) AS are_followed,
               count(started_at) FILTER (WHERE counter <> 'unused') AS calls,
               coalesce(sum(subjects) FILTER (WHERE outcome_ends_job(outcome)), 0) AS subjects,
               count(*) FILTER (WHERE counter IN ('retried', 'limited')) AS retries,
               count(started_at) FILTER (WHERE counter = 'retried') AS retried,
               count(started_at) FILTER (WHERE counter = 'limited') AS limited,
               count(started_at) FILTER (WHERE counter = 'failed') AS failed,
               count(*) FILTER (WHERE outcome = 'void') AS voided,
               cardinality(reports) - count(*) AS late,
               count(*) FILTER (WHERE outcome = 'retry' AND NOT is_own) AS faults,
               count(started_at) FILTER (WHERE outcome_is_well(outcome)) > 0 AS is_well,
               max(pause) FILTER (WHERE counter = 'limited') AS pause,
               coalesce(bool_or(outcome = 'rate'), false) AS is_too_fast,
               coalesce(
                   max(reason) FILTER (WHERE counter IN ('retried', 'failed')),
                   max('it gave no reason') FILTER (WHERE counter IN ('retried', 'failed'))) AS failure
        FROM settled
        LEFT JOIN (SELECT id, true AS was_followed FROM unnest(followed) AS id) AS follower USING (id),
        LATERAL (SELECT coalesce(was_followed, false) AS is_followed) AS fact
    ), counted AS (
        INSERT INTO throughput AS t (
            minute, lane, worker, calls, subjects, retries, retried, limited, failed, voided, late)
        SELECT date_trunc('minute', now()), the_lane.id, worker_id, calls, subjects, retries, retried, limited, failed,
               voided, late
        FROM known
        ON CONFLICT (minute, lane, worker) DO UPDATE
        SET calls = t.calls + excluded.calls,
            subjects = t.subjects + excluded.subjects,
            retries = t.retries + excluded.retries,
            retried = t.retried + excluded.retried,
            limited = t.limited + excluded.limited,
            failed = t.failed + excluded.failed,
            voided = t.voided + excluded.voided,
            late = t.late + excluded.late
    )
    SELECT * INTO known FROM known;
    IF known.chains IS NOT NULL THEN
        PERFORM note_followed_calls(the_lane.id, known.chains, known.numbers, known.are_followed);
    END IF;
    RETURN QUERY
        SELECT settled.job, settled.fate, NULL::bigint, NULL::bigint[]
        FROM unnest(known.jobs, known.fates) AS settled (job, fate);

    -- Update the state of the lane. A healthy lane, the usual case, is not written.
    IF known.faults > 0 OR known.failure IS NOT NULL OR known.pause IS NOT NULL
        OR known.is_well AND the_lane.pace < 1 AND may_speed_up(the_lane.pace_changed_at, clock_timestamp())
        OR known.is_well AND (the_lane.faults > 0 OR the_lane.trips > 0 OR the_lane.wary_until > clock_timestamp())
    THEN
        PERFORM update_lane_health(
            the_lane.id, known.faults::integer, known.is_well, known.pause, known.is_too_fast, known.failure);
    END IF;
    IF unused > 0 AND EXISTS (SELECT FROM token_buckets WHERE lane = the_lane.id) THEN
        IF return_tokens(the_lane.id, unused, first_unused) AND is_released THEN
            -- Other workers may be waiting for slots after the returned ones.
            PERFORM pg_notify('waypost_jobs', lane_name);
        END IF;
    END IF;
END
$$;

-- The same, with the reports as parallel arrays, as programs before migration 19 call it: while a new version is
-- installed, workers of the old one go on.
CREATE OR REPLACE FUNCTION finish_jobs(
    lane_name text, worker_id integer,
    jobs bigint[], leases bigint[], outcomes text[],
    started double precision[], took real[],
    pauses interval[], reasons text[],
    left_jobs bigint[] DEFAULT '{}', left_subjects bigint[] DEFAULT '{}', left_lanes text[] DEFAULT '{}',
    left_pauses interval[] DEFAULT '{}', epochs integer[] DEFAULT '{}')
RETURNS TABLE (job bigint, fate text, successor bigint, subjects bigint[])
LANGUAGE sql
BEGIN ATOMIC
    SELECT *
    FROM finish_jobs(
        lane_name, worker_id,
        ARRAY (
            SELECT (report.*)::job_report
            FROM unnest(jobs, leases, outcomes, started, took, pauses, reasons, epochs)
                AS report (job, lease, outcome, started, took, pause, reason, epoch)
            WHERE report.job IS NOT NULL
        ),
        ARRAY (
            SELECT (left_out.*)::left_over
            FROM unnest(left_jobs, left_subjects, left_lanes, left_pauses) AS left_out (job, subject, lane, pause)
        ));
END;
