-- Queues the left-overs of jobs that are about to end as done or moved: subjects that need another call. For
-- `finish_jobs`, with its parameters and its settings. Returns a row for each job that was made.
--
-- A left-over without a lane is counted as one more failure. Subjects for which it was the last permitted failure are
-- dead and reported as given up. A subject that is called again in the same lane in other words goes before the jobs that
-- were queued together with it: all jobs of an import have one `run_at`, and a new id would be the last of them. So one
-- question is finished before the next one begins. The first new job of a lane wakes workers that sleep, if it can be
-- called now.
CREATE OR REPLACE FUNCTION queue_left_overs(
    lane_name text, most_failures smallint, reports job_report[], left_overs left_over[])
RETURNS TABLE (job bigint, fate text, successor bigint, subjects bigint[])
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH ending AS (
        -- Locked, so that the job still has this lease when it is deleted.
        SELECT jobs.id, jobs.lane, jobs.priority, jobs.run_at, jobs.failures, jobs.history, jobs.trace,
               jobs.chain, jobs.call_number
        FROM unnest(reports) AS mine
        JOIN jobs ON jobs.id = mine.job AND jobs.lease = mine.lease
        WHERE outcome_has_answer(mine.outcome) AND mine.job IN (SELECT left_out.job FROM unnest(left_overs) AS left_out)
        FOR UPDATE OF jobs
    ), left_over AS (
        SELECT ending.id AS job, ending.priority, ending.failures, ending.history, ending.trace, ending.chain,
               target.id AS lane, target.batch,
               left_out.subject, left_out.pause, left_out.lane IS NULL AS is_again,
               CASE WHEN left_out.lane IS NOT NULL AND target.id = ending.lane AND left_out.pause = '0'
                    THEN ending.run_at - interval '1 microsecond' ELSE clock_timestamp() + left_out.pause END AS run_at,
               CASE WHEN target.id <> ending.lane THEN 1 WHEN left_out.lane IS NULL THEN ending.call_number
                    ELSE least(ending.call_number + 1, most_followed()) END AS call_number,
               left_out.lane IS NULL AND ending.failures + 1 >= most_failures AS is_last,
               row_number() OVER (PARTITION BY ending.id, target.id, left_out.pause ORDER BY left_out.place) AS number
        FROM unnest(left_overs) WITH ORDINALITY AS left_out (job, subject, lane, pause, place)
        JOIN ending ON ending.id = left_out.job
        -- The left join makes an unknown lane an error of the insert below. Otherwise the subject would be lost.
        LEFT JOIN lanes AS target ON target.name = coalesce(left_out.lane, lane_name)
    ), requeued AS (
        INSERT INTO jobs (id, lane, priority, run_at, failures, history, trace, chain, call_number, subjects, wakes)
        OVERRIDING SYSTEM VALUE
        SELECT nextval(pg_get_serial_sequence('jobs', 'id')), lane, priority, min(run_at),
               CASE WHEN is_again THEN failures + 1 ELSE 0 END, history, trace, chain, call_number,
               array_agg(subject ORDER BY number),
               nullif(pause = '0' AND row_number() OVER (PARTITION BY lane ORDER BY pause) = 1, false)
        FROM left_over
        WHERE NOT is_last
        GROUP BY job, lane, pause, priority, failures, history, trace, chain, call_number, is_again, (number - 1) / batch
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
    SELECT DISTINCT ON (made.id) left_over.job, made.fate, made.id, made.subjects
    FROM (SELECT *, 'left over' AS fate FROM requeued UNION ALL SELECT *, 'given up' FROM given_up) AS made
    JOIN left_over ON left_over.subject = ANY (made.subjects) AND left_over.lane = made.lane;
END
$$;
