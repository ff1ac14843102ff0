-- What a person who watches the cluster asks for: how calls ended, how much waits, and what a worker takes.

ALTER TABLE throughput
    -- Of the calls, those that brought no answer: they failed and their jobs wait for another try; the provider refused
    -- them as too fast or over a quota; they failed for good; their worker vanished.
    ADD COLUMN retried integer NOT NULL DEFAULT 0,
    ADD COLUMN limited integer NOT NULL DEFAULT 0,
    ADD COLUMN failed  integer NOT NULL DEFAULT 0,
    ADD COLUMN lost    integer NOT NULL DEFAULT 0;

-- In bytes, as the worker said with its last heartbeat: the memory that it takes.
ALTER TABLE workers ADD COLUMN memory bigint;

-- How much waits in a lane in which it takes long to count. The leading coordinator counts now and then, and others read
-- that. A lane with little in it has no row: it is counted by whoever asks. See functions/backlog.sql.
CREATE TABLE backlogs (
    lane       smallint    PRIMARY KEY REFERENCES lanes ON DELETE CASCADE,
    counted_at timestamptz NOT NULL,

    -- How long that took.
    took       interval    NOT NULL,

    -- Jobs that are due, those whose time is to come, and those that were given up.
    ready      bigint      NOT NULL,
    later      bigint      NOT NULL,
    dead       bigint      NOT NULL,

    -- When the last of them may start.
    last_due   timestamptz
)
WITH (fillfactor = 50);

-- How many jobs of a lane were given up?
CREATE INDEX dead_jobs_by_lane ON dead_jobs (lane);
