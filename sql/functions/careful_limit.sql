-- Makes limits hold although a worker does not know this server's clock exactly.
--
-- A worker knows this clock to within a width, which is about its round trip. It makes the call of slot s at some time
-- in [s, s + g] on this clock, where g is the grace plus the width. So the calls in a window [a, b] have their slots in
-- [a - g, b]. If the slots obey a burst of C' = C - rate * g, the window holds at most C + rate * (b - a) calls. As g
-- we use the grace plus the spread, which is the largest width of the workers that claimed recently.
--
-- If the burst is too small for that, C' is 1 and slots come one by one. The missing room is then added as a gap where
-- one worker's slots end and another worker's begin, not to each slot. The width of one worker is the same from call to
-- call, as long as it converts all slots with the same estimate of this clock. Then its calls are as far apart as its
-- slots, except for the grace. A window that holds calls of two workers also holds a gap.

-- Reduces a limit of `refill` calls in `per` and `burst` calls at once, so that calls that are late by up to the grace
-- plus the spread still obey it. Returns the capacity, the seconds between slots, and the gap in seconds before another
-- worker's slots.
--
-- A worker's estimate of the clock may drift by 500 millionths. `clock_creep` widens the spacing by that much.
CREATE OR REPLACE FUNCTION careful_limit(
    refill double precision, per interval, burst double precision, pace real, grace interval, spread interval)
RETURNS TABLE (capacity double precision, spacing double precision, gap double precision)
-- Returns a table of one row because the planner inlines only such a function into the calling statement.
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
