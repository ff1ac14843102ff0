-- The queue: lanes and their limits, jobs, the log of calls, and the processes that work.

-- A lane is a named queue with its limits: the rate, the number of calls at once, and the reaction to faults of its
-- provider. A job waits in exactly one lane.
CREATE TABLE lanes (
    id                   smallint    GENERATED ALWAYS AS IDENTITY PRIMARY KEY,

    -- Also the name of the provider that serves it.
    name                 text        NOT NULL UNIQUE,

    -- The most subjects in one call.
    batch                integer     NOT NULL DEFAULT 1,

    -- Set by a person: no job is claimed while this is set.
    paused_at            timestamptz,

    -- Set by the breaker or the provider: no job is claimed before this moment, in the whole cluster.
    blocked_until        timestamptz,
    blocked_because      text,

    -- The most jobs held at the same time: by all workers together, and by one worker. Null: limited only by the room
    -- of the workers.
    calls_at_once        integer,
    calls_per_worker     integer,

    -- How late a call may start after its slot. It is taken out of the burst, so the average rate stays the same.
    grace                interval    NOT NULL DEFAULT '10 milliseconds',

    -- A call that takes longer has failed.
    call_limit           interval    NOT NULL DEFAULT '1 minute',

    -- A job with this many failures is dead. The wait before a retry doubles from the first to the longest.
    most_failures        smallint    NOT NULL DEFAULT 5,
    first_retry          interval    NOT NULL DEFAULT '1 second',
    longest_retry        interval    NOT NULL DEFAULT '5 minutes',

    -- The breaker opens after this many failed calls in a row: it blocks the lane, then lets single calls through as
    -- probes.
    breaker_after        smallint    NOT NULL DEFAULT 5,

    -- Failed calls in a row, and how often the breaker has blocked the lane since the last successful call.
    faults               integer     NOT NULL DEFAULT 0,
    trips                integer     NOT NULL DEFAULT 0,

    -- The share of the permitted rate that the lane uses: reduced when the provider replies "too fast", then slowly
    -- raised.
    pace                 real        NOT NULL DEFAULT 1,
    pace_changed_at      timestamptz,

    -- The reason, if the program paused the lane and not a person.
    paused_because       text,

    -- The time since which the present limits hold.
    limits_changed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),

    -- The attribution to show next to the answers of this lane.
    attribution          text        NOT NULL DEFAULT '',

    -- The provider's price. Both columns are null if it is not configured, which does not mean that calls are free.
    price_per_1000_calls numeric,
    currency             text,

    -- The workers' largest uncertainty of this server's clock in this period of a minute or more, and in the period
    -- before. See functions/careful_limit.sql.
    spread               interval    NOT NULL DEFAULT '0',
    spread_before        interval    NOT NULL DEFAULT '0',
    spread_since         timestamptz NOT NULL DEFAULT 'epoch',

    -- `well_at` is when a call last succeeded after failed ones. Until `wary_until` jobs that never failed are claimed
    -- first.
    well_at              timestamptz NOT NULL DEFAULT 'epoch',
    wary_until           timestamptz NOT NULL DEFAULT 'epoch',

    -- Calls that failed while the breaker was open. Never reset, because the number also decides which place is probed
    -- next.
    probes               integer     NOT NULL DEFAULT 0,

    -- The place, in the lane's order, of the job that was last claimed as a probe.
    probed_run_at        timestamptz,
    probed_id            bigint,

    -- The kind of its jobs: questions to a provider, or uploads of trackers' locations to a sink.
    kind                 text        NOT NULL DEFAULT 'geocoding',

    -- The last time when the fill of the lane's buckets was converted, because the rate, the spread or the clock
    -- changed.
    buckets_converted_at timestamptz,

    -- The time since which the sink has refused all calls. Its lane is probed for a day. Null while calls are accepted.
    denied_since         timestamptz,

    -- The reason and the time of the latest failed call. The reason contains nothing of an address.
    failed_because       text,
    failed_at            timestamptz,

    -- On how many machines workers may make its calls, by the provider's terms or a person; null for any number.
    machines             smallint    CONSTRAINT machines_permit_somebody CHECK (machines >= 1),

    CONSTRAINT a_call_carries_at_least_one_subject CHECK (batch >= 1),
    CONSTRAINT caps_permit_something CHECK (calls_at_once >= 1 AND calls_per_worker >= 1),
    CONSTRAINT grace_is_short CHECK (grace BETWEEN '0' AND '1 second'),
    CONSTRAINT a_call_has_time CHECK (call_limit > '0'),
    CONSTRAINT a_job_is_tried_at_least_once CHECK (most_failures >= 1),
    CONSTRAINT retries_have_a_wait CHECK (first_retry > '0' AND longest_retry >= first_retry),
    CONSTRAINT a_breaker_opens_after_a_fault CHECK (breaker_after >= 1 AND faults >= 0 AND trips >= 0),
    CONSTRAINT pace_is_a_share CHECK (pace BETWEEN 0.01 AND 1),
    CONSTRAINT a_block_has_a_reason CHECK ((blocked_until IS NULL) = (blocked_because IS NULL)),
    CONSTRAINT a_price_is_an_amount_of_a_currency CHECK ((price_per_1000_calls IS NULL) = (currency IS NULL)),
    CONSTRAINT a_price_is_not_negative CHECK (price_per_1000_calls >= 0 AND price_per_1000_calls < 'Infinity'),
    CONSTRAINT a_currency_is_three_capitals CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT a_lane_is_of_a_known_kind CHECK (kind IN ('geocoding', 'upload')),
    CONSTRAINT a_failure_has_a_reason CHECK ((failed_because IS NULL) = (failed_at IS NULL)),
    CONSTRAINT moments_have_a_date CHECK (
        least(
            paused_at, blocked_until, pace_changed_at, limits_changed_at, spread_since, well_at,
            wary_until, probed_run_at, buckets_converted_at, denied_since, failed_at) >= '0001-01-01 Z'
        AND greatest(
            paused_at, blocked_until, pace_changed_at, limits_changed_at, spread_since, well_at,
            wary_until, probed_run_at, buckets_converted_at, denied_since, failed_at) <= '9999-12-31 Z'),
    CONSTRAINT waits_are_finite CHECK (
        greatest(grace, call_limit, first_retry, longest_retry, spread, spread_before) <= '366 days')
)
-- A row is rewritten at each fault of its provider.
WITH (fillfactor = 50);

