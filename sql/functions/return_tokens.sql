-- Returns tokens to a lane: those of `unused` slots from `first_slot` on, in which nothing was sent and nothing will
-- be.
--
-- A bucket's `full_at` is the latest of the moments s + n * spacing, over all of its slots s, where n is the number of
-- slots from s on (`slots` adds one spacing for each). Without the unused slots it is the later of two moments:
-- - for slots before the first unused one, at most full_at - unused * spacing,
-- - for slots from there on, s + n * spacing, where n counts the slots that were used or may be.
-- So a token that would have overflowed meanwhile is not returned. A call in the log counts at its moment, which is not
-- before its slot. The cost of a gap between two workers is not known here, so the next claim pays one. The result is
-- true if any token was returned.
CREATE OR REPLACE FUNCTION return_tokens(lane_id smallint, unused integer, first_slot timestamptz) RETURNS boolean
LANGUAGE plpgsql STRICT AS $$
DECLARE
    the_lane lanes%ROWTYPE;
    moment timestamptz;
    later timestamptz[];
BEGIN
    -- Locks the lane before its buckets, in the order of a claim.
    SELECT * INTO STRICT the_lane FROM lanes WHERE id = lane_id FOR NO KEY UPDATE;
    moment := clock_timestamp();
    -- Slots promised before `full_at` was converted had another cost, so they can't be returned.
    IF the_lane.buckets_converted_at > first_slot - make_interval(secs => farthest_slot())
        OR first_slot < moment - most_unused_age()
    THEN
        RETURN false;
    END IF;
    SELECT array_agg(at ORDER BY at DESC)
    INTO later
    FROM (
        SELECT starts_at AS at FROM jobs WHERE lane = lane_id AND worker IS NOT NULL AND starts_at >= first_slot
        UNION ALL
        SELECT started_at FROM calls
        WHERE lane = lane_id AND started_at BETWEEN first_slot AND moment + most_uncertainty()
    ) AS used;
    UPDATE token_buckets
    SET full_at = left_over.full_at, worker = NULL
    FROM (
        SELECT per AS of_per,
               greatest(moment, full_at - unused * make_interval(secs => spacing), (
                   SELECT max(at + count * make_interval(secs => spacing))
                   FROM unnest(later) WITH ORDINALITY AS slot (at, count)
               )) + interval '1 microsecond' AS full_at
        FROM token_buckets,
        LATERAL careful_limit(
            refill, per, capacity, clock_pace(the_lane.pace), the_lane.grace, greatest(the_lane.spread, the_lane.spread_before))
            AS careful
        WHERE lane = lane_id
    ) AS left_over
    WHERE lane = lane_id AND per = of_per AND token_buckets.full_at > left_over.full_at;
    RETURN FOUND;
END
$$;
