-- Adds numbers for monitoring: the outcomes of calls, the backlog of a lane, and the memory of a worker.

ALTER TABLE throughput
    -- Calls without an answer. `retried`: the call failed and its job waits for a retry. `limited`: the provider
    -- refused the call because of its rate or quota. `failed`: the call failed for good. `lost`: its worker vanished.
    ADD COLUMN retried integer NOT NULL DEFAULT 0,
    ADD COLUMN limited integer NOT NULL DEFAULT 0,
    ADD COLUMN failed  integer NOT NULL DEFAULT 0,
    ADD COLUMN lost    integer NOT NULL DEFAULT 0;

-- The worker's memory at its last heartbeat, in bytes.
ALTER TABLE workers ADD COLUMN memory bigint;

-- The backlogs of lanes that take long to count. The leading coordinator counts them at intervals. A lane with a small
-- backlog has no row: it is counted on each request. See functions/backlog.sql.
CREATE TABLE backlogs (
    lane       smallint    PRIMARY KEY REFERENCES lanes ON DELETE CASCADE,
    counted_at timestamptz NOT NULL,

    -- The duration of the count.
    took       interval    NOT NULL,

    -- Jobs that are due, jobs that become due later, and dead jobs.
    ready      bigint      NOT NULL,
    later      bigint      NOT NULL,
    dead       bigint      NOT NULL,

    -- The time when the last waiting job becomes due.
    last_due   timestamptz
)
WITH (fillfactor = 50);

-- Counts the dead jobs of a lane.
CREATE INDEX dead_jobs_by_lane ON dead_jobs (lane);