-- The gazetteer answers from memory: more than a few calls at once would only wait for a core.
INSERT INTO lanes (name, batch, calls_per_worker) VALUES ('gazetteer', 500, 4);

-- A lane's rate limits. A lane without a bucket is unlimited, and its claims do not lock it. A lane with several obeys
-- all of them.
--
-- A bucket is full at `full_at`, and until then fills with `refill` tokens every `per`. So a single moment is its whole
-- state: the tokens missing now are (full_at - now()) * refill / per. `full_at` may be later than a whole bucket takes
-- to fill: the difference is debt, for slots that were promised but have not come yet.
CREATE TABLE token_buckets (
    lane     smallint         NOT NULL REFERENCES lanes ON DELETE CASCADE,
    per      interval         NOT NULL,
    refill   double precision NOT NULL,
    capacity double precision NOT NULL,
    full_at  timestamptz      NOT NULL DEFAULT now(),

    -- The worker of the last claim.
    worker   integer,

    -- The time of the last claim whose worker sent its bounds of the clock.
    charged_at timestamptz,

    CONSTRAINT a_lane_has_one_limit_for_a_time PRIMARY KEY (lane, per),
    CONSTRAINT a_bucket_fills CHECK (refill > 0 AND per > '0'),
    CONSTRAINT a_bucket_holds_a_token CHECK (capacity >= 1),
    CONSTRAINT moments_have_a_date CHECK (
        least(full_at, charged_at) >= '0001-01-01 Z'
        AND greatest(full_at, charged_at) <= '9999-12-31 Z'),
    CONSTRAINT a_limit_is_finite CHECK (refill < 'Infinity' AND capacity < 'Infinity')
)
-- Rewritten by every claim. Free space on the page keeps that a HOT update, and vacuum must not wait for a fifth of the
-- table.
WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Every claim takes a number from here, and no number comes twice. It fences a worker that slept through its lease,
-- whatever has happened to the job since then.
CREATE SEQUENCE leases;

