-- The rule for a job that may be claimed. PostgreSQL inlines these functions, so that a query with them uses the index
-- `jobs_ready`. Within a lane, claims take higher priority first, then the order of `run_at` and `id`.

-- Returns true if no worker holds the job.
CREATE OR REPLACE FUNCTION is_waiting(job jobs) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
RETURN job.worker IS NULL;

-- Returns true if the job may be claimed at `moment`.
CREATE OR REPLACE FUNCTION is_ready(job jobs, moment timestamptz) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
RETURN job.worker IS NULL AND job.run_at <= moment;

-- Returns true if the job may be claimed at `moment` and never failed.
CREATE OR REPLACE FUNCTION is_fresh(job jobs, moment timestamptz) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
RETURN is_ready(job, moment) AND job.history IS NULL;
