-- Converts a moment of the past when the clock is set by `size` and now shows `moment`.
CREATE OR REPLACE FUNCTION past_moment(past timestamptz, size interval, moment timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        -- A moment that was written after the step would otherwise be in the future.
        WHEN size > '0' THEN least(past + size, moment)
        WHEN past > moment THEN past + size
        ELSE past
    END
$$;

-- Moves every stored moment by `size`, the step by which the clock was set. A process that knew the clock of
-- `known_epoch` found the step. Returns false, and changes nothing, if another process was first.
--
-- Between the step and its discovery some moments were written by the new clock, and nothing marks them. When the two
-- can't be told apart, the rule takes the less harmful one: no process is struck off, no limit is broken, and a wait
-- may end early but not late.
--
-- The locks are taken in the usual order. A leader's act locks the leadership first. A claim locks the lane, then its
-- buckets. The end of a call locks its jobs, then the lane.
CREATE OR REPLACE FUNCTION shift_clock(known_epoch integer, size interval) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    is_ahead CONSTANT boolean := size > '0';
    farthest CONSTANT interval := make_interval(secs => farthest_slot());
    moment timestamptz;
BEGIN
    UPDATE server_clock SET epoch = epoch + 1, checked_at = checked_at + size WHERE epoch = known_epoch;
    IF NOT FOUND THEN RETURN false; END IF;
    INSERT INTO clock_steps (epoch, size, rate) SELECT epoch, shift_clock.size, rate FROM server_clock;
    UPDATE leadership SET until = until + size;
    moment := clock_timestamp();
    UPDATE coordinators SET seen_at = past_moment(seen_at, size, moment), heard_since = past_moment(heard_since, size, moment);
    UPDATE workers SET seen_at = past_moment(seen_at, size, moment);
    UPDATE jobs SET run_at = run_at + size WHERE run_at > moment;
    -- A worker with a job claimed it by the old clock, or knows that its slot may be anywhere.
    UPDATE jobs SET starts_at = least(starts_at + size, moment + farthest) WHERE worker IS NOT NULL;
    UPDATE lanes
    SET blocked_until = CASE WHEN blocked_until > least(moment, moment - size) THEN blocked_until + size
                             ELSE blocked_until END,
        wary_until = CASE WHEN wary_until > least(moment, moment - size) THEN wary_until + size ELSE wary_until END,
        well_at = past_moment(well_at, size, moment),
        pace_changed_at = past_moment(pace_changed_at, size, moment),
        spread_since = past_moment(spread_since, size, moment),
        limits_changed_at = past_moment(limits_changed_at, size, moment),
        buckets_converted_at = moment;
    UPDATE token_buckets
    SET full_at = least(full_at + size, moment + longest_fill(refill, per, capacity, pace)),
        charged_at = past_moment(charged_at, size, moment),
        -- Each worker measures the clock again, so the next claim pays a gap.
        worker = NULL
    FROM lanes
    WHERE lanes.id = lane AND (is_ahead OR full_at > moment + longest_fill(refill, per, capacity, pace));
    PERFORM pg_notify('waypost_lanes', name) FROM lanes;
    RETURN true;
END
$$;
