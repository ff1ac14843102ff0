-- Returns the number of slots that the reported calls did not use, and the moment of the first one. Locks their jobs, so
-- that they still have this lease when they are settled. `is_released` is true if a call was released.
CREATE OR REPLACE FUNCTION unused_slots(
    reports job_report[], OUT unused integer, OUT first_unused timestamptz, OUT is_released boolean)
LANGUAGE plpgsql AS $$
BEGIN
    SELECT count(*), min(starts_at), bool_or(outcome = 'released')
    INTO unused, first_unused, is_released
    FROM (
        SELECT starts_at, outcome
        FROM unnest(reports) AS mine
        JOIN jobs ON jobs.id = mine.job AND jobs.lease = mine.lease
        WHERE outcome_counter(outcome) = 'unused'
        FOR UPDATE OF jobs
    ) AS slots;
END
$$;

-- Ends or returns the jobs that a worker reports, and logs the calls. For `finish_jobs`, with its parameters and its
-- settings. Returns a row for each job that was still held: `is_own` is true if a failure is the job's own fault.
--
-- See also retry_wait.sql, breaker.sql and logged_moment.sql.

-- CREATE OR REPLACE can't change the columns of the result.
DROP FUNCTION IF EXISTS settle_jobs(lanes, integer, job_report[]);

CREATE FUNCTION settle_jobs(the_lane lanes, worker_id integer, reports job_report[])
RETURNS TABLE (
    id bigint, fate text, outcome text, started_at timestamptz, pause interval, subjects integer, reason text, is_own boolean,
    chain integer, call_number smallint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    in_trouble CONSTANT boolean := is_probing(the_lane) OR coalesce(the_lane.blocked_until > clock_timestamp(), false);
    is_clock_set CONSTANT boolean := EXISTS (SELECT FROM clock_steps WHERE size <> '0');
BEGIN
    RETURN QUERY
    WITH mine AS NOT MATERIALIZED (
        SELECT job AS id, lease, outcome,
               CASE WHEN is_clock_set AND epoch IS NOT NULL THEN logged_moment(to_timestamp(started), epoch)
                    ELSE to_timestamp(started) END AS started_at,
               took, pause, reason
        FROM unnest(reports)
    ), ended AS (
        DELETE FROM jobs
        USING mine
        WHERE jobs.id = mine.id
          AND jobs.lease = mine.lease
          AND (outcome_ends_job(outcome)
               OR outcome = 'retry'
                  AND is_charged(history, the_lane.well_at, in_trouble)
                  AND failures + 1 >= the_lane.most_failures)
        RETURNING jobs.id, jobs.priority, jobs.failures, jobs.losses, jobs.subjects, jobs.history,
                  jobs.chain, jobs.call_number, mine.outcome, mine.started_at, mine.took, mine.pause, mine.reason,
                  outcome_counter(outcome) <> 'answered' AS is_dead,
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
          AND NOT outcome_ends_job(outcome) AND outcome_counter(outcome) IS NOT NULL
          AND (outcome <> 'retry'
               OR failures + 1 < the_lane.most_failures
               OR NOT is_charged(history, the_lane.well_at, in_trouble))
        -- The history already contains this failure.
        RETURNING jobs.id, jobs.subjects, jobs.chain, jobs.call_number, mine.outcome, mine.started_at, mine.took, mine.pause, mine.reason,
                  is_own_fault(jobs.history - -1, the_lane.well_at) AS is_own
    ), buried AS (
        INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, reason, history)
        SELECT id, the_lane.id, priority, failures + 1, losses, subjects, coalesce(reason, 'it gave no reason'),
               coalesce(history, '[]') || jsonb_build_object(
                   'at', clock_timestamp(), 'worker', worker_id, 'reason', reason, 'started', started_at, 'took', took)
        FROM ended
        WHERE is_dead
    ), known AS NOT MATERIALIZED (
        SELECT id, CASE WHEN is_dead THEN 'dead' ELSE 'ended' END AS fate, outcome, started_at, took, pause, subjects,
               reason, is_own, chain, call_number
        FROM ended
        UNION ALL
        SELECT id, 'kept', outcome, started_at, took, pause, subjects, reason, is_own, chain, call_number
        FROM kept
    ), logged AS (
        INSERT INTO calls (started_at, took, lane, worker, subjects, outcome, job, reason)
        SELECT started_at, took, the_lane.id, worker_id, cardinality(subjects), outcome::call_outcome, id, reason
        FROM known
        WHERE started_at IS NOT NULL AND outcome_counter(outcome) <> 'unused'
    )
    SELECT id, fate, outcome, started_at, pause, cardinality(subjects), reason, is_own, chain, call_number FROM known;
END
$$;
