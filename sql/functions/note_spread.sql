-- Notes how uncertain a worker is that claims at `moment`, under the lane's lock. Returns the spread from now on.
--
-- A spread that grows leaves less burst, and needs nothing else. One that shrinks leaves more, while slots that were
-- promised before may still be called as late as was thought: so the difference is charged.
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
