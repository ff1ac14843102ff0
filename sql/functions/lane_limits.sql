-- Computes how many calls a lane's limits permit to a claim, and charges them. These functions are for `claim_jobs`,
-- which locks a lane with limits. They are planned under its settings.

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

-- Returns how many of a lane's workers share the claims that one worker would make: 1 for a few workers, 25 for 200. If
-- all of them claimed as often as one, claims without a result would wait in line for the lane's lock, and slots would
-- pass meanwhile.
--
-- Each claims at random times, and all together claim about twice a second for each of `awake_workers`. So no worker is
-- chosen, and none has to be replaced if it dies. They are enough to take all slots that are promised two seconds ahead,
-- `room` in each claim.
CREATE OR REPLACE FUNCTION lane_crowd(the_lane lanes, room integer) RETURNS real
LANGUAGE plpgsql
-- `workers` has no index for this. With the setting of claim_jobs the plan seems so expensive that PostgreSQL compiles
-- it, which takes a tenth of a second.
SET enable_seqscan = on
AS $$
BEGIN
    RETURN (
        SELECT greatest(1, count(*) / greatest(awake_workers(), least(the_lane.calls_at_once, (
            SELECT max(refill / extract(epoch FROM per)::double precision) FROM token_buckets WHERE lane = the_lane.id
        )) / greatest(room, 1)))
        FROM workers
        WHERE the_lane.name = ANY (lanes) AND NOT quiet);
END
$$;

-- Returns how far ahead, in seconds, slots are promised to a worker with this uncertainty of the clock.
CREATE OR REPLACE FUNCTION slot_horizon(uncertainty interval) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN least(
    farthest_slot(),
    least_horizon() + horizon_widening() * coalesce(greatest(extract(epoch FROM uncertainty)::double precision, 0), 0));

-- The name of an older version.
DROP FUNCTION IF EXISTS lane_limits(
    smallint, integer, timestamptz, real, interval, interval, double precision, double precision);

-- Returns the first `most` slots of a lane with limits from `moment` on, as `slots` does, and the state of its buckets
-- ordered by `per`; nulls for a lane without limits. If the last slots belonged to another worker than `steady_worker`,
-- each bucket is full later by the gap.
--
-- A claim that pays a gap should take slots up to the horizon, so that the gap is a small part of them. So it gets none
-- before `wait` has passed. The wait ends 20 gaps before the horizon, but leaves at least a quarter of the horizon.
-- `look_at` is when more slots can be claimed.
CREATE OR REPLACE FUNCTION lane_slots(
    the_lane lanes, steady_worker integer, moment timestamptz, most integer, uncertainty interval, latency interval,
    OUT starts double precision[], OUT look_at timestamptz, OUT pers interval[], OUT fulls double precision[],
    OUT capacities double precision[], OUT spacings double precision[], OUT lead double precision,
    OUT horizon double precision, OUT fulls_after double precision[])
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    the_spread interval := greatest(the_lane.spread, the_lane.spread_before);
    wait double precision;
    the_slots record;
BEGIN
    IF uncertainty > the_lane.spread OR the_spread > '0' AND moment >= the_lane.spread_since + spread_period() THEN
        the_spread := note_spread(the_lane, uncertainty, moment);
    END IF;
    horizon := slot_horizon(uncertainty);
    -- A lead beyond the horizon would leave no slot.
    lead := least(greatest(extract(epoch FROM latency), 0), horizon / 2);
    SELECT array_agg(least(greatest(missing + gap, 0), farthest_slot() + capacity * spacing + gap) ORDER BY per),
           array_agg(careful ORDER BY per), array_agg(spacing ORDER BY per), array_agg(per ORDER BY per),
           max(CASE WHEN gap > 0 THEN missing + gap - greatest(lead, horizon - least(20 * gap, 0.75 * horizon)) END)
    INTO fulls, capacities, spacings, pers, wait
    FROM (
        SELECT per, token_buckets.capacity, limits.capacity AS careful, limits.spacing,
               extract(epoch FROM full_at - moment)::double precision AS missing,
               CASE WHEN worker = steady_worker THEN 0 ELSE limits.gap END AS gap
        FROM token_buckets,
        LATERAL careful_limit(refill, per, token_buckets.capacity, clock_pace(the_lane.pace), the_lane.grace, the_spread) AS limits
        WHERE lane = the_lane.id
    ) AS bucket;
    IF fulls IS NULL THEN RETURN; END IF;
    the_slots := slots(fulls, capacities, spacings, CASE WHEN wait > 0 THEN 0 ELSE most END, lead, horizon);
    starts := the_slots.starts;
    fulls_after := the_slots.fulls;
    look_at := moment + make_interval(secs => greatest(wait, the_slots.next - horizon));
END
$$;

-- Charges a lane's buckets for the first `number` of the slots that `lane_slots` returned, and returns these. Only
-- claimed jobs cost tokens. `is_checked` is true if the worker sent its bounds of this server's clock.
CREATE OR REPLACE FUNCTION charge_tokens(
    lane_id smallint, worker_id integer, moment timestamptz, promised record, number integer, is_checked boolean)
RETURNS double precision[]
LANGUAGE plpgsql AS $$
DECLARE
    the_slots record;
BEGIN
    IF number < cardinality(promised.starts) THEN
        the_slots := slots(
            promised.fulls, promised.capacities, promised.spacings, number, promised.lead, promised.horizon);
        promised.starts := the_slots.starts;
        promised.fulls_after := the_slots.fulls;
    END IF;
    UPDATE token_buckets
    -- make_interval rounds to microseconds. The added microsecond keeps it from rounding down.
    SET full_at = moment + make_interval(secs => charged.full_in) + interval '1 microsecond',
        worker = worker_id,
        charged_at = CASE WHEN is_checked THEN moment ELSE charged_at END
    FROM unnest(promised.pers, promised.fulls_after) AS charged (per, full_in)
    WHERE lane = lane_id AND token_buckets.per = charged.per;
    RETURN promised.starts;
END
$$;
