-- The numbers of the queue that are not settings of a lane. Each is a function of one expression, which PostgreSQL
-- inlines, so a number costs nothing and stands in one place. docs/limits-and-waits.md lists them.

-- How far ahead of the claim slots are promised, in seconds: `least_horizon`, and `horizon_widening` times the
-- uncertainty of a distant worker more, for an answer that is lost on its way and sent again takes several round trips.
-- Never farther than `farthest_slot`.
CREATE OR REPLACE FUNCTION least_horizon() RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 2.0::float8;
CREATE OR REPLACE FUNCTION horizon_widening() RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 5.0::float8;
CREATE OR REPLACE FUNCTION farthest_slot() RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 4.0::float8;

-- A worker that knows this server's clock no better than that gets no slots of a lane with limits.
CREATE OR REPLACE FUNCTION most_uncertainty() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN interval '1 second';

-- The tokens of a slot that began longer ago, and was not used, are not given back.
CREATE OR REPLACE FUNCTION most_unused_age() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN interval '10 seconds';

-- The longest time until a bucket is full: all tokens are missing, and slots are promised as far ahead as can be. The grace and the gap
-- of a lane are a second each at most.
CREATE OR REPLACE FUNCTION longest_fill(
    refill double precision, per interval, capacity double precision, pace real)
RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN make_interval(secs => farthest_slot() + 2) + capacity / refill * per / pace;

-- How long the widest uncertainty of a lane's workers is remembered: for the rest of a period of this length, and the
-- next.
CREATE OR REPLACE FUNCTION spread_period() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN interval '1 minute';

-- A worker's reckoning of the clock may creep by that much: slots are farther apart by this factor.
CREATE OR REPLACE FUNCTION clock_creep() RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 1.0005::float8;

-- For how long after a block, and after a failed probe, jobs that never failed are claimed first.
CREATE OR REPLACE FUNCTION wary_time() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN interval '1 minute';

-- A single call after a probe that went well is about the newest job with this probability, and else about one beside
-- the probe.
CREATE OR REPLACE FUNCTION newest_share() RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 0.2::float8;

-- How many jobs of other lanes a probe looks past for one of its own.
CREATE OR REPLACE FUNCTION probe_reach() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 1000;
