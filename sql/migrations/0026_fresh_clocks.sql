-- A worker that begins after this server's clock was set, and before anybody noticed, takes the clock for right, and its
-- slots for those of the old one. So it asks for none before somebody who knew the clock has looked at it since.
ALTER TABLE server_clock
    -- The newest of the workers that had read the clock before a coordinator looked that knew it, and found it right.
    ADD checked_for integer NOT NULL DEFAULT 0;

-- As in migration 23, but for the slots of jobs that are held: nobody claims any more between a step and its discovery but by
-- the old clock, so they go with it in both directions. A call that is lost is then written down where it was.
CREATE OR REPLACE FUNCTION shift_clock(known_epoch integer, size interval) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    is_ahead CONSTANT boolean := size > '0';
    -- No slot is promised farther ahead, as in `claim_jobs`.
    farthest CONSTANT interval := '4 seconds';
    moment timestamptz;
BEGIN
    UPDATE server_clock SET epoch = epoch + 1 WHERE epoch = known_epoch;
    IF NOT FOUND THEN RETURN false; END IF;
    INSERT INTO clock_steps (epoch, size) VALUES (known_epoch + 1, size);
    UPDATE leadership SET until = until + size;
    moment := clock_timestamp();
    UPDATE coordinators SET seen_at = past_moment(seen_at, size, moment), heard_since = past_moment(heard_since, size, moment);
    UPDATE workers SET seen_at = past_moment(seen_at, size, moment);
    UPDATE jobs SET run_at = run_at + size WHERE run_at > moment;
    -- Who holds a job claimed it by the old clock, or knows that its slot may be anywhere.
    UPDATE jobs SET starts_at = least(starts_at + size, moment + farthest) WHERE worker IS NOT NULL;
    UPDATE lanes
    SET blocked_until = CASE WHEN blocked_until > least(moment, moment - size) THEN blocked_until + size
                             ELSE blocked_until END,
        wary_until = CASE WHEN wary_until > least(moment, moment - size) THEN wary_until + size ELSE wary_until END,
        well_at = past_moment(well_at, size, moment),
        pace_changed_at = past_moment(pace_changed_at, size, moment),
        spread_since = past_moment(spread_since, size, moment),
        limits_changed_at = past_moment(limits_changed_at, size, moment);
    UPDATE token_buckets
    SET full_at = full_at + size,
        -- Whoever counts anew counts by another bound.
        worker = NULL
    WHERE is_ahead OR full_at > moment + farthest + capacity / refill * per;
    PERFORM pg_notify('waypost_lanes', name) FROM lanes;
    RETURN true;
END
$$;
