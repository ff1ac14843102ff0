-- Begins an epoch in which this server's clock gains `new_rate` seconds in each second of the workers' clocks, because
-- it is slewed. A process that knew the clock of `known_epoch` found it ahead by `size`, or behind. Returns false, and
-- changes nothing, if another process was first.
--
-- A limit counts by the workers' clocks, but a bucket fills by this one. So a bucket is full later by what this clock has
-- gained, and later still by what it will gain until then. Nothing else is moved, because nothing else counts tenths of a
-- second. A clock that runs slowly exceeds no limit, so it is not made up for.
CREATE OR REPLACE FUNCTION slew_clock(known_epoch integer, size interval, new_rate double precision) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    old_rate double precision;
    moment timestamptz;
BEGIN
    SELECT rate INTO old_rate FROM server_clock WHERE epoch = known_epoch FOR UPDATE;
    IF NOT FOUND THEN RETURN false; END IF;
    UPDATE server_clock SET epoch = epoch + 1, rate = new_rate, checked_at = checked_at + size;
    INSERT INTO clock_steps (epoch, size, rate) VALUES (known_epoch + 1, size, new_rate);
    -- The locks are taken in the order of a claim. Slots promised before had another cost, so they can't be returned.
    UPDATE lanes SET buckets_converted_at = clock_timestamp() WHERE EXISTS (SELECT FROM token_buckets WHERE lane = id);
    moment := clock_timestamp();
    -- If the rate falls, promised slots keep their cost.
    IF new_rate < old_rate THEN moment := moment + make_interval(secs => farthest_slot()); END IF;
    UPDATE token_buckets
    SET full_at = full_at + greatest(size, '0')
        + greatest(full_at - moment, '0') * ((new_rate - old_rate) / (1 + old_rate));
    RETURN true;
END
$$;
