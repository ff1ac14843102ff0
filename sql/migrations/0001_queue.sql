-- The queue: lanes, the jobs that wait in them, and who works on them.

-- A lane is a named queue. A job waits in exactly one.
CREATE TABLE lanes (
    id    smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,

    -- Also the name of the provider that serves it.
    name  text     NOT NULL UNIQUE,

    -- How many subjects one call carries.
    batch integer  NOT NULL DEFAULT 1,

    CONSTRAINT a_call_carries_at_least_one_subject CHECK (batch >= 1)
);

INSERT INTO lanes (name, batch) VALUES ('gazetteer', 500);

-- One row a running worker process. A worker that starts again is a new worker.
CREATE TABLE workers (
    id         integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL,
    host       text        NOT NULL,
    pid        integer     NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),

    -- The last heartbeat. Silence for too long costs a worker its jobs.
    seen_at    timestamptz NOT NULL DEFAULT now()
)
-- Rewritten every few seconds: room on the page keeps the heartbeats HOT.
WITH (fillfactor = 50);

-- One row a running coordinator process.
CREATE TABLE coordinators (
    id         integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL,
    host       text        NOT NULL,
    pid        integer     NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at    timestamptz NOT NULL DEFAULT now()
)
WITH (fillfactor = 50);

-- Every claim takes a number from here, and no number comes twice. It fences a worker that slept
-- through its lease, whatever has happened to the job since.
CREATE SEQUENCE leases;

-- A job is one call to come. It is deleted when it ends; what it found is kept elsewhere.
CREATE TABLE jobs (
    id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lease    bigint,
    run_at   timestamptz NOT NULL DEFAULT now(),

    -- The worker that holds the job. No foreign key: it would lock a worker's row on every claim.
    worker   integer,
    lane     smallint    NOT NULL REFERENCES lanes,

    -- Higher goes first.
    priority smallint    NOT NULL DEFAULT 0,
    failures smallint    NOT NULL DEFAULT 0,

    -- What the call is about: ids in `geocodes`.
    subjects bigint[]    NOT NULL,

    CONSTRAINT a_held_job_has_a_worker_and_a_lease CHECK ((worker IS NULL) = (lease IS NULL)),
    CONSTRAINT a_job_has_subjects CHECK (cardinality(subjects) > 0)
);

-- The claim reads this from its left end and nothing else.
CREATE INDEX jobs_ready ON jobs (lane, priority DESC, run_at, id) WHERE worker IS NULL;

-- Finds the jobs of a worker that died.
CREATE INDEX jobs_held ON jobs (worker) WHERE worker IS NOT NULL;

-- What was done, by minute. A row for each worker, so that no two wait for each other to count.
CREATE TABLE throughput (
    minute   timestamptz NOT NULL,
    lane     smallint    NOT NULL REFERENCES lanes,
    worker   integer     NOT NULL,
    calls    integer     NOT NULL,
    subjects integer     NOT NULL,
    retries  integer     NOT NULL,
    PRIMARY KEY (minute, lane, worker)
)
WITH (fillfactor = 50);
