-- Jobs again, with slots. What waited is queued anew by the sweep, for it finds questions without a job.

DROP TABLE jobs;
UPDATE geocodes SET job = NULL WHERE job IS NOT NULL;

-- A job is one call to come. It is deleted when it ends; what it found is kept elsewhere.
CREATE TABLE jobs (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,

    -- The number of the claim under which the job is held. It comes from `leases`, and no number comes twice.
    lease     bigint,

    -- Not before this moment, and older goes first.
    run_at    timestamptz NOT NULL DEFAULT now(),

    -- The slot: when the holder may call. Past it by more than the lane's grace, the slot is void.
    starts_at timestamptz,

    -- The worker that holds the job. No foreign key here or below: each would lock a row on every claim and insert.
    worker    integer,
    lane      smallint    NOT NULL,

    -- 0 when there is nothing better to do, 1 as usual, 2 soon, 3 because somebody is waiting.
    priority  smallint    NOT NULL DEFAULT 1,

    -- Calls that failed by the job's own fault, and workers that vanished while they held it.
    failures  smallint    NOT NULL DEFAULT 0,
    losses    smallint    NOT NULL DEFAULT 0,

    -- What the call is about: ids of the table that the lane's work is about, such as `geocodes`.
    subjects  bigint[]    NOT NULL,

    -- Each failure: {"at": …, "worker": …, "reason": …}. Null before the first, so it costs the others nothing.
    history   jsonb,

    CONSTRAINT a_held_job_has_a_worker_a_lease_and_a_slot CHECK (
        (worker IS NULL) = (lease IS NULL) AND (worker IS NULL) = (starts_at IS NULL)),
    CONSTRAINT priority_is_known CHECK (priority BETWEEN 0 AND 3),
    CONSTRAINT a_job_has_subjects CHECK (cardinality(subjects) > 0)
)
-- Every row dies within its hour: vacuum early, at full speed, and not by a share of the table. A claim changes an
-- indexed column and so is never HOT: free room on the pages would only make the table longer.
WITH (
    fillfactor = 100,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0.5
);

-- The claim reads this in order: for each priority, what is due from the oldest on.
CREATE INDEX jobs_ready ON jobs (lane, priority, run_at, id) WHERE worker IS NULL;

-- Which jobs does this worker hold? How many are held in this lane?
CREATE INDEX jobs_held ON jobs (lane, worker) WHERE worker IS NOT NULL;

-- Jobs that were given up, until somebody retries or discards them.
CREATE TABLE dead_jobs (
    id       bigint      PRIMARY KEY,
    lane     smallint    NOT NULL,
    priority smallint    NOT NULL,
    failures smallint    NOT NULL,
    losses   smallint    NOT NULL,
    subjects bigint[]    NOT NULL,
    history  jsonb,
    reason   text        NOT NULL,
    died_at  timestamptz NOT NULL DEFAULT now()
);

-- Which are the latest?
CREATE INDEX dead_jobs_by_time ON dead_jobs (died_at);
