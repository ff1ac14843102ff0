-- The numbers of the queue that are not settings of a lane. Each is a function of one expression, which PostgreSQL
-- inlines, so a number costs nothing and is defined once. docs/limits-and-waits.md lists them.

-- How far ahead of the claim slots are promised, in seconds: `least_horizon`, plus `horizon_widening` times the
-- uncertainty of a distant worker, because a lost reply that is sent again takes several round trips. At most
-- `farthest_slot`.
CREATE OR REPLACE FUNCTION least_horizon() RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 2.0::float8;
CREATE OR REPLACE FUNCTION horizon_widening() RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 5.0::float8;
CREATE OR REPLACE FUNCTION farthest_slot() RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 4.0::float8;

-- This many workers, or more if the limits permit them more work, claim from a lane with limits as often as a worker
-- that is alone. If there are more workers, all of them claim less often.
CREATE OR REPLACE FUNCTION awake_workers() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 8;

-- How many claims with this room may be under way at once in a lane without limits. Together they have room for 3,000
-- jobs, but eight may always be under way, so that the wait for a commit costs no throughput.
CREATE OR REPLACE FUNCTION claims_at_once(room integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN greatest(8, 3000 / greatest(room, 1));

-- The class of the advisory locks that claims in lanes without limits hold until they commit. The second key is made of
-- the lane's id and the worker's.
CREATE OR REPLACE FUNCTION claim_lock() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 7230;

-- A worker whose uncertainty of this server's clock is larger gets no slots of a lane with limits.
CREATE OR REPLACE FUNCTION most_uncertainty() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN interval '1 second';

-- Tokens of an unused slot that began longer ago are not returned.
CREATE OR REPLACE FUNCTION most_unused_age() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN interval '10 seconds';

-- The longest time until a bucket is full: all tokens are missing, and slots are promised as far ahead as possible. The
-- grace and the gap of a lane are at most a second each.
CREATE OR REPLACE FUNCTION longest_fill(
    refill double precision, per interval, capacity double precision, pace real)
RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN make_interval(secs => farthest_slot() + 2) + capacity / refill * per / pace;

-- How long the widest uncertainty of a lane's workers is remembered: for the rest of a period of this length, and the
-- next one.
CREATE OR REPLACE FUNCTION spread_period() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN interval '1 minute';

-- A worker's estimate of the clock may drift by this factor, so slots are farther apart by it.
CREATE OR REPLACE FUNCTION clock_creep() RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 1.0005::float8;

-- How long after a block, and after a failed probe, jobs that never failed are claimed first.
CREATE OR REPLACE FUNCTION wary_time() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN interval '1 minute';

-- How long calls and failures are reported as recent. `RecentFailures.time` is the same.
CREATE OR REPLACE FUNCTION recent_time() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN interval '10 minutes';

-- The probability that a single call after a successful probe takes the newest job. Otherwise it takes a job next to
-- the probe.
CREATE OR REPLACE FUNCTION newest_share() RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 0.2::float8;

-- The forecast of a lane counts a call by this factor less with each later one: about the last 500 calls count.
CREATE OR REPLACE FUNCTION forecast_memory() RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 0.998::float8;

-- The highest number of a call that the forecast tells from the next.
CREATE OR REPLACE FUNCTION most_followed() RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 50::smallint;

-- The class of the advisory locks under which a forecast learns. The second key is the lane's id.
CREATE OR REPLACE FUNCTION forecast_lock() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 7231;

-- How many rows a probe reads to find a job of its own lane among those of other lanes.
CREATE OR REPLACE FUNCTION probe_reach() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 1000;