-- A job is one future call. It is deleted when it ends; its result is stored elsewhere.
CREATE TABLE jobs (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,

    -- The number of the claim under which the job is held, from `leases`.
    lease     bigint,

    -- The job is not claimed before this moment, and older jobs are claimed first.
    run_at    timestamptz NOT NULL DEFAULT now(),

    -- The slot: when the holder may call. The slot is void when the lane's grace after it has passed.
    starts_at timestamptz,

    -- The worker that holds the job. No foreign key here or below: each would lock a row on every claim and insert.
    worker    integer,
    lane      smallint    NOT NULL,

    -- 0 is idle work, 1 normal, 2 soon, 3 a person is waiting.
    priority  smallint    NOT NULL DEFAULT 1,

    -- Calls that failed by the job's own fault, and workers that vanished while they held the job.
    failures  smallint    NOT NULL DEFAULT 0,
    losses    smallint    NOT NULL DEFAULT 0,

    -- The subjects of the call: ids of the table that the lane works on, such as `geocodes`.
    subjects  bigint[]    NOT NULL,

    -- Each failure: {"at": …, "worker": …, "reason": …}. Null before the first, so it costs other jobs nothing.
    history   jsonb,

    -- True for one job of each enqueue, whose trigger wakes the workers.
    wakes     boolean,

    -- The trace: a W3C `traceparent` (https://www.w3.org/TR/trace-context/) and, after a space, its `tracestate`. A
    -- session that enqueues jobs in a trace sets `waypost.trace`. The column is nearly always null, and then costs one
    -- bit in the row's header.
    trace     text                 DEFAULT nullif(current_setting('waypost.trace', true), ''),

    -- The chain of its questions, and the number of this call among those that the lane makes for them. Only forecasts
    -- read both: see `followed_calls`. 0: no chain, or several.
    chain       integer   NOT NULL DEFAULT 0,
    call_number smallint  NOT NULL DEFAULT 1,

    CONSTRAINT a_held_job_has_a_worker_a_lease_and_a_slot CHECK (
        (worker IS NULL) = (lease IS NULL) AND (worker IS NULL) = (starts_at IS NULL)),
    CONSTRAINT priority_is_known CHECK (priority BETWEEN 0 AND 3),
    CONSTRAINT a_job_has_subjects CHECK (cardinality(subjects) > 0),
    CONSTRAINT moments_have_a_date CHECK (
        least(run_at, starts_at) >= '0001-01-01 Z'
        AND greatest(run_at, starts_at) <= '9999-12-31 Z')
)
-- Every row is deleted within an hour: vacuum early, at full speed, and not by a share of the table. A claim changes an
-- indexed column and so is never a HOT update. Free space on the pages would only make the table longer.
WITH (
    fillfactor = 100,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0.5
);

-- A claim reads this in order: for each priority the due jobs, oldest first.
CREATE INDEX jobs_ready ON jobs (lane, priority, run_at, id) WHERE worker IS NULL;

-- Finds the jobs that a worker holds, and counts the held jobs of a lane.
CREATE INDEX jobs_held ON jobs (lane, worker) WHERE worker IS NOT NULL;

-- Jobs that were given up, until a person retries or discards them.
CREATE TABLE dead_jobs (
    id       bigint      PRIMARY KEY,
    lane     smallint    NOT NULL,
    priority smallint    NOT NULL,
    failures smallint    NOT NULL,
    losses   smallint    NOT NULL,
    subjects bigint[]    NOT NULL,
    history  jsonb,
    reason   text        NOT NULL,
    died_at  timestamptz NOT NULL DEFAULT now(),

    CONSTRAINT moments_have_a_date CHECK (died_at BETWEEN '0001-01-01 Z' AND '9999-12-31 Z')
);

-- Finds the latest dead jobs.
CREATE INDEX dead_jobs_by_time ON dead_jobs (died_at);

-- Counts the dead jobs of a lane.
CREATE INDEX dead_jobs_by_lane ON dead_jobs (lane);

-- The report of a worker about a job that it holds under `lease`. functions/finish_jobs.sql lists the outcomes.
CREATE TYPE job_report AS (
    job     bigint,
    lease   bigint,
    outcome text,

    -- When the call was sent, in seconds since 1970 on this server's clock; null if it was not sent.
    started double precision,

    -- Seconds; null if unknown.
    took    real,

    -- How long the provider wants us to wait.
    pause   interval,
    reason  text,

    -- The epoch of the clock of `started`; null means the present epoch.
    epoch   integer
);

-- A subject of an ended job that needs another call: after `pause`, in `lane`. A null lane is the lane of the job.
CREATE TYPE left_over AS (
    job     bigint,
    subject bigint,
    lane    text,
    pause   interval
);

-- How a call ended. `lost`: its worker vanished, and may or may not have made the call.
CREATE TYPE call_outcome AS ENUM ('done', 'moved', 'retry', 'failed', 'snoozed', 'rate', 'quota', 'lost');

-- The log: a row for each call. Rows are only appended; a day that is too old is dropped as a partition.
CREATE TABLE calls (
    -- When the provider was called, on the database's clock.
    started_at timestamptz  NOT NULL,

    -- Seconds; null if unknown.
    took       real,
    worker     integer      NOT NULL,
    subjects   integer      NOT NULL,
    lane       smallint     NOT NULL,
    outcome    call_outcome NOT NULL,

    -- The id of the call's job. Jobs are deleted when they end, so the log of calls is the list of ended jobs. Null in
    -- older rows, and for a slipped call whose lease was lost.
    job        bigint,

    -- The reason why the call failed; null if it did not fail.
    reason     text
)
PARTITION BY RANGE (started_at);

-- Finds the calls of a time. BRIN, because rows come in the order of time and a B-tree would cost as much as the rows.
CREATE INDEX calls_by_time ON calls USING brin (started_at) WITH (pages_per_range = 16, autosummarize = on);

-- Takes the calls of days without a partition: before the first coordinator started, and after a long time without one.
CREATE TABLE calls_default PARTITION OF calls DEFAULT;

-- The work done in each minute. Each worker has a row of its own, so that no two wait for each other to count. Old
-- minutes are added up into hours, in rows with worker 0.
CREATE TABLE throughput (
    minute   timestamptz NOT NULL,
    lane     smallint    NOT NULL,
    worker   integer     NOT NULL,
    calls    integer     NOT NULL,
    -- An hour of a fast lane can have more than an integer holds.
    subjects bigint      NOT NULL,

    -- Calls that failed: by the fault of the job, the provider or a worker.
    retries  integer     NOT NULL DEFAULT 0,

    -- Slots that could not be used in time: tokens lost.
    voided   integer     NOT NULL DEFAULT 0,

    -- Results that came after the lease was lost, and changed nothing.
    late     integer     NOT NULL DEFAULT 0,

    -- Calls that were sent after their slots had ended.
    slipped  integer     NOT NULL DEFAULT 0,

    -- Calls without an answer. `retried`: the call failed and its job waits for a retry. `limited`: the provider
    -- refused the call because of its rate or quota. `failed`: the call failed for good. `lost`: its worker vanished.
    retried  integer     NOT NULL DEFAULT 0,
    limited  integer     NOT NULL DEFAULT 0,
    failed   integer     NOT NULL DEFAULT 0,
    lost     integer     NOT NULL DEFAULT 0,

    -- Unused since migration 24. Programs before it read this column, so a later release drops it.
    follow_ups integer   NOT NULL DEFAULT 0,

    PRIMARY KEY (minute, lane, worker)
)
WITH (fillfactor = 50);

-- How many answered calls were followed by another call for the same questions in the same lane, by the chain and by the
-- number of the call. Older calls count less: see functions/followed_calls.sql.
CREATE TABLE followed_calls (
    lane        smallint         NOT NULL REFERENCES lanes ON DELETE CASCADE,
    chain       integer          NOT NULL,
    call_number smallint         NOT NULL,
    calls       double precision NOT NULL,
    followed    double precision NOT NULL,

    PRIMARY KEY (lane, chain, call_number)
)
WITH (fillfactor = 50);

-- One row for each running worker process. A worker that starts again is a new worker.
CREATE TABLE workers (
    id         integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL,
    host       text        NOT NULL,
    pid        integer     NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),

    -- The last heartbeat. A worker that is silent for too long loses its jobs.
    seen_at    timestamptz NOT NULL DEFAULT now(),

    -- A quiet worker finishes what it holds and claims nothing.
    quiet      boolean     NOT NULL DEFAULT false,

    -- The lanes that this process can serve.
    lanes      text[]      NOT NULL DEFAULT '{}',

    -- The worker's memory at its last heartbeat, in bytes.
    memory     bigint
)
-- Rewritten every few seconds: room on the page keeps the heartbeats HOT.
WITH (fillfactor = 50);

