-- Computes how many calls a lane's limits permit to a claim. These functions are for `claim_jobs`, which locks a lane
-- with limits. They are planned under its settings.

-- Returns how many jobs a worker may claim: at most `room`, and at most what the caps leave. Null means no cap.
CREATE OR REPLACE FUNCTION free_places(
    lane_id smallint, worker_id integer, room integer, calls_per_worker integer, calls_at_once integer)
RETURNS integer
LANGUAGE plpgsql AS $$
BEGIN
    IF calls_per_worker IS NOT NULL THEN
        room := least(room, calls_per_worker - (
            SELECT count(*) FROM jobs WHERE lane = lane_id AND worker = worker_id));
    END IF;
    IF calls_at_once IS NOT NULL THEN
        room := least(room, calls_at_once - (
            SELECT count(*) FROM jobs WHERE lane = lane_id AND worker IS NOT NULL));
    END IF;
    RETURN room;
END
$$;

-- Returns how far ahead, in seconds, slots are promised to a worker with this uncertainty of the clock.
CREATE OR REPLACE FUNCTION slot_horizon(uncertainty interval) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN least(
    farthest_slot(),
    least_horizon() + horizon_widening() * coalesce(greatest(extract(epoch FROM uncertainty)::double precision, 0), 0));

-- Returns the state of a lane's buckets at `moment`, ordered by `per`, in the form that `slots` takes; null for a lane
-- without limits. If the last slots belonged to another worker than `steady_worker`, each bucket is full later by the
-- gap.
--
-- `wait`, if positive, is how many seconds to wait. A claim that pays a gap should take slots up to the horizon, so
-- that the gap is a small part of them. The wait ends 20 gaps before the horizon, but leaves at least a quarter of the
-- horizon.
CREATE OR REPLACE FUNCTION lane_limits(
    lane_id smallint, steady_worker integer, moment timestamptz, pace real, grace interval, spread interval,
    lead double precision, horizon double precision,
    OUT fulls double precision[], OUT capacities double precision[], OUT spacings double precision[],
    OUT pers interval[], OUT wait double precision)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    SELECT array_agg(least(greatest(missing + gap, 0), farthest_slot() + capacity * spacing + gap) ORDER BY per),
           array_agg(careful ORDER BY per), array_agg(spacing ORDER BY per), array_agg(per ORDER BY per),
           max(CASE WHEN gap > 0 THEN missing + gap - greatest(lead, horizon - least(20 * gap, 0.75 * horizon)) END)
    INTO fulls, capacities, spacings, pers, wait
    FROM (
        SELECT per, token_buckets.capacity, limits.capacity AS careful, limits.spacing,
               extract(epoch FROM full_at - moment)::double precision AS missing,
               CASE WHEN worker = steady_worker THEN 0 ELSE limits.gap END AS gap
        FROM token_buckets,
        LATERAL careful_limit(refill, per, token_buckets.capacity, pace, grace, spread) AS limits
        WHERE lane = lane_id
    ) AS bucket;
END
$$;
