-- Adds numbers for monitoring: the outcomes of calls, the backlog of a lane, and the memory of a worker.

ALTER TABLE throughput
    ADD COLUMN retried integer NOT NULL DEFAULT 0,
    ADD COLUMN limited integer NOT NULL DEFAULT 0,
    ADD COLUMN failed  integer NOT NULL DEFAULT 0,
    ADD COLUMN lost    integer NOT NULL DEFAULT 0;

ALTER TABLE workers ADD COLUMN memory bigint;

CREATE TABLE backlogs (
    lane       smallint    PRIMARY KEY REFERENCES lanes ON DELETE CASCADE,
    counted_at timestamptz NOT NULL,
    took       interval    NOT NULL,
    ready      bigint      NOT NULL,
    later      bigint      NOT NULL,
    dead       bigint      NOT NULL,
    last_due   timestamptz
)
WITH (fillfactor = 50);

CREATE INDEX dead_jobs_by_lane ON dead_jobs (lane);