-- Marks of sleeping workers: until `until`, a worker relies on a notification of new jobs in the lane. A mark is for
-- all workers of the lane, because a notification reaches them all. It need not survive a crash, which ends all
-- sessions: a worker that listens again looks for jobs first. See functions/wake_sleepers.sql.
CREATE UNLOGGED TABLE sleepers (
    lane  smallint    NOT NULL,
    until timestamptz NOT NULL
)
WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- Finds the marks of a lane. Marks that were deleted or have expired are to the left of those that are read. So they
-- cost nothing, even while a long transaction keeps vacuum from removing them.
CREATE INDEX sleepers_by_lane ON sleepers (lane, until);

-- One row for each running coordinator process.
CREATE TABLE coordinators (
    id          integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text        NOT NULL,
    host        text        NOT NULL,
    pid         integer     NOT NULL,
    started_at  timestamptz NOT NULL DEFAULT now(),
    seen_at     timestamptz NOT NULL DEFAULT now(),

    -- The time since which its heartbeats have come without a gap. It does not count a process as dead for silence
    -- before that, because no heartbeat could arrive while the database was away.
    heard_since timestamptz NOT NULL DEFAULT now()
)
WITH (fillfactor = 50);

-- The coordinator that leads, as long as it renews its claim. Every act of a leader locks this row and checks it.
CREATE TABLE leadership (
    only_row    boolean     PRIMARY KEY DEFAULT true,
    coordinator integer     NOT NULL DEFAULT 0,

    -- Incremented with each change of leader.
    term        bigint      NOT NULL DEFAULT 0,
    until       timestamptz NOT NULL DEFAULT '-infinity',

    CONSTRAINT there_is_one_leader CHECK (only_row)
)
WITH (fillfactor = 10);

