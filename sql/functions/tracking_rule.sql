-- Decides which fixes belong to one place, and which can't be true. The rule is that of
-- Sources/Tracking/TrackingRule.swift, and both are tested with the same vectors. It uses the same operations in the
-- same order, so that both decide alike to the last digit.

-- The distance in metres on a sphere.
CREATE OR REPLACE FUNCTION metres_between(
    lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision)
RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN lat1 = lat2 AND lng1 = lng2 THEN 0 ELSE
    2 * 6371008.8 * asin(least(1, sqrt(
        sin((lat2 - lat1) * 0.017453292519943295 / 2) * sin((lat2 - lat1) * 0.017453292519943295 / 2)
        + cos(lat1 * 0.017453292519943295) * cos(lat2 * 0.017453292519943295)
            * sin((lng2 - lng1) * 0.017453292519943295 / 2) * sin((lng2 - lng1) * 0.017453292519943295 / 2))))
END;

-- Returns true if a fix is at the place where another one began a location. The poorer accuracy of the two widens the
-- radius, by at most 500 m.
CREATE OR REPLACE FUNCTION is_near(
    metres double precision, radius double precision, accuracy1 double precision, accuracy2 double precision)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN metres <= radius + least(greatest(accuracy1, accuracy2, 0), 500);

-- Returns true if this distance is impossible in this time. After five minutes any place is believed: otherwise one
-- wrong fix would make all right fixes after it ignored.
CREATE OR REPLACE FUNCTION is_too_fast(
    metres double precision, seconds double precision, radius double precision, top_speed double precision,
    accuracy1 double precision, accuracy2 double precision)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN seconds < 300
    AND metres - least(coalesce(accuracy1, 0) + coalesce(accuracy2, 0), 500) - radius > top_speed * greatest(seconds, 0);

-- This many fixes elsewhere, one after another, don't end a stay if the next one is back at its place …
CREATE OR REPLACE FUNCTION most_strays() RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 2;

-- … within five minutes of the first fix elsewhere, in seconds.
CREATE OR REPLACE FUNCTION longest_stray() RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 300;
