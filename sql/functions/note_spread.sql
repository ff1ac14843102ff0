-- Stores the uncertainty of a worker that claims at `moment`. The caller holds the lane's lock. Returns the spread from
-- now on.
--
-- A larger spread leaves less burst and needs nothing else. A smaller one leaves more, but slots promised before may
-- still be called late by the old spread. So the difference is charged.
CREATE OR REPLACE FUNCTION note_spread(the_lane lanes, uncertainty interval, moment timestamptz) RETURNS interval
LANGUAGE plpgsql AS $$
DECLARE
    old_spread CONSTANT interval := greatest(the_lane.spread, the_lane.spread_before);
    age CONSTANT interval := moment - the_lane.spread_since;
BEGIN
    IF age >= spread_period() THEN
        -- The last period may have ended long ago.
        the_lane.spread_before := CASE WHEN age < 2 * spread_period() THEN the_lane.spread ELSE '0' END;
        the_lane.spread := uncertainty;
        the_lane.spread_since := moment;
    ELSE
        the_lane.spread := greatest(the_lane.spread, uncertainty);
    END IF;
    UPDATE lanes
    SET spread = the_lane.spread, spread_before = the_lane.spread_before, spread_since = the_lane.spread_since
    WHERE id = the_lane.id;
    IF greatest(the_lane.spread, the_lane.spread_before) < old_spread THEN
        UPDATE token_buckets
        SET full_at = full_at + (old_spread - greatest(the_lane.spread, the_lane.spread_before))
        WHERE lane = the_lane.id;
        UPDATE lanes SET buckets_converted_at = moment WHERE id = the_lane.id;
    END IF;
    RETURN greatest(the_lane.spread, the_lane.spread_before);
END
$$;
