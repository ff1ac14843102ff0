-- The meaning of the outcomes that workers report to `finish_jobs`, and of `lost` in the log of calls. `CallOutcome` in
-- the program mirrors these functions, and `RuleHomesTests` compares both. PostgreSQL inlines a function of one
-- expression, so `finish_jobs` pays for no join as with a table.

-- Returns the counter of a call: `answered`, or the column of `throughput`. `unused`: there was no call. Null for an
-- unknown outcome.
CREATE OR REPLACE FUNCTION outcome_counter(outcome text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE outcome
    WHEN 'done'     THEN 'answered'
    WHEN 'moved'    THEN 'answered'
    WHEN 'snoozed'  THEN 'answered'
    WHEN 'retry'    THEN 'retried'
    WHEN 'rate'     THEN 'limited'
    WHEN 'quota'    THEN 'limited'
    WHEN 'failed'   THEN 'failed'
    WHEN 'lost'     THEN 'lost'
    WHEN 'released' THEN 'unused'
    WHEN 'void'     THEN 'unused'
END;

-- Returns true if the job ends with an answer. A snoozed call was answered too, but its job is called again.
CREATE OR REPLACE FUNCTION outcome_has_answer(outcome text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN outcome IN ('done', 'moved');

-- Returns true if the job ends. A job with `retry` also ends if it failed too often.
CREATE OR REPLACE FUNCTION outcome_ends_job(outcome text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN outcome IN ('done', 'moved', 'failed');

-- Returns true if the call proves that the provider works: it answered, or refused only this job.
CREATE OR REPLACE FUNCTION outcome_is_well(outcome text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN outcome IN ('done', 'moved', 'snoozed', 'failed');
