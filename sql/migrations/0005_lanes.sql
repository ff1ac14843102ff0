-- A lane is a queue and its limits: how fast, how many at once, and what to do when the provider is in trouble.

ALTER TABLE lanes
    -- A person's switch: nothing is claimed while it is set.
    ADD paused_at        timestamptz,

    -- The provider's switch: nothing is claimed before this moment, in the whole cluster.
    ADD blocked_until    timestamptz,
    ADD blocked_because  text,

    -- Jobs held at once: by all workers together, and by one. Null: as many as they have room for.
    ADD calls_at_once    integer,
    ADD calls_per_worker integer,

    -- How late a call may start after its slot. It is taken out of the burst, so it costs nothing in the long run.
    ADD grace            interval NOT NULL DEFAULT '10 milliseconds',

    -- A call that takes longer has failed.
    ADD call_limit       interval NOT NULL DEFAULT '1 minute',

    -- A job that failed so often is dead. The wait before a retry doubles from the first to the longest.
    ADD most_failures    smallint NOT NULL DEFAULT 5,
    ADD first_retry      interval NOT NULL DEFAULT '1 second',
    ADD longest_retry    interval NOT NULL DEFAULT '5 minutes',

    -- The breaker. So many failed calls in a row open it: the lane is blocked, then a single call probes.
    ADD breaker_after    smallint NOT NULL DEFAULT 5,
    ADD faults           integer  NOT NULL DEFAULT 0,
    ADD trips            integer  NOT NULL DEFAULT 0,

    -- The learned rate, as a share of the permitted one: cut when the provider says "too fast", slowly raised again.
    ADD pace             real     NOT NULL DEFAULT 1,
    ADD pace_changed_at  timestamptz,

    ADD CONSTRAINT caps_permit_something CHECK (calls_at_once >= 1 AND calls_per_worker >= 1),
    ADD CONSTRAINT grace_is_short CHECK (grace BETWEEN '0' AND '1 second'),
    ADD CONSTRAINT a_call_has_time CHECK (call_limit > '0'),
    ADD CONSTRAINT a_job_is_tried_at_least_once CHECK (most_failures >= 1),
    ADD CONSTRAINT retries_have_a_wait CHECK (first_retry > '0' AND longest_retry >= first_retry),
    ADD CONSTRAINT a_breaker_opens_after_a_fault CHECK (breaker_after >= 1 AND faults >= 0 AND trips >= 0),
    ADD CONSTRAINT pace_is_a_share CHECK (pace BETWEEN 0.01 AND 1),
    ADD CONSTRAINT a_block_has_a_reason CHECK ((blocked_until IS NULL) = (blocked_because IS NULL));

-- The gazetteer is this very database: more calls at once than connections only wait.
UPDATE lanes SET calls_per_worker = 4 WHERE name = 'gazetteer';

-- A lane without a bucket is unlimited, and its claims take no lock. One with several obeys all of them.
--
-- A bucket is full at `full_at`, and until then fills with `refill` tokens every `per`. So a single moment is all
-- of its state: the tokens missing now are (full_at - now()) * refill / per. It may lie further ahead than a whole
-- bucket takes to fill: that is debt, for slots that were promised but have not come yet.
CREATE TABLE token_buckets (
    lane     smallint         NOT NULL REFERENCES lanes ON DELETE CASCADE,
    per      interval         NOT NULL,
    refill   double precision NOT NULL,
    capacity double precision NOT NULL,
    full_at  timestamptz      NOT NULL DEFAULT now(),

    CONSTRAINT a_lane_has_one_limit_for_a_time PRIMARY KEY (lane, per),
    CONSTRAINT a_bucket_fills CHECK (refill > 0 AND per > '0'),
    CONSTRAINT a_bucket_holds_a_token CHECK (capacity >= 1)
)
-- Rewritten by every claim: room on the page keeps that HOT, and vacuum must not wait for a fifth of the table.
WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Lanes are rewritten at every fault of a provider.
ALTER TABLE lanes SET (fillfactor = 50);

-- Quiet workers finish what they hold and claim nothing. `lanes` is what this process can serve.
ALTER TABLE workers
    ADD quiet boolean NOT NULL DEFAULT false,
    ADD lanes text[]  NOT NULL DEFAULT '{}';

-- The coordinator that leads, for as long as it renews its claim. Every act of a leader locks this row and looks.
CREATE TABLE leadership (
    only_row    boolean     PRIMARY KEY DEFAULT true,
    coordinator integer     NOT NULL DEFAULT 0,

    -- Raised with each change of leader, never lowered.
    term        bigint      NOT NULL DEFAULT 0,
    until       timestamptz NOT NULL DEFAULT '-infinity',

    CONSTRAINT there_is_one_leader CHECK (only_row)
)
WITH (fillfactor = 10);

INSERT INTO leadership DEFAULT VALUES;