INSERT INTO leadership DEFAULT VALUES;

-- The epochs of this server's clock. An epoch ends when the clock is set, when a server with another clock takes over,
-- or when the clock runs at another rate.
CREATE TABLE server_clock (
    only_row    boolean PRIMARY KEY DEFAULT true,
    epoch       integer NOT NULL DEFAULT 0,

    -- The newest worker that had read the clock when a coordinator, which knew the clock, last found it right. A newer
    -- worker may have read a clock that was set just before, so it claims nothing yet.
    checked_for integer NOT NULL DEFAULT 0,

    -- The last check of a coordinator, which lets a process that starts find out if this clock was set while no process
    -- ran. `checked_at` is the earliest time that this clock can have shown at `checked_to`.
    checked_at   timestamptz,

    -- The boot_id of the host that checked the clock (Linux gives each boot one). The clock was read between these two
    -- moments, in seconds since that boot: a clock that is never set.
    checked_boot text,
    checked_from double precision,
    checked_to   double precision,

    -- The seconds that this clock gains in each second of the workers' clocks: above zero while it is slewed ahead. See
    -- functions/slew_clock.sql.
    rate         double precision NOT NULL DEFAULT 0,

    CONSTRAINT there_is_one_clock CHECK (only_row),
    CONSTRAINT a_check_is_complete CHECK (num_nulls(checked_at, checked_boot, checked_from, checked_to) IN (0, 4)),
    CONSTRAINT moments_have_a_date CHECK (checked_at BETWEEN '0001-01-01 Z' AND '9999-12-31 Z'),
    CONSTRAINT boot_times_are_finite CHECK (
        least(checked_from, checked_to) > '-Infinity' AND greatest(checked_from, checked_to) < 'Infinity'),
    CONSTRAINT a_clock_gains_little CHECK (rate BETWEEN 0 AND 0.1)
);

INSERT INTO server_clock DEFAULT VALUES;

-- The steps by which the clock was set, forwards or back; and small steps by which a slewed clock was ahead or behind.
CREATE TABLE clock_steps (
    -- The epoch that began with the step.
    epoch      integer     PRIMARY KEY,

    -- By the new clock. The clock was set shortly before.
    noticed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    size       interval    NOT NULL,

    -- The rate of the epoch, as in `server_clock`.
    rate       double precision NOT NULL DEFAULT 0,

    CONSTRAINT moments_have_a_date CHECK (noticed_at BETWEEN '0001-01-01 Z' AND '9999-12-31 Z')
);

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
    last_due   timestamptz,

    -- The calls that the waiting jobs, and those that will follow all jobs, are expected to take.
    calls      double precision NOT NULL DEFAULT 0,

    CONSTRAINT moments_have_a_date CHECK (
        least(counted_at, last_due) >= '0001-01-01 Z'
        AND greatest(counted_at, last_due) <= '9999-12-31 Z'),
    CONSTRAINT a_backlog_is_possible CHECK (
        least(ready, later, dead) >= 0 AND greatest(ready, later, dead) <= 1000000000000)
)
WITH (fillfactor = 50);

-- New rows of these tables are checked. Older rows are not: there may be millions, and they are deleted in some days.
ALTER TABLE calls
    ADD CONSTRAINT moments_have_a_date CHECK (started_at BETWEEN '0001-01-01 Z' AND '9999-12-31 Z') NOT VALID,
    ADD CONSTRAINT a_call_takes_some_time CHECK (took >= 0 AND took < 'Infinity') NOT VALID;
ALTER TABLE throughput
    ADD CONSTRAINT moments_have_a_date CHECK (minute BETWEEN '0001-01-01 Z' AND '9999-12-31 Z') NOT VALID,
    ADD CONSTRAINT subjects_are_counted CHECK (subjects BETWEEN 0 AND 1000000000000000) NOT VALID;
