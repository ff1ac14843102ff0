-- Limits that are exact at a distance: what a worker doesn't know of this server's clock is made room for.
--
-- A worker knows this clock within a width, which is about its round trip. It makes a call for the slot s some time within
-- [s, s + g] on this clock, where g is the grace and the width. So the calls of a window [a, b] have slots in [a - g, b].
-- Slots that keep to a burst of C' = C - rate * g then keep the window within C + rate * (b - a). The g for which room is
-- made is the grace and the spread, the widest width of the workers that claimed of late.
--
-- Where the burst is too small for that, C' is 1, and slots come one by one. What is lacking is paid for where one worker's
-- slots end and another's begin, with a gap, and not in each slot: one worker's width is the same from call to call, as long
-- as it times them all by the same reckoning of this clock. Then its calls are as far apart as its slots, but for the grace.
-- A window that holds calls of two workers holds a gap as well.

-- What the grace and the spread make of a limit of `refill` calls in `per` and `capacity` at once: the capacity and
-- the seconds between slots, so that calls keep to it that are late by up to the grace and the spread; and the gap in
-- seconds where another worker's slots begin.
--
-- A worker's reckoning of the clock may creep by 500 millionths, and no slot comes sooner for that.
CREATE OR REPLACE FUNCTION careful_limit(
    refill double precision, per interval, burst double precision, pace real, grace interval, spread interval)
RETURNS TABLE (capacity double precision, spacing double precision, gap double precision)
-- A table, of one row, because only then the planner writes it out in the statement that asks.
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT greatest(1, burst - (late + wide) * rate),
           1 / (rate * pace) * CASE WHEN late + wide > slack AND wide > 0 THEN clock_creep() ELSE 1 END
               + greatest(0, late - slack),
           least(wide, greatest(0, late + wide - slack))
    FROM (
        SELECT refill / extract(epoch FROM per)::double precision AS rate,
               (burst - 1) / refill * extract(epoch FROM per)::double precision AS slack,
               extract(epoch FROM grace)::double precision AS late,
               extract(epoch FROM spread)::double precision AS wide
    ) AS seconds
$$;
